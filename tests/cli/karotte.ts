import { fromFileUrl } from "@std/path";
import { type Child, run, spawn } from "../../src/base/process.ts";
import { TEST_CONFIG } from "../support/own_folder.ts";

export const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/**
 * The program under test: the compiled binary that `KAROTTE_BINARY` names, else the source tree.
 */
const binary = Deno.env.get("KAROTTE_BINARY");
const KAROTTE = binary === undefined ? ["sh", `${ROOT}scripts/karotte`] : [binary];

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called once it runs. */
  onStart?(pid: number): void;
}

/** Runs `karotte ARGS...` to its end. Bundles are kept from test to test: they go by content. */
export async function karotte(args: readonly string[], options: CallOptions): Promise<Said> {
  const { code, stdout, stderr } = await run([...KAROTTE, ...args], {
    cwd: options.cwd,
    env: environment(options),
    clearEnv: true,
    onSpawn: ({ pid }) => options.onStart?.(pid),
  });
  return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
}

/** What the user of this machine has set for Karotte, which is nothing to tests. */
const THE_USERS_OWN = /^(KAROTTE|CHALK)_|_API_KEY$|^FORCE_COLOR$/;
export interface StartOptions extends CallOptions {
  /** The argv of what starts it, before its own; absent: nothing else. */
  readonly under?: readonly string[];
}

/**
 * Starts `karotte ARGS...`; its streams are the caller's to drain. Signals are not ignored, though
 * these tests may be a background job, or run under nohup.
 */
export function startKarotte(args: readonly string[], options: StartOptions): Child {
  const argv = [...DEFAULT_SIGNALS, ...options.under ?? [], ...KAROTTE, ...args];
  return spawn(argv, { cwd: options.cwd, env: environment(options), clearEnv: true });
}

const DEFAULT_SIGNALS = ["env", "--default-signal=HUP,INT,TERM"];

function environment({ env }: CallOptions): Record<string, string> {
  const inherited = Object.entries(Deno.env.toObject());
  return {
    ...Object.fromEntries(inherited.filter(([name]) => !THE_USERS_OWN.test(name))),
    NO_COLOR: "1",
    ...configuration(env?.HOME),
    KAROTTE_DENO: Deno.execPath(),
    // Tests of engines name theirs.
    KAROTTE_RUNTIME: "bubblewrap",
    KAROTTE_CACHE: `${ROOT}node_modules/.karotte/test_cache`,
    ...env,
  };
}

/** No plugins and no registry of the user, but those of a home that a test made. */
function configuration(home: string | undefined): Record<string, string> {
  return home === undefined
    ? { XDG_CONFIG_HOME: TEST_CONFIG, NPM_CONFIG_USERCONFIG: `${TEST_CONFIG}/npmrc` }
    : { XDG_CONFIG_HOME: "", NPM_CONFIG_USERCONFIG: "" };
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
