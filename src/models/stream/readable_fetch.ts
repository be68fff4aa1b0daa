import { oneLine, plainUrl } from "../../base/one_line.ts";
import { MalformedAnswerError, ReportedError } from "../answer_faults.ts";
import { ReadableEvents } from "./readable_events.ts";
import { isReport } from "./reports.ts";
import type { StreamRules } from "./stream_rules.ts";

/** The bytes that are read of an answer that is no stream. */
const MOST_BODY_BYTES = 64 * 1024;
/** The characters of it that an error shows. */
const SHOWN_CHARS = 200;

/**
 * Returns a `fetch` for the package of an API, which is strict: an answer comes through with the
 * known members of its events alone, and ends when its turn does. One that is no stream of events,
 * whatever it calls itself, rejects with a `MalformedAnswerError`, or a `ReportedError` if it holds
 * the provider's error; so does the body of one that turns out to be wrong. An answer that failed
 * by its status comes through as it is.
 */
export function readableFetch(fetched: typeof fetch, rules: StreamRules): typeof fetch {
  return async (input, init) => {
    const response = await fetched(input, init);
    if (!response.ok) return response;
    const url = input instanceof Request ? input.url : String(input);
    const reader = response.body?.getReader();
    const start = await startOf(reader);
    if (reader === undefined || !isStream(start.text, response.headers)) {
      const body = await wholeBody(reader, start);
      throw noStream(body, { url, headers: response.headers });
    }
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.addEventListener("abort", () => {
      reader.cancel(signal.reason).catch(() => {}); // it has broken by itself
    }, { once: true });
    const { status, statusText, headers } = response;
    const events = new ReadableEvents(reader, { rules, start: start.chunks, headers, signal });
    return new Response(events.stream(), { status, statusText, headers });
  };
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** The beginning of an answer, as far as it takes to tell what it is. */
interface Start {
  readonly chunks: Uint8Array<ArrayBuffer>[];
  /** Without the blanks before it; empty: the answer is over. */
  readonly text: string;
}

async function startOf(reader: Reader | undefined): Promise<Start> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const decoder = new TextDecoder();
  let text = "";
  while (reader !== undefined && text === "") {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    text = (text + decoder.decode(value, { stream: true })).trimStart();
  }
  return { chunks, text };
}

/** Tells a stream of events: pages begin with `<`, JSON with a bracket, and no event does. */
function isStream(text: string, headers: Headers): boolean {
  if (/^[<{[]/.test(text)) return false;
  const isDeclared = /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
  return isDeclared || /^(:|data:|event:|id:|retry:)/.test(text);
}

async function wholeBody(reader: Reader | undefined, { chunks }: Start): Promise<string> {
  const decoder = new TextDecoder();
  let text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
  let isOver = reader === undefined;
  while (reader !== undefined && !isOver && text.length < MOST_BODY_BYTES) {
    const { done, value } = await reader.read();
    isOver = done;
    text += decoder.decode(value, { stream: !done });
  }
  if (!isOver) await reader?.cancel();
  return text;
}

function noStream(body: string, { url, headers }: { url: string; headers: Headers }): Error {
  const value = jsonOf(body);
  if (isReport(value)) return new ReportedError(value, headers);
  const type = headers.get("content-type") ?? "no content type";
  // A page says what it is about in its title, which comes first.
  const said = oneLine(/^\s*</.test(body) ? textOfPage(body) : body, SHOWN_CHARS);
  const what = said === "" ? "nothing" : said;
  return new MalformedAnswerError(
    `${plainUrl(url)} answered with ${oneLine(type, 100)} and no stream of events: ${what}`,
  );
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Gemini sends a list that holds the error.
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return undefined; // no JSON, or nested deeper than can be followed
  }
}

function textOfPage(html: string): string {
  return html.replace(/<(style|script)\b.*?<\/\1>/gis, " ").replace(/<[^>]*>/g, " ");
}
