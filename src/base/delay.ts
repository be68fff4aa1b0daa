/** A span of time that stops mattering when it goes out of scope. */
export interface Delay extends Disposable {
  readonly over: Promise<undefined>;
}

export function delay(milliseconds: number): Delay {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  return { over: promise, [Symbol.dispose]: () => clearTimeout(timer) };
}
