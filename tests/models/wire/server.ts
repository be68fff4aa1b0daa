import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { Complaint, isObject, type WireFormat, type WireRequest } from "./format.ts";
import { gemini } from "./gemini.ts";
import { mistral } from "./mistral.ts";
import { responses } from "./responses.ts";
import type { ScriptedTurn } from "./script.ts";
import { streamOf } from "./stream.ts";

/** The first whose path matches. */
const FORMATS: readonly WireFormat[] = [anthropic, mistral, chat, responses, gemini];

/** One turn after another, or whatever the function says to the request of that index. */
export type Script =
  | readonly ScriptedTurn[]
  | ((request: WireRequest, index: number) => ScriptedTurn | Promise<ScriptedTurn>);

export interface WireServerOptions {
  /** Cuts streams into pieces of so many bytes, wherever that falls. */
  readonly chunkBytes?: number;
  /** Changes the events of a stream, one an entry, before they are sent. */
  readonly edit?: (events: readonly string[], index: number) => readonly string[];
}

export interface WireServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** All that it was asked, refused requests included. */
  readonly requests: readonly WireRequest[];
}

/**
 * A model that speaks the wire formats of the providers, on 127.0.0.1: `/v1/messages`,
 * `/v1/chat/completions`, `/v1/responses`, `/v1beta/models/NAME:streamGenerateContent` and
 * `/mistral/v1/chat/completions`. A request that the real API would refuse is answered with 400 and
 * the reason; so is one after the script's end.
 */
export function wireServer(script: Script, options: WireServerOptions = {}): WireServer {
  const requests: WireRequest[] = [];
  const closing = new AbortController();
  let turns = 0;
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
    // A stream that the script broke off.
    onError: () => new Response(null, { status: 500 }),
  }, async (http) => {
    const path = new URL(http.url).pathname;
    const format = FORMATS.find((format) => format.path.test(path));
    if (!format || http.method !== "POST") {
      await http.body?.cancel();
      return Response.json({ error: { message: `Not found: ${path}` } }, { status: 404 });
    }
    const request = { format: format.name, path, headers: http.headers, body: await bodyOf(http) };
    requests.push(request);
    try {
      if (!isObject(request.body)) throw new Complaint("the body is no JSON object");
      format.check(request);
      const index = turns++;
      const turn = typeof script === "function" ? await script(request, index) : script[index];
      if (!turn) throw new Complaint(`the script has ${index} turns`);
      const { signal } = closing;
      const edit = (events: readonly string[]) => options.edit?.(events, index) ?? events;
      return answer(turn, { format, request, signal, edit, chunkBytes: options.chunkBytes });
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      return Response.json(format.errorBody(400, error.message), { status: 400 });
    }
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.shutdown();
    },
  };
}

interface Answering {
  readonly format: WireFormat;
  readonly request: WireRequest;
  readonly signal: AbortSignal;
  readonly chunkBytes: number | undefined;
  readonly edit: (events: readonly string[]) => readonly string[];
}

function answer(turn: ScriptedTurn, { format, request, edit, ...stream }: Answering): Response {
  const { fault } = turn;
  if (fault?.kind === "status") {
    const said = `scripted failure ${fault.status}`;
    const body = fault.body ?? JSON.stringify(format.errorBody(fault.status, said));
    return new Response(body, {
      status: fault.status,
      headers: { "content-type": "application/json", ...fault.headers },
    });
  }
  const { errorEvent } = format;
  const events = edit(format.events(turn, request));
  return new Response(streamOf(events, { fault, errorEvent, ...stream }), {
    headers: { "content-type": "text/event-stream" },
  });
}

/** Null if it is no JSON. */
async function bodyOf(http: Request): Promise<unknown> {
  try {
    return await http.json();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
