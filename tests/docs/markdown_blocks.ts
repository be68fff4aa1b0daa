import { dirname, join } from "@std/path";

/** A fenced block of code of a Markdown text. */
export interface CodeBlock {
  readonly language: string;
  /**
   * The file that it is: its first line says so in a comment, or the line before the block in
   * backticks with a colon. Undefined: none.
   */
  readonly file: string | undefined;
  readonly code: string;
}

export async function codeBlocks(path: string): Promise<CodeBlock[]> {
  const text = await Deno.readTextFile(path);
  const blocks = text.matchAll(/^```(\w+)\n([^]*?)^```$/gm);
  return [...blocks].map(({ index, 1: language = "", 2: code = "" }) => ({
    language,
    file: /^\/\/ ([\w./]+\.\w+)(?::|$)/m.exec(code.split("\n", 1)[0] ?? "")?.[1] ??
      /`([\w./]+)`:\n\n$/.exec(text.slice(0, index))?.[1],
    code,
  }));
}

/** Writes the blocks that are files, and returns the paths of those of a language. */
export async function writeFiles(
  blocks: readonly CodeBlock[],
  directory: string,
  language: string,
): Promise<string[]> {
  const written: string[] = [];
  for (const { file, language: of, code } of blocks) {
    if (file === undefined) continue;
    const path = join(directory, file);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, code, { createNew: true });
    if (of === language) written.push(path);
  }
  return written;
}
