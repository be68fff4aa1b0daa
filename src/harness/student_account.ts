import { KarotteError } from "../base/errors.ts";
import { STUDENT } from "../protocol/layout.ts";

/** The texts of an image's account files in /etc; undefined: the image has no such file. */
export interface AccountFiles {
  readonly passwd: string | undefined;
  readonly group: string | undefined;
  readonly shadow: string | undefined;
  readonly gshadow: string | undefined;
  readonly subuid: string | undefined;
  readonly subgid: string | undefined;
}

export interface StudentAccounts {
  readonly files: AccountFiles;
  /** What the account of uid 1000 was called before; for its mail. */
  readonly earlierNames: readonly string[];
}

const { name, uid, gid, home } = STUDENT;

/**
 * The files with the student's account in them: whoever has its uid becomes the student, without
 * password, other groups and subordinate ids. Throws if its name belongs to another id.
 */
export function withStudentAccount(files: AccountFiles): StudentAccounts {
  const users = linesOf(files.passwd);
  const groups = linesOf(files.group);
  refuseTaken(users, uid, "account");
  refuseTaken(groups, gid, "group");
  const earlierNames = users.filter((fields) => Number(fields[2]) === uid).map((fields) =>
    fields[0] ?? ""
  );
  const gone = new Set([...earlierNames, name]);
  const goneGroups = new Set([
    name,
    ...groups.filter(isStudents(gid)).map(([first = ""]) => first),
  ]);
  const password = files.shadow === undefined ? "*" : "x";
  const groupPassword = files.gshadow === undefined ? "*" : "x";
  const without = (text: string | undefined, names: ReadonlySet<string>) =>
    linesOf(text).filter(([first = ""]) => !names.has(first));
  return {
    earlierNames: earlierNames.filter((earlier) => earlier !== name),
    files: {
      passwd: textOf([
        ...without(files.passwd, gone),
        [name, password, String(uid), String(gid), "", home, "/bin/bash"],
      ]),
      group: textOf([
        ...without(files.group, goneGroups).map((fields) => withoutMembers(fields, gone, [3])),
        [name, groupPassword, String(gid), ""],
      ]),
      shadow: files.shadow === undefined ? undefined : textOf([
        ...without(files.shadow, gone),
        [name, "*", "", "0", "99999", "7", "", "", ""],
      ]),
      gshadow: files.gshadow === undefined ? undefined : textOf([
        ...without(files.gshadow, goneGroups).map((fields) => withoutMembers(fields, gone, [2, 3])),
        [name, "*", "", ""],
      ]),
      subuid: withoutLines(files.subuid, new Set([...gone, String(uid)])),
      subgid: withoutLines(files.subgid, new Set([...gone, String(uid)])),
    },
  };
}

function refuseTaken(entries: readonly string[][], id: number, kind: string): void {
  const taken = entries.find(([first, , number]) => first === name && Number(number) !== id);
  if (taken === undefined) return;
  throw new KarotteError(
    "usage",
    `Cannot make the ${kind} "${name}": the image has one with the id ${taken[2]}`,
    { hint: `The student is "${name}" with id ${id}: rename or remove the other one.` },
  );
}

function isStudents(id: number): (fields: readonly string[]) => boolean {
  return (fields) => Number(fields[2]) === id;
}

function withoutMembers(
  fields: readonly string[],
  names: ReadonlySet<string>,
  lists: readonly number[],
): string[] {
  return fields.map((field, index) =>
    lists.includes(index)
      ? field.split(",").filter((member) => !names.has(member)).join(",")
      : field
  );
}

function withoutLines(text: string | undefined, owners: ReadonlySet<string>): string | undefined {
  if (text === undefined) return undefined;
  return textOf(linesOf(text).filter(([first = ""]) => !owners.has(first)));
}

function linesOf(text: string | undefined): string[][] {
  return (text ?? "").split("\n").filter((line) => line !== "").map((line) => line.split(":"));
}

function textOf(lines: readonly (readonly string[])[]): string {
  return lines.map((fields) => `${fields.join(":")}\n`).join("");
}
