import { assertEquals } from "@std/assert";
import { z } from "zod";
import { schemaOf } from "./schema_of.ts";

interface Point {
  x: number;
  label?: string | undefined;
}

const optionalLabel = { label: z.string().optional() };

Deno.test("schemaOf() hands on the schema, typed as what it returns", () => {
  const schema: z.ZodType<Point> = schemaOf<Point>()(z.object({ x: z.number(), ...optionalLabel }));
  assertEquals(schema.parse({ x: 1, y: 2 }), { x: 1 });
});

// The compiler is what these test: an error that it does not find is one itself.
Deno.test("a schema that is not the written type does not compile", () => {
  const of = schemaOf<Point>();
  // @ts-expect-error: a member is missing
  of(z.object({ x: z.number() }));
  // @ts-expect-error: there is one too many
  of(z.object({ x: z.number(), y: z.number(), ...optionalLabel }));
  // @ts-expect-error: a member is of another type
  of(z.object({ x: z.string(), ...optionalLabel }));
  // @ts-expect-error: a member is never absent
  of(z.object({ x: z.number(), label: z.string().or(z.undefined()) }));
  // @ts-expect-error: a member may be absent
  of(z.object({ x: z.number().optional(), ...optionalLabel }));
});

Deno.test("what a schema takes is compared where it is written", () => {
  const x = z.number().default(0);
  schemaOf<{ x: number }, { x?: number | undefined }>()(z.object({ x }));
  // @ts-expect-error: a member may be absent
  schemaOf<{ x: number }, { x: number }>()(z.object({ x }));
});
