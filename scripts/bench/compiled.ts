import { fromFileUrl } from "@std/path";
import { run } from "../../src/base/process.ts";
import type { Measured } from "./measured.ts";
import { median, significant, spread, timesOf } from "./samples.ts";
import { failure } from "./successful.ts";

const BINARY = Deno.env.get("KAROTTE_BINARY") ??
  fromFileUrl(new URL("../../dist/karotte", import.meta.url));
const REASON = `there is no "${BINARY}": deno task compile makes it`;

/** What the compiled program takes to say its version: the least that a command can do. */
export async function measureCompiledVersion(signal: AbortSignal): Promise<Measured> {
  const what = "compiled karotte --version";
  if (sizeOf(BINARY) === undefined) return { what, reason: REASON };
  const [times = []] = await timesOf([printVersion], { rounds: 25, signal });
  return { what, value: median(times), unit: "ms", target: 60, detail: spread(times, "ms") };
}

/** What the compiled program takes on a disk. */
export function measureCompiledSize(): Measured {
  const what = "size of the compiled program";
  const bytes = sizeOf(BINARY);
  if (bytes === undefined) return { what, reason: REASON };
  const detail = `${significant(bytes / 2 ** 20)} MiB`;
  return { what, value: bytes / 1e6, unit: "MB", target: 115, detail };
}

async function printVersion(): Promise<void> {
  const { code, stderr } = await run([BINARY, "--version"]);
  if (code === 0) return;
  throw failure(BINARY, { code, stdout: "", stderr: new TextDecoder().decode(stderr) });
}

/** Undefined: there is no such file. */
function sizeOf(path: string): number | undefined {
  try {
    return Deno.statSync(path).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
