/**
 * Metadata of hooks and judges comes from code that may hold the student's output: it is bounded.
 */

const MAX_VALUE_CHARS = 1024 * 1024;
const MAX_TOTAL_CHARS = 4 * 1024 * 1024;
const MAX_TAIL_CHARS = 8192;

/** A judge's metadata: every value as text, within 1 MiB each and 4 MiB in all. */
export function scoringMetadata(
  metadata: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const budget = { left: MAX_TOTAL_CHARS };
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, bounded(textOf(value), budget)]),
  );
}

/** A hook's metadata: JSON values stay what they are while they fit, else they become cut text. */
export function hookMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const budget = { left: MAX_TOTAL_CHARS };
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => {
      const json = JSON.stringify(value) ?? "null";
      if (json.length > Math.min(MAX_VALUE_CHARS, budget.left)) {
        return [key, bounded(textOf(value), budget)];
      }
      budget.left -= json.length;
      return [key, JSON.parse(json)];
    }),
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
}

function bounded(text: string, budget: { left: number }): string {
  const limit = Math.min(MAX_VALUE_CHARS, budget.left);
  if (text.length <= limit) {
    budget.left -= text.length;
    return text;
  }
  const notice = `[cut to ${limit} characters]`;
  const tailLength = Math.min(MAX_TAIL_CHARS, Math.floor(limit / 4));
  const headLength = Math.max(0, limit - tailLength - notice.length);
  const tail = tailLength === 0 ? "" : text.slice(-tailLength);
  budget.left -= headLength + tail.length;
  return `${withoutHalfPair(text.slice(0, headLength), "end")}${notice}${
    withoutHalfPair(tail, "start")
  }`;
}

/** Cutting must not leave half of a surrogate pair. */
function withoutHalfPair(text: string, at: "start" | "end"): string {
  return at === "end" ? text.replace(/[\ud800-\udbff]$/, "") : text.replace(/^[\udc00-\udfff]/, "");
}
