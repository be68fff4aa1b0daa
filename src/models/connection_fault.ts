import { causesOf, messageOf } from "../base/errors.ts";
import { oneLine, plainUrl } from "../base/one_line.ts";
import type { FailureKind } from "../protocol/model_failure.ts";
import { AnswerTooLongError } from "./model_fetch.ts";

/** Why there is no whole answer. */
export interface ConnectionFault {
  readonly kind: FailureKind;
  /** What happened, in one line. */
  readonly what: string;
}

/** What `fetch` says, as part of its message or its cause's, in Deno's words since 2.6. */
const FAULTS: readonly (readonly [RegExp, FailureKind])[] = [
  // A name server that gives no answer now may give one later.
  [/temporary failure in name resolution/i, "connection"],
  [/connection refused|dns error|failed to lookup address|network is unreachable/i, "unreachable"],
  // It would be the same certificate, or the same plain HTTP, the next time.
  [
    /invalid peer certificate|invalidcontenttype|url scheme .* not supported|invalid url/i,
    "request",
  ],
  [/requests to port \d+ are blocked|proxy authorization required/i, "request"],
  [/timed out|timeout|deadline has elapsed/i, "timeout"],
  [
    /error sending request|reading a body|connection|broken pipe|fetch failed|body stream/i,
    "connection",
  ],
];

const OF_FETCH = /error sending request|error reading a body|fetch failed|cannot connect to api/i;

/**
 * What broke between here and the server at `url`, if `error` is of that kind; else undefined.
 * Looks at the error and at its causes.
 */
export function connectionFault(error: unknown, url?: string): ConnectionFault | undefined {
  const chain = causesOf(error);
  const late = chain.find(({ name }) => name === "TimeoutError");
  if (late !== undefined) return { kind: "timeout", what: `no answer in time: ${late.message}` };
  const tooLong = chain.find((each) => each instanceof AnswerTooLongError);
  if (tooLong !== undefined) return { kind: "request", what: tooLong.message };
  const said = chain.map(messageOf);
  // Deno quotes the value, which may be a key.
  if (said.some((message) => /^invalid header/i.test(message))) {
    return { kind: "request", what: "the key holds a character that no header may hold" };
  }
  // Packages unwrap the error of `fetch`: then its words are all that tells it.
  if (!chain.some((each) => each instanceof TypeError || OF_FETCH.test(messageOf(each)))) {
    return undefined;
  }
  for (const [pattern, kind] of FAULTS) {
    const message = said.find((each) => pattern.test(each));
    if (message !== undefined) return { kind, what: told(kind, detail(said.at(-1)!), url) };
  }
  return undefined;
}

function told(kind: FailureKind, cause: string, url: string | undefined): string {
  const server = url === undefined ? "the server" : plainUrl(url);
  if (kind === "connection") return `the connection to ${server} broke: ${cause}`;
  if (!/invalid peer certificate/.test(cause)) return `can't reach ${server}: ${cause}`;
  return `can't reach ${server}: ${cause}; SSL_CERT_FILE may name the certificate of its authority`;
}

/** Deno's message without the addresses that it begins with. */
function detail(message: string): string {
  return oneLine(/client error \(\w+\): (.*)$/s.exec(message)?.[1] ?? message);
}
