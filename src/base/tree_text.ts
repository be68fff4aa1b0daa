/** A regular file of a folder. */
export interface DigestedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly executable: boolean;
  /** SHA-256 in hex of its content. */
  readonly digest: string;
}

/**
 * What the files of a folder are, wherever it lies, in whatever order: its digest is the folder's.
 */
export function treeText(files: readonly DigestedFile[]): string {
  const lines = files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map((
    { path, executable, digest },
  ) => `${digest} ${executable ? "x" : "-"} ${path}`);
  return lines.join("\0");
}
