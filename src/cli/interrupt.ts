import { KarotteError } from "../base/errors.ts";
import { ifThereSync } from "../base/files.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Linux's, of every processor that Deno runs on. */
const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** Turns the user's interrupt into an aborted signal, until it is disposed. */
export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
}

/** Read before plugins are loaded, which may change what is done about signals. */
const ignoredAtStart = ignoredSignals(
  ifThereSync(() => Deno.readTextFileSync("/proc/self/status")) ?? "",
);

/**
 * Listens from now on: what was loaded before could still be ended by Ctrl-C. A signal that this
 * process was started to ignore (`nohup`, a background job of a script) stays ignored.
 */
export function onInterrupt(): Interrupt {
  keepIgnoring();
  const controller = new AbortController();
  const listeners = SIGNALS.filter((name) => !ignoredAtStart.has(name)).map((name) => {
    const listener = () =>
      controller.abort(new KarotteError("interrupted", `Interrupted by ${name}`));
    Deno.addSignalListener(name, listener);
    return () => Deno.removeSignalListener(name, listener);
  });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const remove of listeners) remove();
    },
  };
}

const ignore = () => {};

/** With the first listener for any signal Deno ends the process by all others that have none. */
function keepIgnoring(): void {
  // The same function again adds nothing.
  for (const name of ignoredAtStart) Deno.addSignalListener(name, ignore);
}

/** The names in `SIGNALS` that a process ignores, by the text of its `/proc/PID/status`. */
export function ignoredSignals(status: string): ReadonlySet<typeof SIGNALS[number]> {
  const mask = BigInt(`0x${/^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  return new Set(SIGNALS.filter((name) => mask >> BigInt(NUMBERS[name] - 1) & 1n));
}
