import { APICallError, JSONParseError } from "@ai-sdk/provider";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type FailureKind, ModelFailure } from "../protocol/model_failure.ts";
import { failureOf } from "./failure_of.ts";

const about = { id: "anthropic/x" };

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
}

function callError({ status, body, headers, cause }: Answer): APICallError {
  return new APICallError({
    message: "the package's words",
    url: "http://127.0.0.1:4000/v1/messages?key=sk-hidden",
    requestBodyValues: {},
    ...(status === undefined ? {} : { statusCode: status }),
    ...(body === undefined
      ? {}
      : { responseBody: typeof body === "string" ? body : JSON.stringify(body) }),
    responseHeaders: headers ?? {},
    cause,
  });
}

Deno.test("failureOf() says the model, the status and the provider's words", () => {
  const body = { type: "error", error: { type: "rate_limit_error", message: "Slow down" } };
  const failure = failureOf(
    callError({ status: 429, body, headers: { "retry-after": "7" } }),
    about,
  );
  assertEquals(failure.message, "anthropic/x: 429: Slow down");
  assertEquals([failure.kind, failure.status, failure.retryAfterMs], ["rate_limit", 429, 7000]);
});

const BY_STATUS: readonly (readonly [number, FailureKind])[] = [
  [400, "request"],
  [401, "authentication"],
  [402, "request"],
  [403, "authentication"],
  [404, "request"],
  [408, "timeout"],
  [413, "context_length"],
  [422, "request"],
  [429, "rate_limit"],
  [500, "provider"],
  [502, "provider"],
  [503, "provider"],
  [504, "provider"],
  [529, "rate_limit"],
];

for (const [status, kind] of BY_STATUS) {
  Deno.test(`failureOf() takes ${status} for ${kind}`, () => {
    const failure = failureOf(callError({ status, body: "" }), about);
    assertEquals([failure.kind, failure.status], [kind, status]);
    const where = status === 404 ? " at http://127.0.0.1:4000/v1/messages" : "";
    assertEquals(failure.message, `anthropic/x: ${status}${where}: the package's words`);
  });
}

Deno.test("failureOf() believes a status below 500 rather than the error's name", () => {
  const body = { error: { type: "invalid_request_error", message: "Incorrect API key provided" } };
  assertEquals(failureOf(callError({ status: 401, body }), about).kind, "authentication");
  assertEquals(failureOf(callError({ status: 429, body }), about).kind, "rate_limit");
});

Deno.test("failureOf() does not wait for an account to be filled", () => {
  const error = { code: "insufficient_quota", message: "You exceeded your current quota" };
  assertEquals(failureOf(callError({ status: 429, body: { error } }), about).kind, "request");
});

/** One of each provider's own forms, as they come in a stream whose status is 200. */
const IN_STREAM: readonly (readonly [unknown, FailureKind])[] = [
  [{ type: "overloaded_error", message: "Overloaded" }, "rate_limit"],
  [{ type: "api_error", message: "Internal server error" }, "provider"],
  [{ type: "rate_limit_error", message: "Slow down" }, "rate_limit"],
  [{ type: "authentication_error", message: "invalid x-api-key" }, "authentication"],
  [{ type: "invalid_request_error", message: "tools: bad" }, "request"],
  [{ type: "invalid_request_error", message: "prompt is too long: 9 tokens" }, "context_length"],
  [{ message: "The server had an error", type: "server_error", code: null }, "provider"],
  [{ message: "Rate limit reached", type: "tokens", code: "rate_limit_exceeded" }, "rate_limit"],
  [{ type: "error", code: "server_error", message: "failed", sequence_number: 3 }, "provider"],
  [{ type: "response.failed", response: { error: { code: "rate_limit_exceeded" } } }, "rate_limit"],
  [{ code: 429, message: "busy", status: "RESOURCE_EXHAUSTED" }, "rate_limit"],
  [{ code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" }, "provider"],
  [{ error: { message: "busy", code: "503" } }, "provider"],
  ["the engine died", "provider"],
  [{}, "provider"],
  [null, "provider"],
  [undefined, "provider"],
];

for (const [event, kind] of IN_STREAM) {
  Deno.test(`failureOf() takes ${JSON.stringify(event)} in a stream for ${kind}`, () => {
    const failure = failureOf(event, about);
    assertEquals(failure.kind, kind);
    assertStringIncludes(failure.message, "anthropic/x: error in the stream: ");
  });
}

Deno.test("failureOf() believes the stream's error rather than the status that a package made up", () => {
  const body = { type: "rate_limit_error", message: "Slow down" };
  assertEquals(failureOf(callError({ status: 500, body }), about).kind, "rate_limit");
});

Deno.test("failureOf() tries a failing server again even if it blames the request", () => {
  const body = { error: { type: "invalid_request_error", message: "no healthy upstream" } };
  assertEquals(failureOf(callError({ status: 502, body }), about).kind, "provider");
});

Deno.test("failureOf() shows what an HTML page says", () => {
  const body = "<!DOCTYPE html><html><head><title>502 Bad\nGateway</title></head></html>";
  const failure = failureOf(callError({ status: 502, body }), about);
  assertEquals(failure.message, "anthropic/x: 502: 502 Bad Gateway");
});

Deno.test("failureOf() keeps a message to one short line without control characters", () => {
  const message = `\x1b[2J\r\nstop\u202e ${"x".repeat(10_000)}`;
  const failure = failureOf(callError({ status: 500, body: { error: { message } } }), about);
  assertEquals(failure.message.startsWith("anthropic/x: 500: [2J stop xxx"), true);
  assertEquals(failure.message.length, "anthropic/x: 500: ".length + 500);
});

Deno.test("failureOf() shows no query and no credentials of a URL", () => {
  const message = "see https://joe:pass@host.test/v1/models?key=sk-hidden#top for more";
  const body = { error: { message } };
  const failure = failureOf(callError({ status: 400, body }), about);
  assertEquals(failure.message, "anthropic/x: 400: see https://host.test/v1/models for more");
});

Deno.test("failureOf() names where a redirect leads, which is not followed", () => {
  const headers = { location: "https://elsewhere.test/v1?key=sk-hidden" };
  const failure = failureOf(callError({ status: 307, body: "", headers }), about);
  assertEquals(failure.kind, "request");
  assertStringIncludes(failure.message, "307: the server redirects to https://elsewhere.test/v1,");
});

Deno.test("failureOf() survives a body that nests without end", () => {
  const body = `${'{"error":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  assertEquals(failureOf(callError({ status: 500, body }), about).kind, "provider");
});

Deno.test("failureOf() takes an answer that is no JSON for malformed", () => {
  const error = new JSONParseError({ text: "{oops", cause: new SyntaxError("bad") });
  assertEquals(failureOf(error, about).kind, "malformed");
  assertEquals(failureOf(callError({ status: 200, cause: error }), about).kind, "malformed");
});

Deno.test("failureOf() gives a failure back as it is, and keeps what it was made from", () => {
  const failure = new ModelFailure("anthropic/x: empty", { kind: "provider" });
  assertEquals(failureOf(failure, about), failure);
  const error = new Error("no such thing");
  assertEquals(failureOf(error, about).cause, error);
  assertEquals(failureOf(error, about).kind, "request");
});

Deno.test("failureOf() does not repeat a header that HTTP forbids", () => {
  const error = new TypeError('Invalid header value: "sk-hidden\nx"');
  const failure = failureOf(error, about);
  assertEquals([failure.kind, failure.message.includes("sk-hidden")], ["request", false]);
});
