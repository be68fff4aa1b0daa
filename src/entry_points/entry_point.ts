import { z } from "zod";
import type { Entry, Origin } from "./entry.ts";

/** What a merge knows besides the entries. */
export interface MergeContext {
  /** Names that Karotte's own things of this kind have. */
  readonly builtins: readonly string[];
  /** Tells the user something about an entry that is used. */
  remark(origin: Origin, text: string): void;
  /** An entry that is fine, but is not used. */
  ignore(origin: Origin, reason: string): void;
  /** An entry that can't be used after all: a failure like one of loading it. */
  skip(origin: Origin, cause: string): void;
}

/** A slot that plugins fill: key of the registry and type of what it returns, in one. */
export interface EntryPoint<Value, Merged> {
  /** With its prefix: `karotte.default_hardware`. */
  readonly group: `karotte.${string}`;
  /** One line on what a value is. */
  readonly summary: string;
  /** Accepts the value of an entry, whichever copy of our modules it was made with. */
  readonly check: z.ZodType<Value>;
  /** An entry that does not load fails the command, instead of being skipped. */
  readonly isFatal?: boolean;
  /** What it means that an entry was skipped; the run's summary says it again. */
  readonly whenSkipped?: string;
  /** Why an entry is ignored for its name alone; undefined: it is not. */
  refuse?(name: string, builtins: readonly string[]): string | undefined;
  /** What consumers get; `entries` are in the order of their names. */
  merge(entries: readonly Entry<Value>[], context: MergeContext): Promise<Merged>;
  /** The merged value as JSON, where it is not JSON itself. */
  show?(merged: Merged): unknown;
}

/**
 * Defines an entry point:
 *
 * ```ts
 * export const defaultHardware = entryPoint({
 *   group: "karotte.default_hardware",
 *   summary: "The hardware of tasks that name none.",
 *   check: z.string().min(1),
 *   merge: firstThatLoads,
 * });
 * // a consumer
 * const hardware = await registry.get(defaultHardware);
 * ```
 */
export function entryPoint<Value, Merged>(
  definition: EntryPoint<Value, Merged>,
): EntryPoint<Value, Merged> {
  return definition;
}

/** Accepts any function; that it has the right arguments shows when it is called. */
export function functionOf<Value extends (...args: never[]) => unknown>(): z.ZodType<Value> {
  return z.custom<Value>((value) => typeof value === "function", "expected a function");
}
