import { Buffer } from "node:buffer";
import { z } from "zod";
import { concat } from "../../base/bounded_bytes.ts";
import { defineTool, type Tool } from "../../sdk/tool.ts";
import type { StudentFiles } from "../student/student_files.ts";
import { cutToJsonBytes } from "./text_limit.ts";

const CONFIG = z.strictObject({
  /** How many lines one call may ask for. */
  max_lines: z.int().positive().default(1000),
});

const INPUT = z.object({
  file_path: z.string().describe("Absolute path of a text file."),
  from_line: z.int().describe("First line, from 1."),
  to_line: z.int().describe("Last line, which is shown too."),
});

const MAX_CONTENT_BYTES = 384 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** A file may have no end that is worth waiting for. */
const MAX_SCAN_MS = 30_000;
const NEWLINE = 10;

/** The `view_lines_in_file` tool: lines of a text file as they are, with the student's rights. */
export function createViewLinesTool(files: StudentFiles): Tool {
  return defineTool({
    description: "Shows lines of a text file (UTF-8), at most 1000 a call unless the task says " +
      "otherwise.",
    input: INPUT,
    config: CONFIG,
    async run({ file_path, from_line, to_line }, { config, signal }) {
      checkRange(from_line, to_line, config.max_lines);
      const { bytes, isCut, lines } = await readLines(files, file_path, {
        from: from_line,
        to: to_line,
        signal,
      });
      if (bytes.length === 0 && from_line > 1) {
        throw new Error(
          `${JSON.stringify(file_path)} has ${lines} lines: lines ${from_line} to ${to_line} ` +
            "are not among them",
        );
      }
      const text = decode(bytes, { file_path, isCut });
      const content = cutToJsonBytes(text, MAX_CONTENT_BYTES);
      const note = isCut || content.length < text.length
        ? { system: "The content was cut: ask for fewer lines." }
        : {};
      return { file_path, from_line, to_line, content, ...note };
    },
  });
}

function checkRange(from: number, to: number, maxLines: number): void {
  if (from < 1) throw new Error(`from_line is ${from}: lines are counted from 1`);
  if (to < from) throw new Error(`to_line is ${to}, which is before from_line, ${from}`);
  const count = to - from + 1;
  if (count > maxLines) throw new Error(`${count} lines are too many: at most ${maxLines} a call`);
}

interface Lines {
  bytes: Uint8Array;
  /** More was asked for than may be shown. */
  isCut: boolean;
  /** Lines seen; all of the file's if nothing was found. */
  lines: number;
}

async function readLines(
  files: StudentFiles,
  path: string,
  { from, to, signal }: { from: number; to: number; signal: AbortSignal },
): Promise<Lines> {
  const deadline = performance.now() + MAX_SCAN_MS;
  const parts: Uint8Array[] = [];
  let found = 0;
  let line = 1;
  let endsLine = true;
  for (let offset = 0;;) {
    signal.throwIfAborted();
    if (performance.now() > deadline) {
      throw new Error(`${JSON.stringify(path)}: line ${from} was not reached in 30 seconds`);
    }
    const { bytes } = await files.read(path, { offset, maxBytes: CHUNK_BYTES });
    if (bytes.length === 0) {
      return { bytes: concat(parts, found), isCut: false, lines: endsLine ? line - 1 : line };
    }
    offset += bytes.length;
    const start = lineStart(bytes, from - line);
    const end = lineStart(bytes, to + 1 - line);
    line += newlines(bytes, end.offset);
    endsLine = bytes.at(-1) === NEWLINE;
    if (start.offset < end.offset) {
      const part = bytes.subarray(start.offset, end.offset);
      parts.push(part.subarray(0, MAX_CONTENT_BYTES - found));
      found += parts.at(-1)!.length;
      if (part.length > parts.at(-1)!.length) {
        return { bytes: concat(parts, found), isCut: true, lines: line };
      }
    }
    if (end.isInside) return { bytes: concat(parts, found), isCut: false, lines: line };
  }
}

/** Where the line that begins after `count` newlines begins; the end of `bytes` if it does not. */
function lineStart(bytes: Uint8Array, count: number): { offset: number; isInside: boolean } {
  if (count <= 0) return { offset: 0, isInside: true };
  let offset = 0;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let left = count; left > 0; left--) {
    const at = view.indexOf(NEWLINE, offset);
    if (at < 0) return { offset: bytes.length, isInside: false };
    offset = at + 1;
  }
  return { offset, isInside: true };
}

function newlines(bytes: Uint8Array, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) {
    count++;
  }
  return count;
}

function decode(bytes: Uint8Array, from: { file_path: string; isCut: boolean }): string {
  try {
    // With `stream`, a character that the cut has split is left out.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes, { stream: from.isCut });
  } catch {
    const path = JSON.stringify(from.file_path);
    throw new Error(`${path} is not UTF-8 text there: use bash for binary files`);
  }
}
