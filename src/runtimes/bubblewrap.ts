import { warn } from "../base/log.ts";
import type { Launcher } from "./bubblewrap/entrance.ts";
import { launch } from "./bubblewrap/launch.ts";
import { checkHost } from "./bubblewrap/requirements.ts";
import { removeLeftovers } from "./bubblewrap/removal.ts";
import { defaultDirectory } from "./bubblewrap/run_folder.ts";
import type { Runtime } from "./runtime.ts";

export interface BubblewrapOptions {
  /** Where run folders are made; `$TMPDIR`, else `/var/tmp`, if absent. */
  directory?: string;
  /** Which program makes a plain user's user namespace; the one that fits the host if absent. */
  launcher?: Launcher;
  /** Told of limits that can't be enforced here; stderr if absent. */
  warn?: (text: string) => void;
}

/**
 * Sandboxes made of kernel namespaces by `bwrap`: no daemon, no image; the programs are the host's
 * own, from /usr. Runs as root or as a plain user with subordinate ids, else refuses.
 */
export function bubblewrap(options: BubblewrapOptions = {}): Runtime {
  const directory = options.directory ?? defaultDirectory();
  return {
    name: "bubblewrap",
    probe: checkHost,
    removeLeftovers: () => removeLeftovers(directory),
    launch: (spec) =>
      launch(spec, {
        directory,
        launcher: options.launcher,
        warn: options.warn ?? warn,
      }),
  };
}
