/** More than this is not waited, whatever the provider asks. */
const MOST_MS = 300_000;

/** What a body says, in the order of their precision: milliseconds for each. */
const IN_BODY: readonly (readonly [RegExp, number])[] = [
  [/\bretry[_-]?after[_-]?ms["']?\s*[:=]?\s*["']?(\d+(?:\.\d+)?)/i, 1],
  [/\bretry[_-]?after(?:[_-]?seconds)?["']?\s*[:=]?\s*["']?(\d+(?:\.\d+)?)/i, 1000],
  // Google's RetryInfo.
  [/"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/, 1000],
  // OpenAI.
  [/\btry again in (\d+(?:\.\d+)?)\s?ms\b/i, 1],
  [/\btry again in (\d+(?:\.\d+)?)\s?s(?:ec|\b)/i, 1000],
];

/**
 * How long a provider asks to wait, in milliseconds from 0 to 300,000: by `retry-after-ms`, by
 * `retry-after` in seconds or as a date, else by a number in the body. A date that is past is 0.
 * Undefined if it says nothing that can be read.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  body: string | undefined,
  now: number = Date.now(),
): number | undefined {
  const asked = millisecondsOf(headers?.["retry-after-ms"], 1) ??
    millisecondsOf(headers?.["retry-after"], 1000) ??
    untilDate(headers?.["retry-after"], now) ?? inBody(body);
  return asked === undefined ? undefined : Math.min(Math.max(asked, 0), MOST_MS);
}

function millisecondsOf(text: string | undefined, unitMs: number): number | undefined {
  const number = text?.trim();
  return number && /^\d+(\.\d+)?$/.test(number) ? Number(number) * unitMs : undefined;
}

/** Only what looks like a date: `Date.parse` reads "-5" as a year. */
function untilDate(text: string | undefined, now: number): number | undefined {
  if (text === undefined || !/[a-z]{3}.*\d\d:\d\d/i.test(text)) return undefined;
  const then = Date.parse(text);
  return Number.isNaN(then) ? undefined : then - now;
}

function inBody(body: string | undefined): number | undefined {
  if (body === undefined) return undefined;
  for (const [pattern, unitMs] of IN_BODY) {
    const found = pattern.exec(body)?.[1];
    if (found !== undefined) return Number(found) * unitMs;
  }
  return undefined;
}
