import { BlobReceiver, type BlobSink, sendBlob, utf8Pieces } from "./rpc_blobs.ts";
import { messageOf } from "./errors.ts";
import { LineError, type ReadBytes, readLines } from "./ndjson.ts";
import { messageIn, type RpcMessage, shown } from "./rpc_message.ts";

/**
 * One end of a channel: newline-delimited JSON-RPC 2.0, requests and notifications both ways.
 * Params and results above 1 MiB travel as a blob in chunks, so that nothing blocks the line for
 * long.
 */

export interface RpcTransport {
  read: ReadBytes;
  /** Resolves when the other side has taken the bytes: this is the back-pressure. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Ends our side; the other one sees the end of its stream. */
  close(): Promise<void>;
}

export interface RpcCall {
  /** Aborted when the caller cancelled the request or the channel broke. */
  readonly signal: AbortSignal;
}

export interface RpcHandlers {
  /** By method. An error that one throws becomes the caller's `RpcRefusal`. */
  readonly requests: Readonly<Record<string, (params: unknown, call: RpcCall) => unknown>>;
  readonly notifications: Readonly<Record<string, (params: unknown) => void>>;
  /** Opens the sink for a blob that is no part of a message; throws to refuse it. */
  openBlob?(about: unknown): BlobSink | Promise<BlobSink>;
}

/** The way in which a channel came to its end. */
export type ChannelErrorKind =
  /** The other side closed it in order. */
  | "closed"
  /** It ended in the middle of a line, or can't be read or written: the other side is gone. */
  | "lost"
  /** The other side sent something that the rules forbid. */
  | "violation";

/** An error of the channel itself: nothing that was asked will be answered any more. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
  readonly kind: ChannelErrorKind;

  /** Without a `kind` it is a violation. */
  constructor(message: string, options: { kind?: ChannelErrorKind; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = options.kind ?? "violation";
  }
}

/** An error that the other side's handler threw. */
export class RpcRefusal extends Error {
  override readonly name = "RpcRefusal";
}

/** The longest line that is taken, in bytes. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** The longest params or result that travel in their message, in characters; longer are a blob. */
const MAX_INLINE_CHARS = 1024 * 1024;
/** The most that they may hold as a blob, in bytes. */
const MAX_VALUE_BYTES = 256 * 1024 * 1024;
/** The most characters of a refusal's words that are told. */
const MAX_REFUSAL_CHARS = 64 * 1024;
/** Requests of the other side that may be under way before we stop reading. */
const MAX_CALLS = 256;
const CANCELLED = -32800;
const REFUSED = -32000;

interface Pending {
  method: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class RpcPeer {
  readonly #transport: RpcTransport;
  readonly #handlers: RpcHandlers;
  readonly #blobs: BlobReceiver;
  readonly #pending = new Map<number, Pending>();
  readonly #calls = new Map<number | string, AbortController>();
  readonly #closed = Promise.withResolvers<void>();
  #nextId = 1;
  #nextBlob = 1;
  /** The last value that leaves as a blob: one after the other, or the other side has too many. */
  #lastValue: Promise<unknown> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();
  readonly #writers = new Set<(error: ChannelError) => void>();
  #fault: ChannelError | undefined;
  #room = Promise.withResolvers<void>();
  #lastReceivedAt = performance.now();

  /** Starts reading at once. */
  constructor(transport: RpcTransport, handlers: RpcHandlers) {
    this.#transport = transport;
    this.#handlers = handlers;
    this.#blobs = new BlobReceiver(MAX_VALUE_BYTES, (about) => this.#openBlob(about));
    this.#closed.promise.catch(() => {}); // whoever awaits `closed` sees it; nobody has to
    this.#readAll();
  }

  /** Resolves when the other side closed the channel in order, rejects with a `ChannelError`. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** The time of the last line: milliseconds on the clock of `performance.now()`. */
  get lastReceivedAt(): number {
    return this.#lastReceivedAt;
  }

  /** Asks and awaits the answer. Throws `RpcRefusal`, `ChannelError`, or the signal's reason. */
  async request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    return await (await this.send(method, params, signal)).answer;
  }

