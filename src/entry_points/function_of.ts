import { z } from "zod";

/** Accepts any function; that it has the right arguments shows when it is called. */
export function functionOf<Value extends (...args: never[]) => unknown>(): z.ZodType<Value> {
  return z.custom<Value>((value) => typeof value === "function", "expected a function");
}
