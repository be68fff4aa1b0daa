/** Where two values of JSON differ first: `body.messages[2].content`. */
export interface JsonDifference {
  readonly path: string;
  /** Undefined: it is not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** The first difference, in the order of `before`; undefined if they are the same. */
export function jsonDifference(
  before: unknown,
  after: unknown,
  path: string,
): JsonDifference | undefined {
  if (Object.is(before, after)) return undefined;
  if (!isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after)) {
    return { path, before, after };
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const name of names) {
    const step = Array.isArray(before) ? `[${name}]` : `.${name}`;
    const found = jsonDifference(before[name], after[name], `${path}${step}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const SHOWN_CHARS = 80;

/**
 * Both values for the reader, each at most 80 characters: of two long texts what follows the part
 * that they share.
 */
export function shownDifference({ before, after }: JsonDifference): [string, string] {
  const [one, other] = [shown(before), shown(after)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const start = Math.max(one.length, other.length) <= SHOWN_CHARS ? 0 : Math.max(same - 20, 0);
  return [cut(one, start), cut(other, start)];
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function cut(text: string, start: number): string {
  const end = start + SHOWN_CHARS;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