  /** Like `request`, but resolves as soon as the request is written: this keeps an order. */
  async send(
    method: string,
    params: unknown,
    signal?: AbortSignal,
  ): Promise<{ answer: Promise<unknown> }> {
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    promise.catch(() => {}); // may fail before the caller has got it
    const cancel = () => {
      this.#pending.delete(id);
      reject(signal?.reason);
      // The channel's fault, if that is why this fails, is told by `closed`.
      this.#write({ method: "$/cancel", params: { id } }).catch(() => {});
    };
    signal?.addEventListener("abort", cancel, { once: true });
    const done = () => signal?.removeEventListener("abort", cancel);
    this.#pending.set(id, {
      method,
      resolve: (value) => (done(), resolve(value)),
      reject: (error) => (done(), reject(error)),
    });
    await this.#sendMessage({ id, method }, params);
    return { answer: promise };
  }

  /** Tells without an answer; resolves when it is written. */
  async notify(method: string, params: unknown): Promise<void> {
    await this.#sendMessage({ method }, params);
  }

  /** Sends a stream; resolves when the other side has stored it all. Throws as `request` does. */
  async sendBlob(about: unknown, source: AsyncIterable<Uint8Array>): Promise<void> {
    await sendBlob(
      (method, params) => this.send(method, params),
      { blob: `b${this.#nextBlob++}`, about },
      source,
    );
  }

  /** Ends our side of the channel after what is being written. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#transport.close();
  }

  async #sendMessage(head: { id?: number; method: string }, params: unknown): Promise<void> {
    await this.#writeWith(head, "params", await this.#fit(params));
  }

  /** A value as JSON; one that is long goes ahead as a blob, and its name stands for it. */
  async #fit(value: unknown): Promise<string> {
    const text = JSON.stringify(value) ?? "null";
    if (text.length <= MAX_INLINE_CHARS) return text;
    const blob = `b${this.#nextBlob++}`;
    const sent = this.#lastValue.then(() =>
      sendBlob(
        (method, params) => this.send(method, params),
        { blob, about: { value: blob } },
        utf8Pieces(text),
      )
    );
    this.#lastValue = sent.catch(() => {}); // told by `sent`
    await sent;
    return JSON.stringify({ $blob: blob });
  }

  #writeWith(
    head: Record<string, unknown>,
    member: "params" | "result",
    value: string,
  ): Promise<void> {
    const start = JSON.stringify({ jsonrpc: "2.0", ...head }).slice(0, -1);
    return this.#writeLine(`${start},"${member}":${value}}\n`);
  }

  #write(message: Record<string, unknown>): Promise<void> {
    return this.#writeLine(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #writeLine(line: string): Promise<void> {
    if (this.#fault) return Promise.reject(this.#fault);
    const bytes = new TextEncoder().encode(line);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // A write that the other side never takes must not outlive a broken channel.
    this.#writers.add(reject);
    this.#writing = this.#writing.then(() => this.#transport.write(bytes)).then(
      resolve,
      (error) => {
        const message = `Cannot write to the channel: ${messageOf(error)}`;
        this.#fail(new ChannelError(message, { kind: "lost" }));
      },
    ).finally(() => this.#writers.delete(reject));
    return promise;
  }

  async #readAll(): Promise<void> {
    try {
      for await (
        const line of readLines(this.#transport.read, { maxBytes: MAX_LINE_BYTES })
      ) {
        this.#lastReceivedAt = performance.now();
        this.#receive(line);
        while (this.#calls.size >= MAX_CALLS && !this.#fault) await this.#room.promise;
        if (this.#fault) return;
      }
      this.#end();
    } catch (error) {
      this.#fail(channelErrorOf(error));
    }
  }

  #receive(line: Uint8Array): void {
    const message = messageIn(line);
    if (typeof message === "string") throw new ChannelError(message);
    if (message.method === undefined) return this.#receiveAnswer(message);
    const { id, method } = message;
    if (id === undefined) return this.#receiveNotification(method, message.params);
    const handler = this.#blobs.handlers[method] ?? own(this.#handlers.requests, method);
    if (!handler) throw new ChannelError(`Unknown request "${shown(method)}" on the channel`);
    if (this.#calls.has(id)) throw new ChannelError(`Request id ${id} is used twice`);
    const controller = new AbortController();
    this.#calls.set(id, controller);
    this.#answer(id, controller, async () => {
      const params = this.#blobs.resolve(message.params);
      return await handler(params, { signal: controller.signal });
    });
  }

  async #answer(id: number | string, call: AbortController, body: () => unknown): Promise<void> {
    try {
      const result = await this.#fit(await this.#resultOf(id, body));
      await this.#writeWith({ id }, "result", result);
    } catch (error) {
      if (error instanceof ChannelError) this.#fail(error);
      const code = call.signal.aborted ? CANCELLED : REFUSED;
      const message = messageOf(error).slice(0, MAX_REFUSAL_CHARS);
      // A channel that broke meanwhile is told by `closed`.
      await this.#write({ id, error: { code, message } }).catch(() => {});
    }
  }

  /** The call is over with it: a result's way out must hold up nothing that comes in. */
  async #resultOf(id: number | string, body: () => unknown): Promise<unknown> {
    try {
      return await body();
    } finally {
      this.#calls.delete(id);
      this.#room.resolve();
      this.#room = Promise.withResolvers<void>();
    }
  }

  #receiveNotification(method: string, params: unknown): void {
    if (method === "$/cancel") {
      const id = (params as { id?: number | string } | null)?.id;
      if (id !== undefined) this.#calls.get(id)?.abort(new Error("the caller cancelled"));
      return;
    }
    const handler = own(this.#handlers.notifications, method);
    if (!handler) throw new ChannelError(`Unknown notification "${shown(method)}" on the channel`);
    handler(this.#blobs.resolve(params));
  }

  #receiveAnswer(message: RpcMessage): void {
    const pending = this.#pending.get(Number(message.id));
    this.#pending.delete(Number(message.id));
    if (message.error) {
      return pending?.reject(new RpcRefusal(String(message.error.message ?? "refused")));
    }
    // Taken also where nobody waits any more: the call was cancelled, or is none of ours.
    const result = this.#blobs.resolve(message.result);
    pending?.resolve(result);
  }

  #openBlob(about: unknown): BlobSink | Promise<BlobSink> {
    if (!this.#handlers.openBlob) throw new Error("no blobs are taken here");
    return this.#handlers.openBlob(about);
  }

  #end(): void {
    this.#settle(new ChannelError("The channel was closed", { kind: "closed" }));
    this.#closed.resolve();
  }

  #fail(error: ChannelError): void {
    if (this.#fault) return;
    this.#settle(error);
    this.#closed.reject(error);
  }

  #settle(fault: ChannelError): void {
    this.#fault ??= fault;
    for (const { reject } of this.#pending.values()) reject(this.#fault);
    this.#pending.clear();
    for (const reject of this.#writers) reject(this.#fault);
    for (const call of this.#calls.values()) call.abort(this.#fault);
    this.#room.resolve();
    this.#blobs.abort();
  }
}

function channelErrorOf(error: unknown): ChannelError {
  if (error instanceof ChannelError) return error;
  if (error instanceof LineError) {
    const start = shown(new TextDecoder().decode(error.start));
    return new ChannelError(`The channel broke: ${error.message}, starting "${start}"`, {
      kind: error.fault === "torn" ? "lost" : "violation",
    });
  }
  const message = `Cannot read from the channel: ${messageOf(error)}`;
  return new ChannelError(message, { kind: "lost", cause: error });
}

/** Returns an own property, never one of Object.prototype: the names come from the other side. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
