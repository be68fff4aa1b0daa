import type { z } from "zod";

/**
 * Ties a schema to types that are written out: `schemaOf<Scoring>()(z.object({...}))` compiles only
 * if what the schema returns is exactly that type, optional members included; with a second type
 * what it takes is held to that one too. Types of the sdk are written out because JSR compiles and
 * documents a package from its declarations, without inference.
 */
export function schemaOf<Output, Input = unknown>(): <Schema extends z.ZodType>(
  schema: Schema & Checked<Schema, Output, Input>,
) => z.ZodType<Output, Input> {
  // That it is of this type is what Checked says, and the compiler can't conclude it from that.
  return (schema) => schema as unknown as z.ZodType<Output, Input>;
}

type Checked<Schema, Output, Input> = Same<z.output<Schema>, Output> extends false
  ? { "this schema returns another type": { found: z.output<Schema>; written: Output } }
  : unknown extends Input ? unknown
  : Same<z.input<Schema>, Input> extends false
    ? { "this schema takes another type": { found: z.input<Schema>; written: Input } }
  : unknown;

/** Conditional types are assignable to each other only if what they compare with is identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
