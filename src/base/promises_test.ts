import { assertEquals, assertRejects } from "@std/assert";
import { orAbort, within } from "./promises.ts";

Deno.test("orAbort() settles as the promise does", async () => {
  const { signal } = new AbortController();
  assertEquals(await orAbort(Promise.resolve(1), signal), 1);
  await assertRejects(
    () => orAbort(Promise.reject(new Error("its own")), signal),
    Error,
    "its own",
  );
});

Deno.test("orAbort() rejects with the signal's reason, before or while it waits", async () => {
  const stop = new AbortController();
  const waiting = orAbort(new Promise(() => {}), stop.signal);
  stop.abort(new Error("enough"));
  await assertRejects(() => waiting, Error, "enough");
  await assertRejects(() => orAbort(Promise.resolve(1), stop.signal), Error, "enough");
});

Deno.test("within() returns the value, or what stands for it when it is late", async () => {
  assertEquals(await within(Promise.resolve(1), 60_000, "late"), 1);
  assertEquals(await within(new Promise(() => {}), 1, "late"), "late");
  await assertRejects(() => within(Promise.reject(new Error("no")), 60_000, "late"), Error, "no");
});
