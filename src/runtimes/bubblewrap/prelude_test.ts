import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { Prelude } from "./prelude.ts";

const INFO = '{\n    "child-pid": 4711,\n    "net-namespace": 1\n}\n';

function streamOf(...parts: string[]) {
  return ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)));
}

Deno.test("Prelude hands on every byte after its lines, however they are cut", async () => {
  const all = `ready\n${INFO}started\n\0channel\nrest`;
  for (let cut = 0; cut <= all.length; cut++) {
    const prelude = new Prelude(streamOf(all.slice(0, cut), all.slice(cut)));
    await prelude.expect("ready");
    assertEquals(await prelude.childPid(), 4711);
    await prelude.expect("started");
    assertEquals(await new Response(prelude.channel()).text(), "\0channel\nrest");
  }
});

Deno.test("Prelude refuses an early end, another line, and a flood", async () => {
  await assertRejects(() => new Prelude(streamOf("rea")).expect("ready"), KarotteError, "ended");
  const other = new Prelude(streamOf("hello\n"));
  await assertRejects(() => other.expect("ready"), KarotteError, '"hello"');
  const flood = new Prelude(streamOf(..."x".repeat(40).split("").map(() => "y".repeat(1000))));
  await assertRejects(() => flood.expect("ready"), KarotteError);
});
