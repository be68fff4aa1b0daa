import { digestOf } from "../cache/digest.ts";

/** Something in a project that takes effect on this machine once the user said yes to it. */
export interface Wish {
  /** Names it in the record and for the user, within its folder: `plugin ./gpu.ts`. */
  readonly name: string;
  /** What a yes to it means. */
  readonly about: string;
  /** Changes whenever something else would take effect, and with nothing else. */
  readonly digest: string;
}

/** What one folder wishes for. */
export interface FolderWishes {
  /** Real path. */
  readonly folder: string;
  readonly wishes: readonly Wish[];
}

/**
 * Returns one digest of all wishes of a project, the same wherever it is checked out: folders count
 * by their place as seen from `directory`, and an order means nothing.
 */
export function digestOfWishes(
  projects: readonly FolderWishes[],
  place: (folder: string) => string,
): string {
  const lines = projects.flatMap(({ folder, wishes }) =>
    wishes.map(({ name, digest }) => JSON.stringify([place(folder), name, digest]))
  );
  return digestOf(lines.sort().join("\n"));
}
