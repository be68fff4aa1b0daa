import { join } from "@std/path";
import { writePackage } from "../../scripts/package.ts";
import { run } from "../../src/base/process.ts";
import { type TempDir, tempDir } from "../../src/base/temp_dir.ts";
import { ROOT, type Said, textOf } from "../cli/karotte.ts";
import { JsrRegistry } from "./registry.ts";

const COMMAND_TIMEOUT_MS = 240_000;

/** A machine with a Deno whose JSR is a registry that holds this checkout's package. */
export interface Machine extends AsyncDisposable {
  readonly registry: JsrRegistry;
  /** A folder for the test's files, empty at first. */
  readonly path: string;
  /** Runs `deno ARGS...` in a folder below `path`, or there. */
  deno(args: readonly string[], folder?: string): Promise<Said>;
  /** Runs `deno run -A jsr:@karotte/cli ARGS...`. */
  karotte(args: readonly string[], folder?: string): Promise<Said>;
}

/** Publishes the checkout with `deno publish` to a registry of its own. */
export async function machineWithPackage(): Promise<Machine> {
  await using made = new AsyncDisposableStack();
  const home = made.use(await tempDir("karotte-jsr-"));
  const registry = made.use(new JsrRegistry());
  await addStandardModules(registry);
  await copyNpmCache(`${home.path}/deno`);
  const [files, source] = [`${home.path}/files`, `${home.path}/package`];
  await Promise.all([Deno.mkdir(files), Deno.mkdir(source)]);

  const deno = async (args: readonly string[], cwd: string): Promise<Said> => {
    const { code, stdout, stderr } = await run([Deno.execPath(), ...args], {
      cwd,
      env: environment(registry, home),
      clearEnv: true,
      timeoutMs: COMMAND_TIMEOUT_MS,
    });
    return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
  };
  await writePackage(source);
  const published = await deno(
    // The token means nothing to this registry; without one Deno would ask for a log-in. The types
    // are checked by what checks the whole checkout.
    ["publish", "--token=none", "--no-provenance", "--no-check"],
    source,
  );
  if (published.code !== 0) throw new Error(`Cannot publish: ${published.stderr}`);

  const kept = made.move();
  const below = (folder = ".") => join(files, folder);
  return {
    registry,
    path: files,
    deno: (args, folder) => deno(args, below(folder)),
    karotte: (args, folder) => deno(["run", "-A", "jsr:@karotte/cli", ...args], below(folder)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The stand-ins for `@std`, each of the lowest version that deno.json takes. */
async function addStandardModules(registry: JsrRegistry): Promise<void> {
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)) as {
    imports: Record<string, string>;
  };
  for (const [name, specifier] of Object.entries(imports)) {
    const version = /^jsr:@std\/\w+@\^(.+)$/.exec(specifier)?.[1];
    // The stand-in of assert is two files, and nothing that is published imports it.
    if (version === undefined || name === "@std/assert") continue;
    const path = `${ROOT}scripts/offline/${name.slice("@std/".length)}.ts`;
    const files = new Map([["mod.ts", await Deno.readFile(path)]]);
    registry.add({ name, version, files, exports: { ".": "./mod.ts" } });
  }
}

/** Saves the time that fetching the packages of npm takes, where the machine's Deno has some. */
async function copyNpmCache(denoDirectory: string): Promise<void> {
  await Deno.mkdir(denoDirectory);
  const info = await run([Deno.execPath(), "info", "--json", "--no-config"]);
  const { npmCache } = JSON.parse(textOf(info.stdout)) as { npmCache: string };
  await run(["cp", "-R", "--", npmCache, `${denoDirectory}/npm`]);
}

function environment(registry: JsrRegistry, home: TempDir): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    HOME: home.path,
    JSR_URL: registry.url,
    DENO_DIR: `${home.path}/deno`,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    KAROTTE_CACHE: `${home.path}/cache`,
    KAROTTE_RUNTIME: "bubblewrap",
    ...Object.fromEntries(
      ["NPM_CONFIG_REGISTRY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "DENO_CERT"].flatMap(
        (name) => {
          const value = Deno.env.get(name) ?? Deno.env.get(name.toLowerCase());
          return value === undefined ? [] : [[name, value]];
        },
      ),
    ),
  };
}
