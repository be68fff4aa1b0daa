import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import type { Said } from "../cli/karotte.ts";
import { SECRET } from "./secret.ts";
import type { GroupedTrick } from "./trick.ts";

/** A trick as it was played. */
export interface Played extends Said {
  readonly events: readonly TranscriptEvent[];
  readonly seconds: number;
  /** It did not end in time, and was ended. */
  readonly isOverdue: boolean;
}

/** What came of a trick. */
export interface Outcome {
  readonly trick: GroupedTrick;
  /** The score of the last step; undefined: it was not scored. */
  readonly score: number | undefined;
  readonly seconds: number;
  /** The student got what it must not get: a score, or the answer itself. */
  readonly isPaid: boolean;
  /** Why this is not what must come of it; absent: it is. */
  readonly failure?: string;
}

/** Control characters but tab and newline: the console must show none of the student's. */
// deno-lint-ignore no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]/;

/** Compares what came of a trick with what must. */
export function outcomeOf(trick: GroupedTrick, played: Played): Outcome {
  const { events, seconds } = played;
  const isHonest = trick.score === 1;
  const scores = events.flatMap((event) => event.type === "scoring" ? [event.scoring.score] : []);
  const score = scores.at(-1);
  const isSeen = !isHonest && JSON.stringify(shownTo(events)).includes(SECRET);
  const isPaid = isSeen || (trick.score ?? 0) === 0 && (score ?? 0) > 0;
  const found = failureOf(trick, { played, score, isSeen });
  const failure = trick.deviation === undefined ? found : mended(trick.deviation, found);
  return { trick, score, seconds, isPaid, ...(failure === undefined ? {} : { failure }) };
}

/** A deviation that is none any more is a failure. */
function mended(deviation: string, failure: string | undefined): string | undefined {
  return failure === undefined ? `no deviation any more: ${deviation}` : undefined;
}

function failureOf(
  trick: GroupedTrick,
  { played, score, isSeen }: { played: Played; score: number | undefined; isSeen: boolean },
): string | undefined {
  const { events, code, stdout, stderr, isOverdue } = played;
  if (isOverdue) return `it hung and was ended after ${Math.round(played.seconds)} s`;
  const error = events.find(({ type }) => type === "error");
  if (error?.type === "error") return `an error: ${error.message}`;
  if (score === undefined) return `no score (exit status ${code}): ${stderr.slice(-2000)}`;
  if (code !== 0) return `exit status ${code}: ${stderr.slice(-2000)}`;
  if (isSeen) return "the student saw the answer";
  const { score: expected = 0 } = trick;
  if (expected !== "any" && score !== expected) return `score ${score} instead of ${expected}`;
  const shown = JSON.stringify(shownTo(events));
  if (trick.shows !== undefined && !trick.shows.test(shown)) {
    return `it was not played: nothing shows ${trick.shows} in ${shown.slice(0, 2000)}`;
  }
  const control = CONTROL.exec(stdout + stderr);
  if (control !== null) return `the console shows ${JSON.stringify(control[0])}`;
  return undefined;
}

/** What tools showed the student. */
function shownTo(events: readonly TranscriptEvent[]): unknown[] {
  return events.flatMap((event) => event.type === "tool_call_completed" ? [event.result] : []);
}
