import type { Fault } from "./script.ts";

export interface StreamOptions {
  readonly fault: Fault | undefined;
  readonly errorEvent: (message: string) => string;
  /** Each chunk has so many bytes, wherever characters end; absent: an event a chunk. */
  readonly chunkBytes: number | undefined;
  /** Ends what would wait. */
  readonly signal: AbortSignal;
}

/** The stream of a turn's events, with its fault. */
export function streamOf(
  events: readonly string[],
  options: StreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = chunksOf(events, options);
  return new ReadableStream({
    async pull(controller) {
      // It isn't called again before there is something.
      for (;;) {
        const { done, value } = chunks.next();
        if (done) return controller.close();
        if (value instanceof Uint8Array) return controller.enqueue(value);
        if (value === "break") return controller.error(new Error("the script breaks it off"));
        await pause(value, options.signal);
      }
    },
  }, { highWaterMark: 0 });
}

function pause(ms: number | "forever", signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms === "forever" ? undefined : setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

/** Bytes, a pause in milliseconds, or what ends the stream in no peace. */
function* chunksOf(
  events: readonly string[],
  { fault, errorEvent, chunkBytes }: StreamOptions,
): Generator<Uint8Array<ArrayBuffer> | number | "forever" | "break", undefined> {
  if (fault?.kind === "empty") return;
  if (fault?.kind === "trickle") {
    for (const chunk of cut(events.join(""), fault.bytes)) {
      yield chunk;
      yield fault.pauseMs;
    }
    return;
  }
  const after = fault && "afterEvents" in fault ? fault.afterEvents : Infinity;
  const before = events.slice(0, after);
  if (chunkBytes === undefined) yield* before.map((event) => new TextEncoder().encode(event));
  else yield* cut(before.join(""), chunkBytes);
  const encode = (text: string) => new TextEncoder().encode(text);
  if (fault?.kind === "invalid_json") {
    yield encode(["data: {oh", ...events.slice(after)].join("\n\n"));
  }
  if (fault?.kind === "error_event") yield encode(errorEvent(fault.message ?? "Overloaded"));
  // What was said before has left when the connection goes.
  if (fault?.kind === "break_off") yield 20;
  if (fault?.kind === "break_off") yield "break";
  if (fault?.kind === "hang") yield "forever";
}

function* cut(text: string, bytes: number): Generator<Uint8Array<ArrayBuffer>> {
  const all = new TextEncoder().encode(text);
  for (let start = 0; start < all.length; start += bytes) yield all.slice(start, start + bytes);
}
