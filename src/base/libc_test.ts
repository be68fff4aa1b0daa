import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { readDescriptor, writeDescriptor } from "./descriptor_io.ts";
import { folderCalls } from "./folder_calls.ts";
import { killAllOfUser } from "./act_as_user.ts";
import { closeOnExecFrom, isErrno, openLibc } from "./libc.ts";
import { run } from "./process.ts";

const libc = openLibc(folderCalls);
const { symbols: { pipe: makePipe } } = Deno.dlopen("libc.so.6", {
  pipe: { parameters: ["buffer"], result: "i32" },
});
// Opened here, or the first test would seem to leak the library.
closeOnExecFrom(1_000_000);

/** A pipe, made by the C library: Deno has none of its own. */
class Pipe implements Disposable {
  readonly reading: number;
  readonly writing: number;
  readonly #open: Set<number>;

  constructor() {
    const ends = new Int32Array(2);
    assertEquals(makePipe(ends), 0);
    [this.reading = -1, this.writing = -1] = ends;
    this.#open = new Set(ends);
  }

  /** Never twice: the number may be another thread's by then. */
  close(fd: number): void {
    if (this.#open.delete(fd)) libc.close(fd);
  }

  [Symbol.dispose](): void {
    for (const fd of this.#open) this.close(fd);
  }
}

Deno.test("a descriptor that a child would inherit is kept from it by closeOnExecFrom()", async () => {
  using ends = new Pipe();
  const list = ["/bin/sh", "-c", `[ -e /proc/self/fd/${ends.reading} ] && echo inherited`];
  assertEquals(new TextDecoder().decode((await run(list)).stdout), "inherited\n");
  closeOnExecFrom(ends.reading);
  assertEquals((await run(list)).stdout.length, 0);
});

Deno.test("readDescriptor() and writeDescriptor() move bytes through a pipe, to its end", async () => {
  using ends = new Pipe();
  const buffer = new Uint8Array(10);
  const reading = readDescriptor(ends.reading, buffer);
  assertEquals(await writeDescriptor(ends.writing, new Uint8Array([1, 2, 3])), 3);
  assertEquals([await reading, ...buffer.subarray(0, 3)], [3, 1, 2, 3]);
  ends.close(ends.writing);
  assertEquals(await readDescriptor(ends.reading, buffer), 0);
});

Deno.test("writeDescriptor() fails with EPIPE when nobody reads", async () => {
  using ends = new Pipe();
  ends.close(ends.reading);
  const error = await assertRejects(() => writeDescriptor(ends.writing, new Uint8Array(1)));
  assertEquals(isErrno(error, "EPIPE"), true);
});

Deno.test("readDescriptor() names the reason of a failure", async () => {
  const error = await assertRejects(() => readDescriptor(9999, new Uint8Array(1)));
  assertEquals(isErrno(error, "EBADF"), true);
});

Deno.test("killAllOfUser() takes no id that would leave root in place", () => {
  for (const uid of [0, -1, 2 ** 32 - 1, 2 ** 32, 1.5, NaN]) {
    assertThrows(() => killAllOfUser(uid), RangeError);
  }
});
