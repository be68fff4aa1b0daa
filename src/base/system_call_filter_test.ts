import { assertEquals } from "@std/assert";
import { systemCallProgram, type Way } from "../../tests/support/system_call_program.ts";
import { run } from "./process.ts";
import { systemCallFilter } from "./system_call_filter.ts";
import { tempDir } from "./temp_dir.ts";

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const NEW_USER = 0x10000000;
const X32 = 0x40000000;

const PROTECT_PROCESS = new URL("protect_process.ts", import.meta.url).href;
const PROCESS = new URL("process.ts", import.meta.url).href;

/** Runs a program under the filter, which stays: so in a process of its own. */
async function filtered(argv: readonly string[]): Promise<{ code: number; stderr: string }> {
  await using folder = await tempDir();
  const script = `${folder.path}/filtered.ts`;
  await Deno.writeTextFile(
    script,
    `import { filterSystemCalls } from ${JSON.stringify(PROTECT_PROCESS)};
     import { run } from ${JSON.stringify(PROCESS)};
     filterSystemCalls();
     const worker = new Worker("data:text/javascript,postMessage(1)", { type: "module" });
     await new Promise((resolve) => worker.onmessage = resolve);
     worker.terminate();
     const { code, stderr } = await run(Deno.args);
     await Deno.stderr.write(stderr);
     Deno.exitCode = code;`,
  );
  const deno = [Deno.execPath(), "run", "--allow-all", "--no-check", "--no-config", "--no-lock"];
  const { code, stderr } = await run([...deno, "--quiet", script, ...argv]);
  return { code, stderr: new TextDecoder().decode(stderr) };
}

/** Values of `AUDIT_ARCH_...`. */
const [X86_64, I386, AARCH64, ARM] = [0xc000003e, 0x40000003, 0xc00000b7, 0x40000028];

/**
 * The errno that a filter refuses a call with; 0: it allows it. Throws at an instruction that the
 * kernel would not take, or at a jump out of the program.
 */
function decide(
  filter: Uint8Array<ArrayBuffer>,
  abi: number,
  number: number,
  argument = 0,
): number {
  const view = new DataView(filter.buffer);
  const data: Record<number, number> = { 0: number >>> 0, 4: abi, 16: argument >>> 0 };
  let loaded = 0;
  for (let index = 0; index * 8 < view.byteLength; index++) {
    const value = view.getUint32(index * 8 + 4, true);
    const code = view.getUint16(index * 8, true);
    if (code === 0x06) return value === 0x7fff0000 ? 0 : value - 0x00050000;
    if (code === 0x20) loaded = data[value] ?? Number.NaN;
    else index += view.getUint8(index * 8 + (holds(code, loaded, value) ? 2 : 3));
  }
  throw new Error("ran off the end");
}

function holds(code: number, loaded: number, value: number): boolean {
  if (code === 0x15) return loaded === value;
  if (code === 0x35) return loaded >= value;
  if (code === 0x45) return (loaded & value) !== 0;
  throw new Error(`unknown instruction ${code}`);
}

/** Numbers of the refused calls: keys, bpf, perf, userfaultfd, handles, fanotify, setns. */
const REFUSED: Readonly<Record<number, readonly number[]>> = {
  [X86_64]: [248, 249, 250, 321, 298, 323, 304, 300, 308, 425, 426, 427],
  [I386]: [286, 287, 288, 357, 336, 374, 342, 338, 346, 425, 426, 427],
  [AARCH64]: [217, 218, 219, 280, 241, 282, 265, 262, 268, 425, 426, 427],
  [ARM]: [309, 310, 311, 386, 364, 388, 371, 367, 375, 425, 426, 427],
};
const SOCKETS: Readonly<Record<number, readonly number[]>> = {
  [X86_64]: [41, 53],
  [I386]: [359, 360],
  [AARCH64]: [198, 199],
  [ARM]: [281, 288],
};
const WITH_FLAGS: Readonly<Record<number, readonly number[]>> = {
  [X86_64]: [56, 272],
  [I386]: [120, 310],
  [AARCH64]: [220, 97],
  [ARM]: [120, 337],
};
/** read, write, openat, execve, futex, accept4, sendmsg. */
const PLAIN: Readonly<Record<number, readonly number[]>> = {
  [X86_64]: [0, 1, 257, 59, 202, 288, 46],
  [I386]: [3, 4, 295, 11, 240, 364, 370],
  [AARCH64]: [63, 64, 56, 221, 98, 242, 211],
  [ARM]: [3, 4, 322, 11, 240, 366, 296],
};

