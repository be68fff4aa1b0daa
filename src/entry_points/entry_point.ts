import { z } from "zod";
import type { EntryPointValues } from "../sdk/entry_point_values.ts";
import type { Entry, Origin } from "./entry.ts";

/** What a merge knows besides the entries. */
export interface MergeContext {
  /** Names that Karotte's own things of this kind have. */
  readonly builtins: readonly string[];
  /** Tells the user that an entry is fine, but is not used. */
  ignore(origin: Origin, reason: string): void;
  /** Leaves out an entry that can't be used after all: a failure like one of loading it. */
  skip(origin: Origin, cause: string): void;
}

/** The name of an entry point with its prefix: one of those that the sdk declares a value for. */
export type EntryPointGroup = keyof EntryPointValues;

/** A slot that plugins fill: key of the registry and type of what it returns, in one. */
export interface EntryPoint<Value, Merged, Group extends EntryPointGroup = EntryPointGroup> {
  readonly group: Group;
  /** One line on what a value is. */
  readonly summary: string;
  /**
   * Accepts what the sdk declares for the group, whichever copy of our modules it was made with.
   */
  readonly check: z.ZodType<Value, EntryPointValues[Group]>;
  /** An entry that does not load fails the command, instead of being skipped. */
  readonly isFatal?: boolean;
  /** So does one of these where the command hands variables over to the student. */
  readonly isFatalWithVariables?: boolean;
  /** What it means that an entry was skipped; the run's summary says it again. */
  readonly whenSkipped?: string;
  /** Says why an entry is ignored for its name alone; undefined: it is not. */
  refuse?(name: string, builtins: readonly string[]): string | undefined;
  /** Makes what consumers get of the entries, which are in the order of their names. */
  merge(entries: readonly Entry<Value>[], context: MergeContext): Promise<Merged>;
  /** Returns the merged value as JSON, where it is not JSON itself. */
  show?(merged: Merged): unknown;
}

/** Requires that a check takes every value that the sdk declares: a narrower one is no match. */
interface Complete<Declared, Given> {
  readonly check: [Declared] extends [ReadonlyList<Given>] ? unknown : never;
}

/** A type whose lists may be read-only, since checks only look at them. */
type ReadonlyList<Given> = Given extends readonly (infer Item)[] ? readonly Item[] : Given;

/**
 * Defines an entry point. The check must be for what `EntryPointValues` of the sdk declares for the
 * group:
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
export function entryPoint<
  Group extends EntryPointGroup,
  Value,
  Given extends EntryPointValues[Group],
  Merged,
>(
  definition:
    & EntryPoint<Value, Merged, Group>
    & { readonly check: z.ZodType<Value, Given> }
    & Complete<EntryPointValues[Group], Given>,
): EntryPoint<Value, Merged, Group> {
  return definition;
}

/** Accepts any function; that it has the right arguments shows when it is called. */
export function functionOf<Value extends (...args: never[]) => unknown>(): z.ZodType<Value, Value> {
  return z.custom<Value>((value) => typeof value === "function", "expected a function");
}
