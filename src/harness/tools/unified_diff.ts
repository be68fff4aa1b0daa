import { cutToJsonBytes } from "./text_limit.ts";

const CONTEXT_LINES = 3;
/** Changes with at most so many unchanged lines between them share a hunk. */
const MAX_GAP_LINES = 2 * CONTEXT_LINES;
const MAX_SHOWN = 50;
const MAX_DIFF_BYTES = 64 * 1024;

/** A literal replacement in a text. */
export interface Replacement {
  readonly path: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
  /** Occurrences replaced: 1, or all that there are. */
  readonly count: number;
}

/** Whole lines that change: `start` and `end` are offsets in the old text. */
interface Block {
  start: number;
  end: number;
  replaced: string;
  /** Occurrences inside. */
  count: number;
}

/**
 * The unified diff of a literal replacement: the first 50 occurrences (and what else their lines
 * hold), the rest as a number; at most 64 KiB as JSON. Takes time in proportion to what it shows
 * and to the text before it, however many occurrences there are.
 */
export function unifiedDiff(replacement: Replacement): string {
  const blocks = findBlocks(replacement);
  const shown = blocks.reduce((sum, { count }) => sum + count, 0);
  const changed = blocks.flatMap((block) => trimmed(replacement.text, block) ?? []);
  if (changed.length === 0) return "";
  const header = `--- ${replacement.path}\n+++ ${replacement.path}\n`;
  const rest = replacement.count - shown;
  const diff = header + hunks(replacement.text, changed) +
    (rest > 0 ? `(${rest} more replacements are not shown)\n` : "");
  const cut = cutToJsonBytes(diff, MAX_DIFF_BYTES);
  return cut.length < diff.length ? `${cut}\n(the diff was cut)\n` : diff;
}

/** The lines around each occurrence; occurrences that touch the same lines are one block. */
function findBlocks({ text, old, new: replacement, count }: Replacement): Block[] {
  const blocks: Block[] = [];
  let shown = 0;
  let at = text.indexOf(old);
  while (at >= 0 && shown < Math.min(count, MAX_SHOWN)) {
    const start = lineStart(text, at);
    let end = start;
    let inside = 0;
    do {
      const done = at + old.length;
      const endsLine = replacement.endsWith("\n") || (replacement === "" && at === start);
      // Elsewhere the line goes on. Its end is looked for once: it may have millions of
      // occurrences.
      if (endsLine && text[done - 1] === "\n") end = done;
      else if (end <= done) end = lineEnd(text, done);
      inside++;
      at = text.indexOf(old, done);
    } while (at >= 0 && at < end && shown + inside < count);
    const lines = text.slice(start, end);
    const replaced = count === 1
      ? lines.replace(old, () => replacement)
      : lines.replaceAll(old, () => replacement);
    blocks.push({ start, end, replaced, count: inside });
    shown += inside;
  }
  return blocks;
}

/** Without the lines that stay the same at its start and end; nothing if all do. */
function trimmed(text: string, block: Block): Block | undefined {
  let { start, end, replaced } = block;
  let length = firstDifference(text, start, end, replaced);
  if (length === undefined) return undefined;
  length = lineStart(replaced, length);
  if (length > 0) {
    start += length;
    replaced = replaced.slice(length);
  }
  for (;;) {
    const oldLine = lastLineStart(text, start, end);
    const newLine = lastLineStart(replaced, 0, replaced.length);
    const line = text.slice(oldLine, end);
    if (line === "" || line !== replaced.slice(newLine)) break;
    end = oldLine;
    replaced = replaced.slice(0, newLine);
  }
  return { start, end, replaced, count: block.count };
}

function firstDifference(
  text: string,
  start: number,
  end: number,
  other: string,
): number | undefined {
  const length = end - start;
  const shorter = Math.min(length, other.length);
  for (let index = 0; index < shorter; index++) {
    if (text.charCodeAt(start + index) !== other.charCodeAt(index)) return index;
  }
  return length === other.length ? undefined : shorter;
}

function hunks(text: string, blocks: readonly Block[]): string {
  const out: string[] = [];
  let counted = { offset: 0, line: 1 };
  let shift = 0;
  for (let first = 0; first < blocks.length;) {
    const group = groupFrom(text, blocks, first);
    const start = contextStart(text, group[0]!.start);
    const line = counted.line + countLines(text, counted.offset, start);
    counted = { offset: start, line };
    const body = hunkBody(text, group, start);
    out.push(
      `@@ -${range(line, body.oldCount)} +${range(line + shift, body.newCount)} @@\n`,
      ...body.lines,
    );
    shift += body.newCount - body.oldCount;
    first += group.length;
  }
  return out.join("");
}

function groupFrom(text: string, blocks: readonly Block[], first: number): Block[] {
  let last = first;
  for (; last + 1 < blocks.length; last++) {
    const gap = linesOf(text, blocks[last]!.end, blocks[last + 1]!.start, MAX_GAP_LINES + 1);
    if (gap.length > MAX_GAP_LINES) break;
  }
  return blocks.slice(first, last + 1);
}

function hunkBody(text: string, group: readonly Block[], start: number) {
  const lines: string[] = [];
  let oldCount = 0;
  let newCount = 0;
  const add = (sign: " " | "-" | "+", more: readonly string[]) => {
    if (sign !== "+") oldCount += more.length;
    if (sign !== "-") newCount += more.length;
    lines.push(...more.map((line) => `${sign}${withMarker(line)}`));
  };
  let at = start;
  for (const block of group) {
    add(" ", linesOf(text, at, block.start));
    add("-", linesOf(text, block.start, block.end));
    add("+", linesOf(block.replaced, 0, block.replaced.length));
    at = block.end;
  }
  add(" ", linesOf(text, at, text.length, CONTEXT_LINES));
  return { lines, oldCount, newCount };
}

/** An empty range is given by the line before it. */
function range(line: number, count: number): string {
  return count === 1 ? `${line}` : `${count === 0 ? line - 1 : line},${count}`;
}

function withMarker(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`;
}

/** The lines between two offsets with their newlines, at most `limit` of them. */
function linesOf(text: string, start: number, end: number, limit = Infinity): string[] {
  const lines: string[] = [];
  while (start < end && lines.length < limit) {
    const next = Math.min(end, lineEnd(text, start));
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

function contextStart(text: string, offset: number): number {
  for (let line = 0; line < CONTEXT_LINES && offset > 0; line++) {
    offset = lastLineStart(text, 0, offset);
  }
  return offset;
}

/** Where the last line before `end` starts, its own newline left aside. */
function lastLineStart(text: string, start: number, end: number): number {
  if (end - 2 < start) return start;
  return Math.max(start, text.lastIndexOf("\n", end - 2) + 1);
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}
