import { openWithoutLinks } from "../../base/libc.ts";
import type { Message } from "../../schemas/message.ts";
import type { ToolResult } from "../../schemas/tool_result.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";

/**
 * Renders a part of what a `RubricJudge` shows its model; an empty text shows nothing. What it
 * throws ends the run with an error; a `StudentMisbehaviorError` is a score of 0.
 *
 * ```ts
 * const wordCount: RubricContext = ({ answers }) =>
 *   `The summary has ${answers.summary?.split(/\s+/).length ?? 0} words.`;
 * ```
 */
export type RubricContext = (
  transcript: Transcript,
  context: RunContext,
) => string | Promise<string>;

/** What `files` shows. */
export interface FilesOptions {
  /**
   * Bytes shown of each file, from its beginning; 64 KiB if absent. A note says that more is there.
   */
  maxBytes?: number;
}

/** Which part of the conversation `transcript` shows. */
export interface TranscriptOptions {
  /** The calls of this tool instead of the messages; `*` for those of all tools. */
  tool?: string;
  /** Only the newest so many; all if absent. */
  last?: number;
}

const DEFAULT_MAX_BYTES = 64 * 1024;

/**
 * The answer that was submitted under a key, nothing if there is none; without a key all of them, a
 * line `key: value` each.
 */
export function answers(key?: string): RubricContext {
  return ({ answers }) => {
    if (key !== undefined) return Object.hasOwn(answers, key) ? answers[key] ?? "" : "";
    return Object.entries(answers).map(([name, value]) => `${name}: ${value}`).join("\n");
  };
}

/**
 * Files of the sandbox, read as root, each after a heading with its path. Nothing but regular files
 * is read, and no link is followed anywhere in a path; what can't be read shows why. Throws a
 * `TypeError` unless every path is absolute.
 */
export function files(paths: readonly string[], options: FilesOptions = {}): RubricContext {
  for (const path of paths) {
    if (path.startsWith("/") && !path.includes("\0")) continue;
    throw new TypeError(`files: ${JSON.stringify(path)} is not an absolute path`);
  }
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  return () => paths.map((path) => `=== ${path} ===\n${contentOf(path, maxBytes)}`).join("\n\n");
}

/**
 * The conversation, each message as `[role]: content`; or tool calls that were completed, each with
 * its arguments and the text of its result. Images are named and not shown. Throws a `TypeError`
 * unless `last` is a positive integer.
 */
export function transcript({ tool, last }: TranscriptOptions = {}): RubricContext {
  if (last !== undefined && !(Number.isInteger(last) && last > 0)) {
    throw new TypeError(`transcript: last must be a positive integer, it is ${last}`);
  }
  const newest = <Item>(items: readonly Item[]) => last === undefined ? items : items.slice(-last);
  if (tool === undefined) {
    return ({ messages }) =>
      newest(messages.filter(({ content }) => content !== null && content.length > 0))
        .map((message) => `[${message.role}]: ${contentText(message)}`).join("\n");
  }
  return ({ toolCalls }) =>
    newest(toolCalls.filter(({ call }) => tool === "*" || call.function.name === tool))
      .map(({ call, result }) =>
        `[${call.function.name}] ${call.function.arguments}\n${resultText(result)}`
      ).join("\n\n");
}

function contentText({ content }: Message): string {
  if (!Array.isArray(content)) return content ?? "";
  return JSON.stringify(content.map((part) => part.type === "text" ? part : { type: "image" }));
}

function resultText({ content }: ToolResult): string {
  return content.map((block) => block.type === "text" ? block.text : "[image]").join("\n");
}

function contentOf(path: string, maxBytes: number): string {
  try {
    using file = openWithoutLinks(path);
    const buffer = new Uint8Array(maxBytes + 1);
    let length = 0;
    while (length < buffer.length) {
      const count = file.readAt(buffer.subarray(length), length);
      if (count === 0) break;
      length += count;
    }
    const isCut = length > maxBytes;
    // Half a character at the cut is dropped.
    const text = new TextDecoder().decode(buffer.subarray(0, Math.min(length, maxBytes)), {
      stream: isCut,
    });
    return isCut ? `${text}\n[only the first ${maxBytes} bytes are shown]` : text;
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Anything but an errno is a fault of ours, or of the machine.
    if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) throw error;
    return `[can't be read: ${REASONS[code] ?? code}]`;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EINVAL: "not a regular file",
  EISDIR: "not a regular file",
  ELOOP: "a link is in its path",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file",
  ENOTDIR: "a part of the path is not a folder",
  ENXIO: "not a regular file",
};
