/** A port that passes every connection on to another port, and can break one. */
export class BreakablePort implements AsyncDisposable {
  readonly #target: number;
  readonly #listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  /** By the port that the target sees. */
  readonly #callers = new Map<number, Deno.TcpConn>();
  readonly #relaying = new Set<Promise<unknown>>();
  readonly #accepting: Promise<void>;

  constructor(target: number) {
    this.#target = target;
    this.#accepting = this.#accept();
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  /** Closes the caller's side of the connection that the target sees as coming from `port`. */
  break(port: number): void {
    const caller = this.#callers.get(port);
    this.#callers.delete(port);
    caller?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const port of [...this.#callers.keys()]) this.break(port);
    await this.#accepting;
    await Promise.all(this.#relaying);
  }

  async #accept(): Promise<void> {
    for await (const caller of this.#listener) {
      const relaying = this.#relay(caller).finally(() => this.#relaying.delete(relaying));
      this.#relaying.add(relaying);
    }
  }

  async #relay(caller: Deno.TcpConn): Promise<void> {
    const target = await Deno.connect({ port: this.#target, hostname: "127.0.0.1" });
    const { port } = target.localAddr;
    this.#callers.set(port, caller);
    // A side that goes away takes the other with it.
    await Promise.allSettled([
      caller.readable.pipeTo(target.writable),
      target.readable.pipeTo(caller.writable),
    ]);
    this.#callers.delete(port);
  }
}
