import { z } from "zod";
import { StudentFileError } from "../../sdk/student.ts";
import { defineTool, type Tool } from "../../sdk/tool.ts";
import type { StudentFiles } from "../student/student_files.ts";
import { unifiedDiff } from "./unified_diff.ts";

const INPUT = z.object({
  file_path: z.string().describe("Absolute path of a text file."),
  old: z.string().describe("The text to replace, literally; it may have several lines."),
  new: z.string().describe("What stands there afterwards."),
  replace_all: z.boolean().default(false).describe("Every occurrence, not only the first."),
});

const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** The `replace_in_file` tool: a literal replacement, made with the student's rights. */
export function createReplaceTool(files: StudentFiles): Tool {
  return defineTool({
    description: "Replaces text in a text file (UTF-8): literally, case-sensitively, the first " +
      "occurrence or all of them. Shows what changed as a diff.",
    input: INPUT,
    async run({ file_path, old, new: replacement, replace_all }) {
      if (old === "") throw new Error("old is empty: give the text to replace");
      for (const [name, value] of [["old", old], ["new", replacement]] as const) {
        if (!value.isWellFormed()) throw new Error(`${name} is not valid Unicode text`);
      }
      const path = JSON.stringify(file_path);
      const { bytes, size } = await files.read(file_path, {
        offset: 0,
        maxBytes: MAX_FILE_BYTES + 1,
      });
      if (bytes.length > MAX_FILE_BYTES) {
        throw new Error(`${path} has ${size} bytes: at most ${MAX_FILE_BYTES} can be edited`);
      }
      const text = decode(bytes, path);
      const count = replace_all ? occurrences(text, old) : Number(text.includes(old));
      if (count === 0) throw new Error(`${path} does not contain the text given as old`);
      const projected = bytes.length + count * (utf8Length(replacement) - utf8Length(old));
      if (projected > MAX_FILE_BYTES) {
        throw new Error(
          `${path} would have ${projected} bytes: at most ${MAX_FILE_BYTES}; nothing was changed`,
        );
      }
      // A function, since "$&" in a string would be a pattern.
      const changed = replace_all
        ? text.replaceAll(old, () => replacement)
        : text.replace(old, () => replacement);
      await write(files, file_path, changed);
      const times = count === 1 ? "1 occurrence" : `${count} occurrences`;
      const diff = unifiedDiff({ path: file_path, text, old, new: replacement, count });
      return { result: `Replaced ${times} in ${path}.`, diff };
    },
  });
}

async function write(files: StudentFiles, path: string, text: string): Promise<void> {
  try {
    await files.write(path, new TextEncoder().encode(text), { create: false });
  } catch (error) {
    if (!(error instanceof StudentFileError)) throw error;
    throw new Error(`Cannot write ${error.message}`, { cause: error });
  }
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is not UTF-8 text: use bash for binary files`);
  }
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
