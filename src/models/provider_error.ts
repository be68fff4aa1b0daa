/** Nothing above this is looked at: an error page may be of any size. */
const READ_CHARS = 64 * 1024;

/** The error that a provider reports, in the body of a response or as an event in a stream. */
export interface ProviderError {
  /** Its sentence for the reader; empty if it has none. */
  readonly words: string;
  /** What it calls this kind of error, in lower case: its `type`, `code` and `status`. */
  readonly names: readonly string[];
  /** A `code` or `status` that is the number of an HTTP error. */
  readonly status: number | undefined;
}

/** Reads the body of a response that is an error: any provider's JSON, HTML, or plain text. */
export function errorInBody(body: string): ProviderError {
  try {
    return errorInValue(JSON.parse(body));
  } catch {
    // No JSON, or nested deeper than can be followed: then it is text.
    const text = body.slice(0, READ_CHARS).trim();
    return onlyWords(text.startsWith("<") ? textOfPage(text) : text);
  }
}

/** Reads an error that is a value already. */
export function errorInValue(value: unknown): ProviderError {
  if (typeof value === "string") return onlyWords(value);
  // Gemini sends a list that holds the error.
  if (Array.isArray(value)) return errorInValue(value[0]);
  if (typeof value !== "object" || value === null) return onlyWords("");
  // The cast only says that it has properties: each may be missing or of any type.
  const { error, response, ...own } = value as Record<string, unknown>;
  const within = errorInValue(error ?? errorOf(response));
  const codes = [own.type, own.code, own.status, own.statusCode];
  const names = codes.filter((code) => typeof code === "string").map((name) => name.toLowerCase());
  const status = codes.map(Number).find((code) => code >= 400 && code < 600);
  return {
    words: within.words || sentenceIn(own),
    names: [...within.names, ...names],
    status: within.status ?? status,
  };
}

function onlyWords(words: string): ProviderError {
  return { words: words.slice(0, READ_CHARS), names: [], status: undefined };
}

/** OpenAI's `response.failed` has the error one level down. */
function errorOf(response: unknown): unknown {
  return typeof response === "object" && response !== null && "error" in response
    ? response.error
    : undefined;
}

function sentenceIn(own: Record<string, unknown>): string {
  const { message, detail, msg } = own;
  const sentence = message ?? detail ?? msg ?? "";
  if (typeof sentence === "string") return sentence.slice(0, READ_CHARS);
  // FastAPI lists what is wrong with a request, and repeats the request in there.
  return errorInValue(sentence).words;
}

/** The title says what an error page is about; without one, its text. */
function textOfPage(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim();
  return title || html.replace(/<(style|script)\b.*?<\/\1>/gis, " ").replace(/<[^>]*>/g, " ");
}
