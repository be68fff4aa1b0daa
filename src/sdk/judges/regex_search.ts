/** Plain JavaScript: a data: URL works from source, in a bundle and in a compiled program alike. */
const WORKER = `
  let text = "";
  onmessage = ({ data }) => {
    if (typeof data === "string") text = data;
    else postMessage(new RegExp(data.source, data.flags).test(text));
  };
`;

/**
 * Searches one text for patterns in a thread of its own, so that a pattern that does not come to
 * an end (`/^(\w+\s?)+$/` on thirty letters) can be stopped.
 */
export class RegexSearch implements Disposable {
  readonly #text: string;
  #worker: Worker | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Whether the pattern is found from the start of the text on; "timeout" if that is not known
   * after `timeoutMs` milliseconds. One search at a time. Throws the signal's reason when aborted.
   */
  test(
    pattern: RegExp,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<boolean | "timeout"> {
    const { timeoutMs, signal } = options;
    signal.throwIfAborted();
    const worker = this.#worker ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<boolean | "timeout">();
    const stop = () => {
      this[Symbol.dispose]();
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      this[Symbol.dispose]();
      resolve("timeout");
    }, timeoutMs);
    signal.addEventListener("abort", stop);
    worker.onmessage = ({ data }) => resolve(data === true);
    worker.onerror = (event) => {
      event.preventDefault();
      this[Symbol.dispose]();
      reject(new Error(`Cannot search for ${pattern}: ${event.message}`));
    };
    // A new object on the other side: no state of a global or sticky pattern comes along.
    worker.postMessage({ source: pattern.source, flags: pattern.flags });
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    });
  }

  [Symbol.dispose](): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const url = `data:text/javascript,${encodeURIComponent(WORKER)}`;
    const worker = new Worker(url, { type: "module" });
    worker.postMessage(this.#text);
    return worker;
  }
}
