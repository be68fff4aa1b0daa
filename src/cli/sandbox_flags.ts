import { KarotteError } from "../base/errors.ts";
import type { Network } from "../runtimes/abilities.ts";
import { namesOfRuntimes } from "../runtimes/runtimes.ts";
import type { SandboxWishes } from "../runtimes/wishes.ts";
import type { Arguments } from "./command.ts";
import { type Flag, flagName } from "./declaration.ts";
import { mountFlags } from "./mount_flags.ts";

/** Flags of what a run is to get of its sandbox; `--no-containerized` refuses every one. */
export const sandboxFlags = {
  runtime: {
    type: "string",
    value: "NAME",
    help: `What starts the sandbox: ${namesOfRuntimes()}.`,
  },
  mount: {
    type: "string",
    value: "SOURCE:TARGET[:ro]",
    repeatable: true,
    help: "A path of this machine in the sandbox; @FILE has one a line.",
  },
  network: {
    type: "string",
    value: "none|internal|open",
    help: "What the sandbox reaches: nothing, what you attach to it, or whatever the engine does.",
  },
  dev: {
    type: "boolean",
    help: "Use the last image that was built, with the tasks, tools and judges of now.",
  },
  prepareOnly: {
    type: "boolean",
    help: "Set all up, run no step and hold the sandbox until Ctrl-C; writes no file.",
  },
  keepContainers: { type: "boolean", help: "Leave the stopped container of each run." },
} as const satisfies Readonly<Record<string, Flag>>;

type SandboxFlags = Arguments<typeof sandboxFlags, Record<never, never>>["flags"];

/** Reads the flags; sources of mounts are relative to `directory`. Throws a usage error. */
export async function sandboxWishes(
  flags: SandboxFlags,
  directory: string,
): Promise<SandboxWishes> {
  return {
    runtime: flags.runtime,
    mounts: await mountFlags(flags.mount, directory),
    network: networkFlag(flags.network),
    dev: flags.dev ?? false,
    prepareOnly: flags.prepareOnly ?? false,
    keep: flags.keepContainers ?? false,
  };
}

/** Lists the flags that were given and mean nothing without a sandbox, as on the command line. */
export function flagsOfSandbox(
  flags: SandboxFlags & { readonly nParallel: number },
): readonly string[] {
  // The keys of what is written out above.
  const names = Object.keys(sandboxFlags) as (keyof typeof sandboxFlags)[];
  const given = names.filter((name) => isGiven(flags[name])).map((name) => `--${flagName(name)}`);
  return flags.nParallel > 1 ? ["-n", ...given] : given;
}

function isGiven(value: string | boolean | readonly string[] | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

function networkFlag(value = "none"): Network {
  if (value === "none" || value === "internal" || value === "open") return value;
  throw new KarotteError("usage", `Cannot use --network "${value}": there is no such network`, {
    hint: "networks: none, internal, open",
  });
}
