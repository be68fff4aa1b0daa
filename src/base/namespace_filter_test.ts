import { assertEquals, assertNotEquals } from "@std/assert";
import { namespaceFilter } from "./namespace_filter.ts";
import { run } from "./process.ts";
import { tempDir } from "./temp_dir.ts";

const EPERM = 1;
const ENOSYS = 38;
const NEW_USER = 0x10000000;

const LIBC = new URL("libc.ts", import.meta.url).href;
const PROCESS = new URL("process.ts", import.meta.url).href;

/** Runs a program under the filter, which stays: so in a process of its own. */
async function filtered(argv: readonly string[]): Promise<{ code: number; stderr: string }> {
  await using folder = await tempDir();
  const script = `${folder.path}/filtered.ts`;
  await Deno.writeTextFile(
    script,
    `import { refuseNamespaces } from ${JSON.stringify(LIBC)};
     import { run } from ${JSON.stringify(PROCESS)};
     refuseNamespaces();
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

Deno.test("namespaceFilter() has all its jumps within itself, and ends", () => {
  for (const machine of ["x86_64", "aarch64"] as const) {
    const view = new DataView(namespaceFilter(machine).buffer);
    const length = view.byteLength / 8;
    for (let index = 0; index < length; index++) {
      for (const jump of [2, 3]) {
        const target = index + 1 + view.getUint8(index * 8 + jump);
        assertEquals(target <= length, true, `${machine} ${index}`);
      }
    }
    assertEquals(view.getUint16((length - 1) * 8, true), 6);
  }
});

Deno.test("refuseNamespaces() leaves threads and processes as they are", async () => {
  const found = await filtered(["bash", "-c", "(exit 3) & wait $!; exec sh -c 'exit '$?"]);
  assertEquals(found, { code: 3, stderr: "" });
});

Deno.test("refuseNamespaces() refuses each kind of namespace", async () => {
  const kinds = ["user", "mount", "net", "pid", "ipc", "uts", "cgroup"];
  const script = 'for kind; do unshare "--$kind" true 2>/dev/null && echo "$kind" >&2; done; true';
  assertEquals(await filtered(["sh", "-c", script, "sh", ...kinds]), { code: 0, stderr: "" });
});

Deno.test({
  name: "refuseNamespaces() refuses them by every way into the kernel",
  ignore: Deno.build.arch !== "x86_64",
  async fn() {
    const system = [0x0f, 0x05];
    const interrupt = [0xcd, 0x80];
    const x32 = 0x40000000;
    assertEquals(await errnoOf([...edi(NEW_USER), ...eax(272), ...system]), EPERM, "unshare");
    assertEquals(await errnoOf([...edi(NEW_USER | 17), ...eax(56), ...system]), EPERM, "clone");
    assertEquals(await errnoOf([...edi(0), ...eax(435), ...system]), ENOSYS, "clone3");
    assertEquals(await errnoOf([...edi(0), ...eax(308), ...system]), EPERM, "setns");
    // A kernel without these ways ends the program, or does not know the call.
    assertNotEquals(await errnoOf([...ebx(NEW_USER), ...eax(310), ...interrupt]), 0, "i386");
    assertNotEquals(await errnoOf([...edi(NEW_USER), ...eax(x32 + 272), ...system]), 0, "x32");
  },
});

const edi = (value: number) => [0xbf, ...word(value)];
const eax = (value: number) => [0xb8, ...word(value)];
const ebx = (value: number) => [0xbb, ...word(value)];

/** Little-endian. */
function word(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
}

/** What a call of the kernel, in machine code, fails with; 0: it does not. */
async function errnoOf(call: readonly number[]): Promise<number> {
  await using folder = await tempDir();
  const path = `${folder.path}/call`;
  const negate = [0xf7, 0xd8];
  const exitWithIt = [0x89, 0xc7, ...eax(60), 0x0f, 0x05];
  await Deno.writeFile(path, program([...call, ...negate, ...exitWithIt]), { mode: 0o755 });
  return (await filtered([path])).code;
}

/** The smallest program: an ELF file with one segment. */
function program(code: readonly number[]): Uint8Array<ArrayBuffer> {
  const headers = 64 + 56;
  const address = 0x400000n;
  const view = new DataView(new ArrayBuffer(headers + code.length));
  const size = BigInt(view.byteLength);
  const bytes = new Uint8Array(view.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  const half = (offset: number, value: number) => view.setUint16(offset, value, true);
  const long = (offset: number, value: bigint) => view.setBigUint64(offset, value, true);
  half(16, 2); // executable
  half(18, 62); // x86-64
  half(20, 1);
  long(24, address + BigInt(headers)); // entry
  long(32, 64n); // program headers
  half(52, 64);
  half(54, 56);
  half(56, 1);
  half(64, 1); // loaded
  half(68, 5); // to read and run
  long(80, address);
  long(88, address);
  long(96, size);
  long(104, size);
  long(112, 0x1000n);
  bytes.set(code, headers);
  return bytes;
}
