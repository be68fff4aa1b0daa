import type { ScriptedTurn } from "./script.ts";

/** One wire format: what a real provider refuses, and how it writes a stream. */
export interface WireFormat {
  readonly name: string;
  /** Matched against the path below the server's root. */
  readonly path: RegExp;
  /** Throws a `Complaint` about a request that the real API would refuse. */
  check(request: WireRequest): void;
  /** The whole answer, one event of the stream an entry. */
  events(turn: ScriptedTurn, request: WireRequest): string[];
  /** The body of an answer that failed. */
  errorBody(status: number, message: string): Record<string, unknown>;
  /** The event that tells of a failure in a stream that began well. */
  errorEvent(message: string): string;
}

/** A request as the server got it. */
export interface WireRequest {
  readonly format: string;
  readonly path: string;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests look deep into bodies of many shapes.
  readonly body: any;
}

/** The request breaks a rule of the API: answered with status 400. */
export class Complaint extends Error {
  override readonly name = "Complaint";
}

/** Throws a `Complaint` if the rule is broken. */
export function demand(holds: unknown, rule: string): asserts holds {
  if (!holds) throw new Complaint(rule);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A server-sent event with data alone. */
export function data(value: unknown): string {
  return `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
}

/** A server-sent event with its name. */
export function named(name: string, value: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}
