import { assertEquals } from "@std/assert";
import { failureKindSchema } from "./model_failure.ts";
import { artifactBlobSchema, judgeResultSchema, nextTurnResultSchema } from "./rpc.ts";

Deno.test("a failure crosses the channel with its kind, or with null, and with no other", () => {
  const accepts = (kind: unknown) => {
    const result = { failure: { name: "ModelFailure", message: "no luck", kind } };
    return [nextTurnResultSchema, judgeResultSchema].map((each) => each.safeParse(result).success);
  };
  for (const kind of [null, ...failureKindSchema.options]) {
    assertEquals([kind, accepts(kind)], [kind, [true, true]]);
  }
  for (const kind of ["rate limit", "", undefined, 429]) {
    assertEquals([kind, accepts(kind)], [kind, [false, false]]);
  }
});

Deno.test("an artifact's file has at least one name, each with a length that file systems take", () => {
  const accepts = (path: unknown) =>
    artifactBlobSchema.safeParse({ artifact: { number: 0, path, executable: false } }).success;
  assertEquals([["a"], ["a", "b"], ["x".repeat(255)]].map(accepts), [true, true, true]);
  assertEquals([[], [""], ["x".repeat(256)], "a", [1]].map(accepts), Array(5).fill(false));
});
