import { openWithoutLinks } from "../../base/open_without_links.ts";
import type { Message } from "../../schemas/message.ts";
import type { ToolResult } from "../../schemas/tool_result.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";
import type { RubricPart } from "./rubric_parts.ts";
import { submittedPlace } from "./submitted_place.ts";

/**
 * What a `RubricContext` shows: a text, which is a part without a title, or parts. An empty text
 * and an empty list show nothing.
 */
export type RubricRendering = string | readonly RubricPart[];

/**
 * Renders what a `RubricJudge` shows its model. Each part gets a fence of its own, which nothing in
 * it can end, so what the student could mistake for the author's words (the heading of a file)
 * belongs into a title. What it throws ends the run with an error; a `StudentMisbehaviorError` is a
 * score of 0.
 *
 * ```ts
 * const wordCount: RubricContext = ({ answers }) =>
 *   `The summary has ${answers.summary?.split(/\s+/).length ?? 0} words.`;
 * ```
 */
export type RubricContext = (
  transcript: Transcript,
  context: RunContext,
) => RubricRendering | Promise<RubricRendering>;

/** What `files` shows. */
export interface FilesOptions {
  /**
   * Bytes shown of each file, from its beginning; 64 KiB if absent. A title says that more is
   * there.
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
 * Shows the answer that was submitted under a key, nothing if there is none; without a key all of
 * them, a line `key: value` each, with further lines indented.
 */
export function answers(key?: string): RubricContext {
  return ({ answers }) => {
    if (key !== undefined) {
      const answer = Object.hasOwn(answers, key) ? answers[key] ?? "" : "";
      return part(`answer ${key}`, answer);
    }
    const lines = Object.entries(answers).map(([name, value]) => hanging(`${name}: ${value}`));
    return part("answers, each as key: value with its further lines indented", lines.join("\n"));
  };
}

/**
 * Shows files of the sandbox, each as a part with its path as title. What is among the step's
 * `submissionPaths`, or in a folder among them, is read from the harness's copy, and everything
 * else as root at its place, without following a link anywhere in a path; nothing but regular files
 * is read. A title says why a file can't be. Throws a `TypeError` unless every path is absolute.
 */
export function files(paths: readonly string[], options: FilesOptions = {}): RubricContext {
  for (const path of paths) {
    if (path.startsWith("/") && !path.includes("\0")) continue;
    throw new TypeError(`files: ${JSON.stringify(path)} is not an absolute path`);
  }
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  return (_transcript, context) =>
    paths.map((path) => filePart(path, { place: submittedPlace(path, context), maxBytes }));
}

/**
 * Shows the conversation, each message as `[role]: content`; or tool calls that were completed,
 * each with its arguments and the text of its result. Further lines are indented, so that none can
 * pass for another message. Images are named and not shown. Throws a `TypeError` unless `last` is a
 * positive integer.
 */
export function transcript({ tool, last }: TranscriptOptions = {}): RubricContext {
  if (last !== undefined && !(Number.isInteger(last) && last > 0)) {
    throw new TypeError(`transcript: last must be a positive integer, it is ${last}`);
  }
  const newest = <Item>(items: readonly Item[]) => last === undefined ? items : items.slice(-last);
  if (tool === undefined) {
    return ({ messages }) => {
      const shown = newest(messages.filter(({ content }) => content !== null && content.length > 0))
        .map((message) => hanging(`[${message.role}]: ${contentText(message)}`));
      const title = "conversation, each message as [role]: content with its further lines indented";
      return part(title, shown.join("\n"));
    };
  }
  return ({ toolCalls }) => {
    const shown = newest(
      toolCalls.filter(({ call }) => tool === "*" || call.function.name === tool),
    ).map(({ call, result }) =>
      hanging(`[${call.function.name}] ${call.function.arguments}\n${resultText(result)}`)
    );
    const title = "tool calls, each as [tool] arguments with its result indented";
    return part(title, shown.join("\n\n"));
  };
}

function part(title: string, text: string): RubricPart[] {
  return text === "" ? [] : [{ title, text }];
}

/** Indents all lines but the first, whatever ends them. */
function hanging(text: string): string {
  return text.replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, "\n    ");
}

function contentText({ content }: Message): string {
  if (!Array.isArray(content)) return content ?? "";
  return JSON.stringify(content.map((part) => part.type === "text" ? part : { type: "image" }));
}

function resultText({ content }: ToolResult): string {
  return content.map((block) => block.type === "text" ? block.text : "[image]").join("\n");
}

function filePart(
  path: string,
  { place, maxBytes }: { readonly place: string | undefined; readonly maxBytes: number },
): RubricPart {
  if (place === undefined) return unreadable(path, "ENOENT");
  try {
    using file = openWithoutLinks(place);
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
    return { title: isCut ? `${path} (only its first ${maxBytes} bytes)` : path, text };
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Anything but an errno is a fault of ours, or of the machine.
    if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) throw error;
    return unreadable(path, code);
  }
}

function unreadable(path: string, code: string): RubricPart {
  return { title: `${path} (can't be read: ${REASONS[code] ?? code})`, text: "" };
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
