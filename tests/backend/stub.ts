import { BreakablePort } from "./breakable_port.ts";

/** What a call does in place of what it should. */
export type Fault =
  /** Answers with a status and does nothing. */
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  /** Reads the request, does nothing and breaks the connection. */
  | "break"
  /** Does what it is asked and breaks the connection before the answer. */
  | "do and break"
  /** Never answers. */
  | "hang";

export interface StubCall {
  readonly method: string;
  /** The last part of the path. */
  readonly name: string;
  readonly authorization: string | undefined;
}

export interface StubOptions {
  readonly runId?: string;
  /** What each call must carry; undefined: no header at all. */
  token?: string | undefined;
}

/** A backend that takes nothing that is not exactly as agreed: `problems` says what was not. */
export class StubBackend implements AsyncDisposable {
  readonly calls: StubCall[] = [];
  readonly problems: string[] = [];
  /** Undefined until the transcript is created. */
  events: Record<string, unknown>[] | undefined;
  readonly states: Record<string, unknown>[] = [];
  /** What the external agent has sent; the first is the next one. */
  readonly messages: unknown[] = [];
  /** What was uploaded, unpacked, by path. */
  readonly artifacts = new Map<string, string>();
  /** Paths for which it gives no address. */
  readonly withoutAddress = new Set<string>();
  token: string | undefined;
  /** Takes an event for a slot beyond the next one. */
  takesGaps = false;
  #hasLost = false;
  readonly #runId: string;
  readonly #faults = new Map<string, Fault[]>();
  readonly #over = Promise.withResolvers<void>();
  readonly #server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request, { remoteAddr }) => this.#handle(request, remoteAddr.port),
  );
  readonly #port = new BreakablePort(this.#server.addr.port);

  constructor({ runId = "r1", token }: StubOptions = {}) {
    this.#runId = runId;
    this.token = token;
  }

  get uri(): string {
    return `http://127.0.0.1:${this.#port.port}`;
  }

  /** The next calls of that name fail like this, one after the other. */
  fail(name: string, ...faults: readonly Fault[]): void {
    this.#faults.set(name, [...this.#faults.get(name) ?? [], ...faults]);
  }

  /** Comes back with the first events only; undefined: without the transcript. */
  lose(left: number | undefined): void {
    this.events = left === undefined ? undefined : this.events?.slice(0, left);
    this.#hasLost = true;
  }

  count(name: string): number {
    return this.calls.filter((call) => call.name === name).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.resolve();
    await this.#port[Symbol.asyncDispose]();
    await this.#server.shutdown();
  }

  async #handle(request: Request, port: number): Promise<Response> {
    const url = new URL(request.url);
    const isStorage = url.pathname.startsWith("/storage/");
    const name = isStorage ? "put" : url.pathname.split("/").at(-1) ?? "";
    const authorization = request.headers.get("authorization") ?? undefined;
    this.calls.push({ method: request.method, name, authorization });
    const fault = this.#faults.get(name)?.shift();
    if (typeof fault === "object") {
      const { status, body = "", headers = {} } = fault;
      return new Response(body, { status, headers });
    }
    const body = new Uint8Array(await request.arrayBuffer());
    if (fault === "hang") await this.#over.promise;
    if (fault === "hang" || fault === "break") return this.#break(port);
    const answer = isStorage
      ? await this.#store(url, { request, body })
      : this.#answer(url, { request, body });
    if (fault === "do and break") return this.#break(port);
    return answer.body === undefined
      ? new Response("", answer)
      : Response.json(answer.body, answer);
  }

  /** The answer is for nobody. */
  #break(port: number): Response {
    this.#port.break(port);
    return new Response();
  }

  #answer(url: URL, { request, body }: { request: Request; body: Uint8Array }): Result {
    const expected = this.token === undefined ? undefined : `Bearer ${this.token}`;
    if ((request.headers.get("authorization") ?? undefined) !== expected) return { status: 401 };
    if (url.searchParams.get("run_id") !== this.#runId) this.problems.push(`run_id: ${url}`);
    const call = `${request.method} ${url.pathname}`;
    const text = new TextDecoder().decode(body);
    if (text !== "" && request.headers.get("content-type") !== "application/json") {
      this.problems.push(`${call}: content-type ${request.headers.get("content-type")}`);
    }
    const content = text === "" ? undefined : JSON.parse(text);
    switch (call) {
      case "POST /api/internal/create_transcript":
        if (this.events) return { status: 409 };
        this.events = [];
        return { status: 200, body: {} };
      case "GET /api/internal/transcript_length":
        // Holes do not count.
        return this.events
          ? { status: 200, body: Object.keys(this.events).length }
          : { status: 404 };
      case "POST /api/internal/append_transcript":
        return this.#append(content);
      case "POST /api/internal/update_run_state":
        this.#check(call, content, STATE_KEYS);
        this.states.push(content);
        return { status: 200, body: {} };
      case "GET /api/internal/get_message":
        return this.messages.length === 0
          ? { status: 404 }
          : { status: 200, body: this.messages[0] };
      case "POST /api/internal/delete_message":
        return this.messages.length === 0
          ? { status: 404 }
          : { status: 200, body: { deleted: this.messages.shift() !== undefined } };
      case "POST /api/artifacts/presign":
        return this.#presign(content);
      default:
        this.problems.push(`unknown call ${call}`);
        return { status: 404 };
    }
  }

  #append(content: { event: Record<string, unknown>; seq: number }): Result {
    this.#check("append_transcript", content, ["event", "seq"]);
    const { events } = this;
    if (!events || (content.seq > events.length && !this.takesGaps)) {
      if (!this.#hasLost) this.problems.push(`seq ${content.seq} where ${events?.length} was due`);
      return { status: events ? 409 : 404 };
    }
    events[content.seq] = content.event;
    return { status: 200, body: {} };
  }

  #presign(content: { run_id: string; artifact_paths: string[] }): Result {
    this.#check("presign", content, ["run_id", "artifact_paths"]);
    if (content.run_id !== this.#runId) this.problems.push(`presign for ${content.run_id}`);
    const paths = content.artifact_paths.filter((path) => !this.withoutAddress.has(path));
    const address = (path: string) =>
      `${this.uri}/storage/${encodeURIComponent(path)}?signature=very-secret`;
    return {
      status: 200,
      body: { presigned_urls: Object.fromEntries(paths.map((path) => [path, address(path)])) },
    };
  }

  async #store(
    url: URL,
    { request, body }: { request: Request; body: Uint8Array<ArrayBuffer> },
  ): Promise<Result> {
    if (request.method !== "PUT") this.problems.push(`${request.method} to the storage`);
    if (request.headers.has("authorization")) this.problems.push("the storage was sent the token");
    if (request.headers.get("content-encoding") !== "gzip") this.problems.push("not gzip");
    const unpacked = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip"));
    const path = decodeURIComponent(url.pathname.slice("/storage/".length));
    this.artifacts.set(path, await new Response(unpacked).text());
    return { status: 200 };
  }

  #check(call: string, content: unknown, keys: readonly string[]): void {
    const found = Object.keys(content ?? {});
    if (found.join() !== keys.join()) {
      this.problems.push(`${call} with ${found.join() || "nothing"}`);
    }
  }
}

interface Result {
  readonly status: number;
  readonly body?: unknown;
}

const STATE_KEYS = [
  "status",
  "score",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
];