Deno.test("systemCallFilter() decides by the numbers of each ABI", () => {
  for (
    const [machine, abis] of [["x86_64", [X86_64, I386]], ["aarch64", [AARCH64, ARM]]] as const
  ) {
    const filter = systemCallFilter(machine);
    for (const abi of abis) {
      const ask = (number: number, argument?: number) => decide(filter, abi, number, argument);
      const label = `${machine} ${abi.toString(16)}`;
      assertEquals(REFUSED[abi]?.map((number) => ask(number)), Array(12).fill(EPERM), label);
      assertEquals(PLAIN[abi]?.map((number) => ask(number, 0x7fffffff)), Array(7).fill(0), label);
      assertEquals([ask(435), ask(0xffffffff)], [ENOSYS, 0], label);
      for (const number of SOCKETS[abi] ?? []) {
        const allowed = Array.from({ length: 64 }, (_, family) => family)
          .filter((family) => ask(number, family) === 0);
        assertEquals(allowed, [1, 2, 10, 16], label);
        assertEquals([ask(number, 40), ask(number, -1)], [EAFNOSUPPORT, EAFNOSUPPORT], label);
      }
      for (const number of WITH_FLAGS[abi] ?? []) {
        assertEquals([ask(number, NEW_USER | 17), ask(number, 0x01010f11)], [EPERM, 0], label);
      }
    }
  }
});

Deno.test("systemCallFilter() refuses socketcall, x32 and every unknown ABI whole", () => {
  const [x86, arm] = [systemCallFilter("x86_64"), systemCallFilter("aarch64")];
  assertEquals(decide(x86, I386, 102, 1), ENOSYS);
  assertEquals([0, 41, 512].map((number) => decide(x86, X86_64, X32 + number)), [38, 38, 38]);
  assertEquals([decide(x86, AARCH64, 63), decide(arm, X86_64, 0)], [ENOSYS, ENOSYS]);
});

Deno.test("filterSystemCalls() leaves threads and processes as they are", async () => {
  const found = await filtered(["bash", "-c", "(exit 3) & wait $!; exec sh -c 'exit '$?"]);
  assertEquals(found, { code: 3, stderr: "" });
});

Deno.test("filterSystemCalls() refuses each kind of namespace", async () => {
  const kinds = ["user", "mount", "net", "pid", "ipc", "uts", "cgroup"];
  const script = 'for kind; do unshare "--$kind" true 2>/dev/null && echo "$kind" >&2; done; true';
  assertEquals(await filtered(["sh", "-c", script, "sh", ...kinds]), { code: 0, stderr: "" });
});

/** Name -> number, arguments and way of a call, and the errno that it is to end with. */
type Calls = Record<string, [number: number, args: number[], errno: number, way?: Way]>;

const UNIX_STREAM = [1, 1];
const [INET, INET6, ALG, NETLINK, PACKET, VSOCK] = [2, 10, 38, 16, 17, 40];

