import { warn } from "../base/log.ts";
import type { Launcher } from "./bubblewrap/namespace_entry.ts";
import { launch } from "./bubblewrap/launch.ts";
import { checkHost } from "./bubblewrap/requirements.ts";
import { removeLeftovers } from "./bubblewrap/removal.ts";
import { defaultDirectory } from "./bubblewrap/run_folder.ts";
import type { Abilities } from "./abilities.ts";
import type { Runtime } from "./runtime.ts";
import { checkSpec } from "./spec_check.ts";

/** What tests and hosts out of the ordinary say of it. */
export interface BubblewrapOptions {
  /** The folder in which run folders are made; `$TMPDIR`, else `/var/tmp`, if absent. */
  directory?: string;
  /** The program that makes a plain user's user namespace; the one that fits the host if absent. */
  launcher?: Launcher;
  /** Told of limits that can't be enforced here; stderr if absent. */
  warn?: (text: string) => void;
}

const ABILITIES: Abilities = {
  content: "files",
  networks: ["none"],
  keeps: false,
  arguments: false,
  passthrough: false,
  dev: false,
  kernel: "the host's, from a user namespace",
  limits: {
    memory: "prevented",
    cpus: "not kept",
    processes: "prevented",
    disk: "not kept",
    files: "not kept",
  },
  limitsHold: "where Karotte may make control groups",
};

/**
 * Makes a runtime of kernel namespaces by `bwrap`: no daemon, no image; the programs are the host's
 * own, from /usr. Runs as root or as a plain user with subordinate ids, else refuses.
 */
export function bubblewrap(options: BubblewrapOptions = {}): Runtime {
  const directory = options.directory ?? defaultDirectory();
  return {
    name: "bubblewrap",
    setUp: "Install it, for example with `apt-get install bubblewrap`.",
    abilities: ABILITIES,
    probe: checkHost,
    removeLeftovers: () => removeLeftovers(directory),
    async launch(spec) {
      checkSpec(spec, this);
      return await launch(spec, {
        directory,
        launcher: options.launcher,
        warn: options.warn ?? warn,
      });
    },
  };
}
