import { KarotteError, messageOf } from "../base/errors.ts";
import { isReachableDirectorySync } from "../base/files.ts";
import { parseJson } from "../base/json_text.ts";

/** JSON text and the name that it has in messages. */
export interface JsonSource {
  /** For example `run config "a.json"`, or `the inline run config`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Returns `value` itself if it starts with a brace, and so is a run config; else reads the file
 * whose path it is. Throws a usage error for a file that can't be read.
 */
export async function readJsonSource(value: string): Promise<JsonSource> {
  // \s covers the byte order mark.
  if (/^\s*\{/.test(value)) return { name: "the inline run config", text: withoutMark(value) };
  const name = `run config "${value}"`;
  const bytes = await readFile(value, name);
  try {
    // Takes the byte order mark off.
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    throw new KarotteError("usage", `Cannot read ${name}: it is not UTF-8 text`, {
      hint: "save it as UTF-8",
      cause: error,
    });
  }
}

/** Throws a usage error with line and column if the text is not JSON, or not of an object. */
export async function parseJsonObject(
  { name, text }: JsonSource,
): Promise<Record<string, unknown>> {
  const read = await parseJson(text);
  if (read.failure !== undefined) {
    const { line, column, reason } = read.failure;
    const place = `line ${line}, column ${column}`;
    throw new KarotteError("usage", `Cannot read ${name}: ${place}: ${reason}`, {
      hint: "it must be JSON: double quotes, no comments, no comma after the last field",
    });
  }
  const { value } = read;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    // JSON.parse makes nothing but string keys.
    return value as Record<string, unknown>;
  }
  throw new KarotteError("usage", `Cannot read ${name}: expected an object, found ${kind(value)}`, {
    hint: 'a run config looks like { "run_id": ..., "task_id": ..., "model": ... }',
  });
}

async function readFile(path: string, name: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    throw new KarotteError("usage", `Cannot read ${name}: ${fileProblem(path, error)}`, {
      hint: "--config takes the path of a JSON file, or JSON text that starts with {",
      cause: error,
    });
  }
}

function fileProblem(path: string, error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "no such file";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  return isReachableDirectorySync(path) ? "it is a directory" : messageOf(error);
}

function withoutMark(text: string): string {
  return text.replace(/^\s*\uFEFF/, "");
}

function kind(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === null ? "null" : `a ${typeof value}`;
}