const CALLS: Calls = {
  "unshare": [272, [NEW_USER], EPERM],
  "clone": [56, [NEW_USER | 17], EPERM],
  "clone3": [435, [], ENOSYS],
  "setns": [308, [], EPERM],
  "a unix socket": [41, UNIX_STREAM, 0],
  "an inet socket": [41, [INET, 1], 0],
  "a netlink socket": [41, [NETLINK, 3], 0],
  "an inet6 pair": [53, [INET6, 1], 14],
  "a vsock socket": [41, [VSOCK, 1], EAFNOSUPPORT],
  "an alg socket": [41, [ALG, 5], EAFNOSUPPORT],
  "a packet socket": [41, [PACKET, 3], EAFNOSUPPORT],
  "a vsock pair": [53, [VSOCK, 1], EAFNOSUPPORT],
  "io_uring_setup": [425, [1], EPERM],
  "io_uring_enter": [426, [0], EPERM],
  "io_uring_register": [427, [0], EPERM],
  "add_key": [248, [], EPERM],
  "request_key": [249, [], EPERM],
  "keyctl": [250, [0, -3], EPERM],
  "bpf": [321, [], EPERM],
  "perf_event_open": [298, [], EPERM],
  "userfaultfd": [323, [1], EPERM],
  "open_by_handle_at": [304, [], EPERM],
  "fanotify_init": [300, [], EPERM],
  "x32's socket": [X32 + 41, UNIX_STREAM, ENOSYS],
  "x32's getpid": [X32 + 39, [], ENOSYS],
};

const CALLS_OF_32_BITS: Calls = {
  "unshare": [310, [NEW_USER], EPERM, "int 0x80"],
  "a unix socket": [359, UNIX_STREAM, 0, "int 0x80"],
  "a vsock socket": [359, [VSOCK, 1], EAFNOSUPPORT, "int 0x80"],
  "a vsock pair": [360, [VSOCK, 1], EAFNOSUPPORT, "int 0x80"],
  "socketcall": [102, [1], ENOSYS, "int 0x80"],
  "io_uring_setup": [425, [1], EPERM, "int 0x80"],
  "add_key": [286, [], EPERM, "int 0x80"],
  "request_key": [287, [], EPERM, "int 0x80"],
  "keyctl": [288, [0, -3], EPERM, "int 0x80"],
  "bpf": [357, [], EPERM, "int 0x80"],
  "perf_event_open": [336, [], EPERM, "int 0x80"],
  "userfaultfd": [374, [1], EPERM, "int 0x80"],
  "open_by_handle_at": [342, [], EPERM, "int 0x80"],
  "fanotify_init": [338, [], EPERM, "int 0x80"],
};

/** Exit statuses of the calls' programs, all started by one process under the filter. */
async function outcomes(calls: Calls): Promise<Record<string, number>> {
  await using folder = await tempDir();
  for (const [name, [number, args, , way]] of Object.entries(calls)) {
    const program = systemCallProgram(number, args, way);
    await Deno.writeFile(`${folder.path}/${name}`, program, { mode: 0o755 });
  }
  const script =
    'cd "$1"; for name in *; do "./$name" 2>/dev/null; echo "$?:$name" >&2; done; true';
  const { stderr } = await filtered(["bash", "-c", script, "bash", folder.path]);
  return Object.fromEntries(
    stderr.trimEnd().split("\n").map((line) => {
      const [status, name] = line.split(":");
      return [name, Number(status)];
    }),
  );
}

const expected = (calls: Calls) =>
  Object.fromEntries(Object.entries(calls).map(([name, [, , errno]]) => [name, errno]));

Deno.test({
  name: "filterSystemCalls() refuses what programs of x86-64 call",
  ignore: Deno.build.arch !== "x86_64",
  fn: async () => assertEquals(await outcomes(CALLS), expected(CALLS)),
});

Deno.test({
  name: "filterSystemCalls() refuses the same to programs of 32 bits",
  ignore: Deno.build.arch !== "x86_64",
  async fn() {
    const found = await outcomes(CALLS_OF_32_BITS);
    // Signal 11: this kernel has no such way.
    const isKernelWithout = Object.values(found).every((status) => status === 139);
    if (!isKernelWithout) assertEquals(found, expected(CALLS_OF_32_BITS));
  },
});
