import { messageOf } from "../../base/errors.ts";

/** What a scoring program wrote. */
export interface Verdict {
  readonly score: number;
  readonly metadata: Record<string, string>;
}

/** Far more than a score and its reasons; the whole verdict travels in one message. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads the file that a scoring program wrote. A file that is missing, not JSON or without score
 * and metadata is a `problem`: the program did not finish its work. A score that is not a finite
 * number, or metadata that is not an object, is a fault in the program: throws.
 */
export async function readVerdict(path: string): Promise<Verdict | { problem: string }> {
  let text: string;
  try {
    text = await readText(path);
  } catch (error) {
    return { problem: messageOf(error) };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Python's json module writes these, and they are not JSON.
    const notFinite = /"score"\s*:\s*(-?(?:NaN|Infinity))\b/.exec(text)?.[1];
    if (notFinite !== undefined) throw notANumber(notFinite);
    return { problem: messageOf(error) };
  }
  if (!isObject(value)) return { problem: "expected an object with score and metadata" };
  for (const key of ["score", "metadata"]) {
    if (!Object.hasOwn(value, key)) return { problem: `"${key}" is missing` };
  }
  const { score, metadata } = value;
  if (typeof score !== "number" || !Number.isFinite(score)) throw notANumber(JSON.stringify(score));
  if (!isObject(metadata)) {
    throw new TypeError("A scoring program's metadata is not an object");
  }
  return { score, metadata: textValues(metadata) };
}

async function readText(path: string): Promise<string> {
  const info = await Deno.lstat(path);
  // Opening a FIFO would wait for ever.
  if (!info.isFile) throw new Error("the verdict is not a regular file");
  if (info.size > MAX_BYTES) throw new Error(`the verdict is larger than ${MAX_BYTES} bytes`);
  const bytes = await Deno.readFile(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error("the verdict is not UTF-8 text", { cause: error });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textValues(metadata: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map((
      [key, value],
    ) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

function notANumber(score: string): TypeError {
  return new TypeError(`A scoring program's score is not a finite number: ${score}`);
}
