import { pathToFileURL } from "node:url";
import { KarotteError, messageOf } from "../base/errors.ts";
import { isReachableFileSync } from "../base/files.ts";
import { within } from "../base/promises.ts";
import { shownPath } from "../cache/file_tree.ts";

export interface ImportModuleOptions {
  /** What messages call the module. */
  specifier: string;
  /** Milliseconds that its top level may take. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const LATE = Symbol("late");

/**
 * Imports a file and returns its namespace. A top level that throws, whatever it throws, is a
 * `KarotteError` with the place in the author's source, and so is one that does not settle in time:
 * an import can't be taken back, so the caller goes on without it, and what the module does later
 * is ignored. A loop that never waits can't be ended from here.
 */
export async function importModule(
  path: string,
  { specifier, timeoutMs, signal }: ImportModuleOptions,
): Promise<Record<string, unknown>> {
  signal?.throwIfAborted();
  const loading = evaluated(path, specifier);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    const namespace = await Promise.race([within(loading, timeoutMs, LATE), aborted.promise]);
    if (namespace !== LATE) return namespace;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  throw new KarotteError(
    "plugin",
    `Cannot load "${specifier}": its top level did not end within ${timeoutMs / 1000} s`,
    { hint: "Move what waits into a function that is called when it is needed." },
  );
}

async function evaluated(path: string, specifier: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (thrown) {
    const place = placeOf(thrown);
    throw new KarotteError(
      "plugin",
      `Cannot load "${specifier}": ${place === undefined ? "" : `${place}: `}${messageOf(thrown)}`,
      { cause: thrown },
    );
  }
}

/** The first place in a file that the stack names; Deno has applied the source map to it. */
function placeOf(thrown: unknown): string | undefined {
  const stack = stackOf(thrown);
  const [, written, line, column] =
    /^\s+at (?:.*?\()?file:\/\/(\/.*?):(\d+):(\d+)\)?$/m.exec(stack) ?? [];
  if (written === undefined) return undefined;
  // What is a space may be written as one, or as `%20`.
  const path = [written, decoded(written)].find(isReachableFileSync) ?? written;
  return `${shownPath(path)}:${line}:${column}`;
}

function stackOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.stack) : "";
  } catch {
    // A getter of the plugin's own.
    return "";
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
