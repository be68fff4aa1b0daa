import { KarotteError } from "../base/errors.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Turns the user's interrupt into an aborted signal, until it is disposed. */
export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
}

/** Listens from now on: code that was loaded before could still be ended by Ctrl-C. */
export function onInterrupt(): Interrupt {
  const controller = new AbortController();
  const listeners = SIGNALS.map((name) => {
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
