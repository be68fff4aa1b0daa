import { readTextIfThereSync } from "../../base/files.ts";

/** A block of ids, `start` to `start + count - 1`. */
export interface IdBlock {
  readonly owner: string;
  readonly start: number;
  readonly count: number;
}

/** Reads /etc/subuid or /etc/subgid; lines of another shape grant nothing and are left out. */
export function parseSubordinateIds(text: string): IdBlock[] {
  return text.split("\n").flatMap((line) => {
    const match = /^([^:#]+):(\d+):(\d+)\s*$/.exec(line);
    return match === null
      ? []
      : [{ owner: match[1] ?? "", start: Number(match[2]), count: Number(match[3]) }];
  });
}

/** Reads name and number (third field) of each line of /etc/passwd or /etc/group. */
export function parseAccounts(text: string): { name: string; id: number }[] {
  return text.split("\n").flatMap((line) => {
    const [name, , id] = line.split(":");
    return name && id && /^\d+$/.test(id) ? [{ name, id: Number(id) }] : [];
  });
}

/** Reads a system file's text; one that is not there reads as empty. */
export function readIfThere(path: string): string {
  return readTextIfThereSync(path) ?? "";
}
