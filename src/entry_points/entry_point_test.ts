import { assertEquals } from "@std/assert";
import { z } from "zod";
import { entryPoint, functionOf } from "./entry_point.ts";
import { firstThatLoads } from "./merge.ts";

const rest = { summary: "For this test.", merge: () => Promise.resolve(1) };

Deno.test("entryPoint() takes the check of what the sdk declares for the group, and no other", () => {
  // The type checker reads these lines: each error that it does not find is one.
  const group = "karotte.default_hardware";
  const right = [
    entryPoint({ ...rest, group, check: z.string().min(1), merge: firstThatLoads }),
    entryPoint({ ...rest, group: "karotte.age_delay_exemptions", check: z.array(z.string()) }),
    entryPoint({ ...rest, group, check: z.string().transform((text) => text.length) }),
  ];
  const wrong = [
    // @ts-expect-error: another type
    entryPoint({ ...rest, group, check: z.number() }),
    // @ts-expect-error: a narrower one
    entryPoint({ ...rest, group, check: z.literal("gpu") }),
    // @ts-expect-error: a wider one
    entryPoint({ ...rest, group, check: z.unknown() }),
    // @ts-expect-error: a list of something else
    entryPoint({ ...rest, group: "karotte.age_delay_exemptions", check: z.array(z.number()) }),
    // @ts-expect-error: another function
    entryPoint({ ...rest, group: "karotte.hardware_limits", check: functionOf<() => 1>() }),
    // @ts-expect-error: a group that the sdk does not declare
    entryPoint({ ...rest, group: "karotte.unknown", check: z.string() }),
  ];
  assertEquals(new Set([...right, ...wrong].map(({ summary }) => summary)).size, 1);
});
