/**
 * Stands in for `@std/assert` where JSR can't be reached: the same names, types and outcomes for
 * what Karotte uses. The texts of failures are its own.
 */
import { stripVTControlCharacters } from "node:util";
import { equal } from "./equal.ts";

/** A class whose instances are `E`. */
type ErrorConstructorOf<E extends Error> = new (...args: never[]) => E;

/** What every failed assertion throws. */
export class AssertionError extends Error {
  override readonly name: string = "AssertionError";
}

/** Throws unless `expression` is truthy. */
export function assert(expression: unknown, message = ""): asserts expression {
  if (!expression) throw new AssertionError(message);
}

/** Throws unless both are deeply equal. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  if (!equal(actual, expected)) throw differs("Values are not equal", actual, expected, message);
}

/** Throws if both are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  if (equal(actual, expected)) {
    throw differs("Values are equal, expected other than", actual, expected, message);
  }
}

/** Throws unless both are the same by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  if (!Object.is(actual, expected)) {
    throw differs("Values are not strictly equal", actual, expected, message);
  }
}

/** Throws if `actual` is null or undefined. */
export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T> {
  if (actual === null || actual === undefined) {
    throw failure(`Expected a value, but got ${actual}`, message);
  }
}

/** Throws unless `actual` is an instance of `expectedType`. */
// deno-lint-ignore no-explicit-any -- InstanceType accepts no narrower constraint
export function assertInstanceOf<T extends abstract new (...args: any[]) => unknown>(
  actual: unknown,
  expectedType: T,
  message?: string,
): asserts actual is InstanceType<T> {
  if (!(actual instanceof expectedType)) {
    throw failure(`Expected an instance of ${expectedType.name}, but got ${show(actual)}`, message);
  }
}

/** Throws unless `expected` matches somewhere in `actual`. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (!expected.test(actual)) {
    throw failure(`Expected ${show(actual)} to match ${expected}`, message);
  }
}

/** Throws unless `expected` is a part of `actual`. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) {
    throw failure(`Expected ${show(actual)} to contain ${show(expected)}`, message);
  }
}

/** Throws unless each element of `expected` is deeply equal to one of `actual`, in any order. */
export function assertArrayIncludes<T>(
  actual: ArrayLike<T> & object,
  expected: ArrayLike<T> & object,
  message?: string,
): void {
  const present = Array.from(actual);
  const missing = Array.from(expected).filter((item) => !present.some((one) => equal(one, item)));
  if (missing.length > 0) {
    throw failure(`Expected ${show(actual)} to include ${show(missing)}`, message);
  }
}

/** Throws always. */
export function fail(message?: string): never {
  throw failure("Failed assertion", message);
}

/** Returns what `fn` throws; throws itself when `fn` throws nothing, or not what is expected. */
export function assertThrows(fn: () => unknown, message?: string): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorConstructorOf<E>,
  messageIncludes?: string,
  message?: string,
): E;
export function assertThrows(
  fn: () => unknown,
  classOrMessage?: ErrorConstructorOf<Error> | string,
  messageIncludes?: string,
  message?: string,
): unknown {
  if (typeof classOrMessage === "string") message = classOrMessage;
  try {
    fn();
  } catch (error) {
    checkError(error, classOrMessage, messageIncludes, message);
    return error;
  }
  throw failure("Expected function to throw", message);
}

/**
 * Returns what the promise of `fn` is rejected with; rejects itself when it is fulfilled, when it
 * is rejected with something else, or when `fn` throws instead of returning a promise.
 */
export function assertRejects(fn: () => PromiseLike<unknown>, message?: string): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorConstructorOf<E>,
  messageIncludes?: string,
  message?: string,
): Promise<E>;
export async function assertRejects(
  fn: () => PromiseLike<unknown>,
  classOrMessage?: ErrorConstructorOf<Error> | string,
  messageIncludes?: string,
  message?: string,
): Promise<unknown> {
  if (typeof classOrMessage === "string") message = classOrMessage;
  const promise = startPromise(fn, message);
  try {
    await promise;
  } catch (error) {
    checkError(error, classOrMessage, messageIncludes, message);
    return error;
  }
  throw failure("Expected function to reject", message);
}

function startPromise(fn: () => PromiseLike<unknown>, message?: string): PromiseLike<unknown> {
  let promise: unknown;
  try {
    promise = fn();
  } catch (cause) {
    throw failure("Function throws when expected to reject", message, cause);
  }
  if (typeof (promise as PromiseLike<unknown> | undefined)?.then !== "function") {
    throw failure("Function returns no promise when expected to reject", message);
  }
  return promise as PromiseLike<unknown>;
}

function checkError(
  error: unknown,
  expectedClass: ErrorConstructorOf<Error> | string | undefined,
  includes: string | undefined,
  message: string | undefined,
): void {
  if (expectedClass === undefined || typeof expectedClass === "string") return;
  if (!(error instanceof expectedClass)) {
    const expected = `Expected an error of ${expectedClass.name}`;
    throw failure(`${expected}, but got ${show(error)}`, message, error);
  }
  const text = stripVTControlCharacters(error.message);
  if (includes !== undefined && !text.includes(stripVTControlCharacters(includes))) {
    const expected = `Expected the error's message to include ${show(includes)}`;
    throw failure(`${expected}, but got ${show(error.message)}`, message, error);
  }
}

function differs(what: string, actual: unknown, expected: unknown, message?: string) {
  const text = failure(what, message).message;
  return new AssertionError(`${text}\nactual:   ${show(actual)}\nexpected: ${show(expected)}`);
}

function failure(what: string, message?: string, cause?: unknown): AssertionError {
  const options = cause === undefined ? {} : { cause };
  return new AssertionError(message ? `${what}: ${message}` : `${what}.`, options);
}

function show(value: unknown): string {
  return Deno.inspect(value, { depth: 100, strAbbreviateSize: 100_000, iterableLimit: 1000 });
}
