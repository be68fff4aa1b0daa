import { messageOf } from "../base/errors.ts";
import { objectOf } from "./stream/members.ts";

/** A thing that is wrong with a value, as zod tells it. */
interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
  /** The issues by each branch of a union; empty for what is no union. */
  readonly branches: readonly (readonly Issue[])[];
}

/** Matches the words of packages for an event that doesn't fit; the issues follow as JSON. */
const FAILED = /^Type validation failed.*\nError message: (.*)$/s;

/**
 * Returns what is wrong with an event, and where: `choices.0.finish_reason: expected string`.
 * Undefined if the error, a package's, is not about that.
 */
export function validationFault(error: Error): string | undefined {
  const text = FAILED.exec(error.message)?.[1];
  if (text === undefined) return undefined;
  // Some make another error of it, of its words alone.
  const [issue] = issuesOf(objectOf(error.cause)?.issues ?? jsonOf(text));
  if (issue === undefined) return messageOf(error.cause ?? error);
  const { path, message } = deepest(issue);
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

/** Returns the issue of that branch of a union that was meant: the one that fits furthest. */
function deepest(issue: Issue): Issue {
  const [best] = issue.branches.flatMap(([first]) => first === undefined ? [] : [deepest(first)])
    .toSorted((one, other) => fit(other) - fit(one));
  return best === undefined ? issue : { ...best, path: [...issue.path, ...best.path] };
}

/** Rates a branch by how far it fits; one of another `type` was not meant. */
function fit({ path }: Issue): number {
  return path.at(-1) === "type" ? 0 : path.length;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the words of something else
  }
}

function issuesOf(told: unknown): Issue[] {
  if (!Array.isArray(told)) return [];
  return told.map((each) => {
    const { path, message, errors } = objectOf(each) ?? {};
    return {
      path: Array.isArray(path) ? path : [],
      message: String(message ?? "").replace(/^Invalid input: /, ""),
      branches: Array.isArray(errors) ? errors.map(issuesOf) : [],
    };
  });
}
