import { APICallError } from "@ai-sdk/provider";
import { causesOf, messageOf } from "../base/errors.ts";
import { oneLine, plainUrl } from "../base/one_line.ts";
import { MalformedAnswerError, ReportedError } from "./answer_faults.ts";
import { BrokenStreamError } from "./broken_stream.ts";
import { connectionFault } from "./connection_fault.ts";
import { isContextLength } from "./context_length.ts";
import { type FailureKind, ModelFailure } from "../protocol/model_failure.ts";
import { errorInBody, errorInValue, type ProviderError } from "./provider_error.ts";
import { retryAfterMs } from "./retry_after.ts";
import { validationFault } from "./validation_fault.ts";

/** Comes with 429, but waiting fills no account. */
const QUOTA = /insufficient_(quota|balance|funds|credits?)|billing|payment_required/;

/** The kinds of errors by what providers call them, or a part of it; the first match holds. */
const KINDS: readonly (readonly [RegExp, FailureKind])[] = [
  [/overloaded|rate_?limit|resource_exhausted|too_many_requests/, "rate_limit"],
  [/authentication|permission|invalid_api_key|unauthori[sz]ed/, "authentication"],
  [/deadline_exceeded/, "timeout"],
  [/request_too_large/, "context_length"],
  [/server_error|internal|unavailable|api_error|timeout_error/, "provider"],
  [
    /invalid_(request|argument|prompt|image)|bad_request|not_found|failed_precondition|unsupported/,
    "request",
  ],
];

/** The packages' own errors for an answer that can't be read. */
const UNREADABLE =
  /^AI_(JSONParse|TypeValidation|EmptyResponseBody|InvalidResponseData|NoContentGenerated)Error$/;

/** The statuses that say that nothing is at a URL, or nothing that could be asked. */
const NOWHERE: readonly number[] = [404, 405];

/** Why there is no answer, whoever says so. */
interface Found {
  readonly kind: FailureKind;
  /** What happened, in one line. */
  readonly what: string;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * The failure of one call of a model, from what was thrown or came as an error in the stream; a
 * `ModelFailure` comes back as it is. The message holds at most 500 characters of the provider's
 * words, on one line, and no header and no query of a URL. `url`: where the call went; absent: as
 * the error says.
 */
export function failureOf(error: unknown, about: { id: string; url?: string }): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const found = find(error, about.url);
  return new ModelFailure(`${about.id}: ${found.what}`, { ...found, cause: error });
}

function find(error: unknown, url: string | undefined): Found {
  const chain = causesOf(error);
  const reported = chain.find((each) => each instanceof ReportedError);
  if (reported !== undefined) return inStream(reported.reported, reported.headers);
  const malformed = chain.map(formFault).find((what) => what !== undefined);
  if (malformed !== undefined) return { kind: "malformed", what: malformed };
  if (APICallError.isInstance(error)) return inCall(error, url ?? error.url);
  // An event of the stream, which no package has made an error of, or not even known for one.
  if (!(error instanceof Error)) return inStream(error);
  const fault = connectionFault(error, url);
  if (fault !== undefined) return fault;
  if (chain.at(-1) instanceof BrokenStreamError) {
    return { kind: "provider", what: oneLine(messageOf(chain.at(-1))) };
  }
  if (error instanceof BrokenStreamError) return unreadable(error);
  return { kind: "request", what: oneLine(messageOf(error)) };
}

/** Returns what is wrong with an answer by its form; undefined if the error is of another kind. */
function formFault(error: Error): string | undefined {
  if (error instanceof MalformedAnswerError) return oneLine(error.message);
  const wrong = validationFault(error);
  if (wrong !== undefined) return `an answer of another form: ${oneLine(wrong)}`;
  const isUnreadable = UNREADABLE.test(error.name) || error instanceof SyntaxError;
  return isUnreadable ? unreadable(error).what : undefined;
}

function unreadable(error: Error): Found {
  return {
    kind: "malformed",
    what: `an answer that can't be read: ${oneLine(messageOf(error))}`,
  };
}

function inCall(error: APICallError, url: string): Found {
  const { statusCode, responseBody, responseHeaders } = error;
  if (statusCode !== undefined && statusCode >= 300) return inResponse(error, statusCode);
  // No answer at all, or one that began well and broke off.
  const fault = connectionFault(error, url);
  if (fault !== undefined) return fault;
  if (error.cause !== undefined) return find(error.cause, url);
  const reported = { ...errorInBody(responseBody ?? ""), words: error.message };
  return {
    kind: kindOf(reported),
    what: `error in the stream: ${oneLine(reported.words)}`,
    retryAfterMs: retryAfterMs(responseHeaders, responseBody),
  };
}

function inResponse(error: APICallError, status: number): Found {
  const { responseBody, responseHeaders } = error;
  const reported = errorInBody(responseBody ?? "");
  const words = redirect(error) ?? oneLine(reported.words || error.message);
  // A proxy's URL may hold the path of the API already, which is asked for below it.
  const told = NOWHERE.includes(status) ? `${status} at ${plainUrl(error.url)}` : `${status}`;
  return {
    kind: kindOf({ ...reported, status }),
    what: words === "" ? told : `${told}: ${words}`,
    status,
    retryAfterMs: retryAfterMs(responseHeaders, responseBody),
  };
}

/** Redirects are not followed: the key would go along. */
function redirect({ statusCode = 0, responseHeaders }: APICallError): string | undefined {
  const location = responseHeaders?.location;
  if (statusCode >= 400 || location === undefined) return undefined;
  return oneLine(`the server redirects to ${location}, and redirects are not followed`);
}

function inStream(event: unknown, headers?: Readonly<Record<string, string>>): Found {
  const reported = errorInValue(event);
  const words = oneLine(reported.words || reported.names.join(" ")) || "without a word";
  const kind = kindOf(reported);
  return {
    kind,
    what: `error in the stream: ${words}`,
    status: reported.status ?? (kind === "rate_limit" ? 429 : undefined),
    retryAfterMs: retryAfterMs(headers, JSON.stringify(event)),
  };
}

function kindOf({ status, names, words }: ProviderError): FailureKind {
  if (names.some((name) => QUOTA.test(name))) return "request";
  const kind = kindByStatusOrName(status, names);
  if (kind === "rate_limit" || kind === "authentication") return kind;
  // Words of limits per minute are similar, so this comes after them.
  const isTooLong = status === 413 || isContextLength(`${names.join(" ")} ${words}`);
  return isTooLong ? "context_length" : kind;
}

/** Statuses below 500 say what is wrong, but for 400; above they may be the package's invention. */
function kindByStatusOrName(status: number | undefined, names: readonly string[]): FailureKind {
  const byStatus = status === undefined ? "provider" : kindOfStatus(status);
  if (status !== undefined && status < 500 && status !== 400) return byStatus;
  const byName = KINDS.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  // A server that fails may call it the request's fault; little is lost by another try.
  const isBlame = byName === "request" && status !== undefined && status >= 500;
  return byName === undefined || isBlame ? byStatus : byName;
}

function kindOfStatus(status: number): FailureKind {
  if (status === 429 || status === 529) return "rate_limit";
  if (status === 401 || status === 403) return "authentication";
  if (status === 408) return "timeout";
  return status >= 500 ? "provider" : "request";
}
