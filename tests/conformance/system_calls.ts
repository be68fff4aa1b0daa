import { fromFileUrl } from "@std/path";
import { assertEquals } from "@std/assert";
import { cacheDirectory } from "../../src/cache/cache_directory.ts";
import { denoProgram } from "../../src/host/environment/harness_program.ts";
import { bundleProgram } from "../../src/loader/program.ts";
import { kernelKey } from "../support/kernel_key.ts";
import { systemCallProgram, type Way } from "../support/system_call_program.ts";
import type { Behaviour } from "./behaviour.ts";
import { AS_STUDENT, type Lab } from "./lab.ts";

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const [UNIX, VSOCK, STREAM] = [1, 40, 1];
/** KEYCTL_GET_KEYRING_ID of the session keyring and of the user's. */
const [GET_KEYRING, SESSION, USER] = [0, -3, -4];

/** Name of a program -> the call that it makes and the errno that it is to get. */
const CALLS: Readonly<
  Record<string, readonly [number: number, args: readonly number[], errno: number, way?: Way]>
> = {
  "unix-socket": [41, [UNIX, STREAM], 0],
  "vsock-socket": [41, [VSOCK, STREAM], EAFNOSUPPORT],
  "vsock-socket-32": [359, [VSOCK, STREAM], EAFNOSUPPORT, "int 0x80"],
  "socketcall-32": [102, [1], ENOSYS, "int 0x80"],
  "io_uring_setup": [425, [1], EPERM],
  "io_uring_setup-32": [425, [1], EPERM, "int 0x80"],
  "session-keyring": [250, [GET_KEYRING, SESSION], EPERM],
  "user-keyring": [250, [GET_KEYRING, USER], EPERM],
  "user-keyring-32": [288, [GET_KEYRING, USER], EPERM, "int 0x80"],
  "request_key": [249, [], EPERM],
  "add_key": [248, [], EPERM],
};

/** A kernel without calls of 32 bits ends such a program by signal 11. */
const SEGMENTATION_FAULT = 139;

/** The behaviours of what the harness starts, under the restrictions that it takes upon itself. */
export const systemCalls: Behaviour[] = Deno.build.arch !== "x86_64" ? [] : [
  {
    name: "neither root nor the student has sockets to the hypervisor, io_uring, or keys",
    async test(lab) {
      const found = await attempts(lab);
      for (const who of ["root", "student"]) {
        for (const [name, [, , errno, way]] of Object.entries(CALLS)) {
          const status = found[`${who} ${name}`];
          if (way === "int 0x80" && status === SEGMENTATION_FAULT) continue;
          assertEquals([who, name, status], [who, name, errno]);
        }
      }
    },
  },
  {
    name: "nobody sees the names of keys",
    async test(lab) {
      using _key = kernelKey("karotte-test");
      const { out } = await lab.run(`exec >&4
        cat /proc/keys 2>/dev/null; student cat /proc/keys 2>/dev/null; echo done`);
      assertEquals(out, "done\n");
    },
  },
];

/** `who name` -> the exit status of that program. */
async function attempts(lab: Lab): Promise<Record<string, number>> {
  const programs = Object.entries(CALLS).map(([name, [number, args, , way]]) => {
    const source = `${lab.scratch}/${name}`;
    Deno.writeFileSync(source, systemCallProgram(number, args, way), { mode: 0o755 });
    return { name, source };
  });
  const entry = fromFileUrl(new URL("filtered_program.ts", import.meta.url));
  const bundle = await bundleProgram({ cacheDirectory: cacheDirectory(), entry });
  const { files, command } = denoProgram({ deno: Deno.execPath(), bundle });
  const script = `${AS_STUDENT}cd /opt/karotte/bin
    for name in ${Object.keys(CALLS).join(" ")}; do
      ./$name 2>/dev/null; echo "root $name:$?"
      student ./$name 2>/dev/null; echo "student $name:$?"
    done`;
  const { err } = await lab.run("", {
    program: { files: [...files, ...programs], argv: [...command, "bash", "-c", script] },
  });
  const lines = [...err.matchAll(/^(\S+ \S+):(\d+)$/gm)];
  if (lines.length === 0) throw new Error(`no attempt was made: ${err}`);
  return Object.fromEntries(lines.map(([, key = "", status]) => [key, Number(status)]));
}
