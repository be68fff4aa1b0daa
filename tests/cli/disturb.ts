import { waitFor } from "../conformance/lab.ts";
import { type CallOptions, type Said, startKarotte } from "./karotte.ts";

export interface Disturbance {
  /** What is awaited, and where it is said. */
  readonly until: readonly [stream: "stdout" | "stderr", text: string];
  /** Sent after that; absent: it ends by itself. */
  readonly signal?: Deno.Signal;
  /** Done before the signal, with all that was said on that stream. */
  meanwhile?(said: string): Promise<void>;
}

/** Starts `karotte ARGS...`, disturbs it, and returns what it said after that. */
export async function disturb(
  args: readonly string[],
  options: CallOptions,
  { until: [stream, text], signal, meanwhile }: Disturbance,
): Promise<Said> {
  const child = startKarotte(args, options);
  try {
    const said = await waitFor(child[stream], text);
    await meanwhile?.(said);
    if (signal !== undefined) Deno.kill(child.pid, signal);
    const [stdout, stderr] = await Promise.all([rest(child.stdout), rest(child.stderr)]);
    return { code: (await child.status).code, stdout, stderr };
  } finally {
    child.kill("SIGKILL");
  }
}

/** Of a stream that was read from. */
async function rest(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return (await Array.fromAsync(stream.pipeThrough(new TextDecoderStream()))).join("");
}
