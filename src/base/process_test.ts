import { assert, assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "./errors.ts";
import { run } from "./process.ts";
import { NOWHERE } from "../../tests/support/nowhere.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("run() returns both streams and the status", async () => {
  const result = await run(["sh", "-c", "echo out; echo err >&2; exit 3"]);
  assertEquals([result.code, text(result.stdout), text(result.stderr)], [3, "out\n", "err\n"]);
});

Deno.test("run() drains both streams, so a megabyte on stderr blocks nothing", async () => {
  const result = await run(["sh", "-c", "head -c 1000000 /dev/zero >&2; echo done"]);
  assertEquals([result.stderr.length, text(result.stdout)], [1_000_000, "done\n"]);
});

Deno.test("run() keeps the start and the end of a long output", async () => {
  const result = await run(["sh", "-c", "printf start; head -c 100000 /dev/zero; printf end"], {
    maxOutputBytes: 100,
  });
  assertEquals(result.stdout.length, 100);
  assert(text(result.stdout).startsWith("start") && text(result.stdout).endsWith("end"));
});

Deno.test("run() kills the whole group after the grace period", async () => {
  const result = await run(["sh", "-c", 'trap "" TERM; sleep 600 & wait'], {
    timeoutMs: 50,
    graceMs: 50,
  });
  assertEquals([result.timedOut, result.signal], [true, "SIGKILL"]);
});

Deno.test("run() does not wait for a daemon that holds stdout", async () => {
  const result = await run(["sh", "-c", "sleep 3 & echo $!"]);
  Deno.kill(Number(text(result.stdout)), "SIGKILL");
  assertEquals(result.code, 0);
});

Deno.test("run() hands stdin over and survives a program that does not read it", async () => {
  assertEquals(text((await run(["cat"], { stdin: "hello" })).stdout), "hello");
  assertEquals((await run(["true"], { stdin: "x".repeat(3_000_000) })).code, 0);
});

Deno.test("run() shows nothing of the caller's environment with clearEnv", async () => {
  const result = await run(["/usr/bin/env"], { env: { A: "1" }, clearEnv: true });
  assertEquals(text(result.stdout), "A=1\n");
});

Deno.test("run() tells a missing program from a missing directory", async () => {
  await assertRejects(() => run(["no-such-program"]), KarotteError, "program not found");
  await assertRejects(() => run(["true"], { cwd: NOWHERE }), KarotteError, "no such directory");
});

Deno.test("run() asks with the signal that the program listens to", async () => {
  const stop = new AbortController();
  const script = "trap 'echo bye; exit 7' HUP; trap '' TERM; echo up; sleep 60 & wait";
  const { code, stdout, timedOut } = await run(["sh", "-c", script], {
    signal: stop.signal,
    stopSignal: "SIGHUP",
    graceMs: 60_000,
    onOutput: () => stop.abort(),
  });
  assertEquals([code, timedOut, new TextDecoder().decode(stdout)], [7, true, "up\nbye\n"]);
});

Deno.test("run() starts a program with another umask and keeps its own", async () => {
  const before = Deno.umask();
  const { stdout } = await run(["sh", "-c", "umask"], { umask: 0o077 });
  assertEquals([new TextDecoder().decode(stdout), Deno.umask()], ["0077\n", before]);
  await assertRejects(() => run([NOWHERE], { umask: 0o077 }));
  assertEquals(Deno.umask(), before);
});
