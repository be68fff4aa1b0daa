import { assertEquals } from "@std/assert";
import { retryAfterMs } from "./retry_after.ts";

const NOW = Date.parse("Wed, 21 Oct 2026 07:28:00 GMT");

const HEADERS: readonly (readonly [Record<string, string>, number | undefined])[] = [
  [{ "retry-after": "7" }, 7000],
  [{ "retry-after": " 1.5 " }, 1500],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "86400" }, 300_000],
  [{ "retry-after": "9".repeat(400) }, 300_000],
  [{ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT" }, 30_000],
  [{ "retry-after": "Wed, 21 Oct 2026 07:00:00 GMT" }, 0],
  [{ "retry-after": "Thu, 21 Oct 2027 07:00:00 GMT" }, 300_000],
  [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
  [{ "retry-after-ms": "soon", "retry-after": "1" }, 1000],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "NaN" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{}, undefined],
];

for (const [headers, expected] of HEADERS) {
  Deno.test(`retryAfterMs() reads ${JSON.stringify(headers).slice(0, 70)}`, () => {
    assertEquals(retryAfterMs(headers, undefined, NOW), expected);
  });
}

const BODIES: readonly (readonly [string, number | undefined])[] = [
  ['{"error":{"message":"busy","retry_after":12}}', 12_000],
  ["busy, retry_after=2.5", 2500],
  ['{"retryAfter":"3"}', 3000],
  ['{"retry_after_ms":20}', 20],
  ['{"retry_after_seconds":20}', 20_000],
  [
    '{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}',
    34_500,
  ],
  ["Please try again in 1.2s. Visit", 1200],
  ["Please try again in 350ms. Visit", 350],
  ['{"retry_after":"later"}', undefined],
  ["", undefined],
];

for (const [body, expected] of BODIES) {
  Deno.test(`retryAfterMs() reads ${body.slice(0, 70)} in a body`, () => {
    assertEquals(retryAfterMs({}, body, NOW), expected);
  });
}

Deno.test("retryAfterMs() believes a header rather than a body", () => {
  assertEquals(retryAfterMs({ "retry-after": "1" }, '{"retry_after":9}', NOW), 1000);
});
