/** A checkout for tests of the shell scripts: the scripts are the real ones, deno is not. */
import { dirname, join } from "@std/path";
import { run, type RunResult } from "../src/base/process.ts";
import { tempDir } from "../src/base/temp_dir.ts";

export interface FakeCheckout extends AsyncDisposable {
  /** Has a space in it. */
  readonly path: string;
  /** Runs one of the scripts from the root folder, and from nothing of the caller's environment. */
  script(name: string, args?: string[], env?: Record<string, string>): Promise<ScriptResult>;
  /** Replaces the body of a fake program; its arguments are in `$@`. */
  program(name: string, body: string): Promise<void>;
  read(path: string): Promise<string>;
}

export interface ScriptResult extends Pick<RunResult, "code"> {
  stdout: string;
  stderr: string;
}

/** Says what it was called with; installs, and finds no JSR. */
const DENO = `case $1 in
  --version) echo "deno 2.9.6 (stable)" ;;
  install) ;;
  cache) exit 1 ;;
  *) printf '%s\\n' "$@" ;;
esac`;

/** Programs that the scripts may call; there is nothing else on their PATH. */
const TOOLS =
  "basename cat chmod cksum cp dirname env flock grep head id ls mkdir mktemp mv readlink rm " +
  "od sed sh sha256sum tail tee timeout touch tr uname";

export async function fakeCheckout(): Promise<FakeCheckout> {
  const folder = await tempDir();
  const path = join(folder.path, "check out");
  const bin = join(folder.path, "bin");
  await Deno.mkdir(bin);
  await copy(dirname(import.meta.dirname ?? "."), path);
  await linkTools(bin);
  const checkout: FakeCheckout = {
    path,
    async script(name, args = [], env = {}) {
      const result = await run(["/bin/sh", join(path, "scripts", name), ...args], {
        cwd: "/",
        env: { PATH: bin, KAROTTE_TOOLS: join(folder.path, "tools"), ...env },
        clearEnv: true,
        timeoutMs: 60_000,
      });
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      return { code: result.code, stdout: text(result.stdout), stderr: text(result.stderr) };
    },
    async program(name, body) {
      await Deno.writeTextFile(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    },
    read: (name) => Deno.readTextFile(join(path, name)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
  await checkout.program("deno", DENO);
  return checkout;
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(join(to, "scripts/offline"), { recursive: true });
  const scripts = [
    ...["deno", "karotte", "setup.sh", "test.sh", "toolchain.sh", "system_packages.sh"],
    ...["denort.sh", "quickstart.sh"],
  ];
  const names = scripts.map((name) => `scripts/${name}`);
  for (const name of [...names, "deno.json", "deno.lock", "scripts/offline/imports.json"]) {
    await Deno.copyFile(join(from, name), join(to, name));
  }
}

async function linkTools(bin: string): Promise<void> {
  for (const tool of TOOLS.split(" ")) {
    const path = ["/usr/bin", "/bin"].map((folder) => join(folder, tool)).find(isThere);
    if (path !== undefined) await Deno.symlink(path, join(bin, tool));
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
