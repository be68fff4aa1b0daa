/**
 * A signal that fires with another one, or after some time. Disposed, it fires too: what is still
 * under way then is of no use to anybody.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #milliseconds: number;
  readonly #reason: () => Error;
  readonly #onAbort = () => this.#controller.abort(this.#outer.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    milliseconds: number,
    options: { signal: AbortSignal; reason: () => Error },
  ) {
    this.#milliseconds = milliseconds;
    this.#outer = options.signal;
    this.#reason = options.reason;
    this.#outer.addEventListener("abort", this.#onAbort, { once: true });
    if (this.#outer.aborted) this.#onAbort();
    else this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something moved: the whole time is left again. */
  restart(): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    this.#timer = setTimeout(() => this.#controller.abort(this.#reason()), this.#milliseconds);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#onAbort);
    this.#controller.abort(new Error("It is over"));
  }
}
