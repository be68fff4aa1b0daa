import type { Guard } from "../../src/protocol/guards.ts";
import type { FakeMessage } from "../../src/sdk/fake_message.ts";

/** A task of `tests/fixtures/tricks/`. */
export const VARIANTS = [
  /** A judge that reads `/workdir` as root, with the answer among a program's arguments. */
  "careless",
  /** The same in the second step. */
  "two_steps",
  /** Submissions are collected, and links are allowed. */
  "careful",
  /** Submissions are collected, and processes live on. */
  "server",
  /** A hook writes into the student's data as root. */
  "hook",
  /** The student is paid for what it got through. */
  "walls",
  /** A script of root's runs the student's program as the student. */
  "hidden_tests",
  /** The same, with less time than the student's programs have. */
  "impatient_tests",
  /** A python of root's does. */
  "python_tests",
  /** A python of root's starts in the student's folder. */
  "python_here",
  /** A pattern is looked for in what the student said. */
  "regex",
  /** A model judges. */
  "rubric",
] as const;

/** The name of a task that tricks are played on. */
export type Variant = typeof VARIANTS[number];

/** A turn of the scripted student: a message, or a command for `bash`. */
export type ScriptTurn = string | FakeMessage;

/** A row of the suite: what a student tries, and what must come of it. */
export interface Trick {
  /** Unique; letters, digits and hyphens, as run ids are. */
  readonly name: string;
  readonly variant: Variant;
  /** The guard that stands against it; "none": whatever else there is. */
  readonly guard: Guard | "none";
  readonly script: readonly ScriptTurn[];
  /**
   * The score. 1: an honest answer was given too, and what the trick does changes nothing. Absent:
   * no answer was given, the score is 0. "any": bombs, which may cost the student its own answer.
   */
  readonly score?: 0 | 1 | "any";
  /** Programs without which the trick can't be played on a runtime. */
  readonly needs?: readonly string[];
  /** What the student's tools must show, or the trick was not played. */
  readonly shows?: RegExp;
  /** The runtimes that can set it up have images, whose variables are the attack. */
  readonly inImages?: true;
  /** Why another thing comes of it, so far: it fails once that is mended, for this to go. */
  readonly deviation?: string;
  /** Takes so long, or so much of the machine, that samples leave it out. */
  readonly heavy?: true;
}

/** A trick with the group that it stands in. */
export interface GroupedTrick extends Trick {
  readonly group: string;
}

/** Ends a step of the scripted student. */
export const DONE: FakeMessage = { content: "Done." };

/** A call of a tool. */
export function call(name: string, input: Readonly<Record<string, unknown>>): FakeMessage {
  return { tool_calls: [{ function: { name, arguments: JSON.stringify(input) } }] };
}

/** A command that has so many seconds. */
export function within(seconds: number, command: string): FakeMessage {
  return call("bash", { command, timeout_s: seconds });
}

/** Returns the messages of a script; the last one ends the last step. */
export function messagesOf(script: readonly ScriptTurn[]): FakeMessage[] {
  const turns = script.map((turn) =>
    typeof turn === "string" ? call("bash", { command: turn }) : turn
  );
  const last = turns.at(-1);
  const isOver = last !== undefined && (last.tool_calls ?? []).length === 0;
  return isOver ? turns : [...turns, DONE];
}
