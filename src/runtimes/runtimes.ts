import { KarotteError, messageOf } from "../base/errors.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { dockerEngine } from "./engine/engines.ts";
import { dockerGvisorEngine } from "./docker_gvisor.ts";
import { type Engine, engineRuntime } from "./engine.ts";
import { nerdctlEngine } from "./nerdctl.ts";
import { podmanEngine } from "./podman.ts";
import type { Runtime, RuntimeInfo } from "./runtime.ts";

/** A runtime that Karotte knows, whether it is here or not. */
export interface KnownRuntime {
  readonly name: string;
  /** What builds its images; undefined: it needs none. */
  readonly engine: Engine | undefined;
  /** How to get it: one sentence. */
  readonly setUp: string;
  readonly gives: Guarantees;
  make(): Runtime;
}

/** What holds for a student in its sandboxes, in words for the user. */
export interface Guarantees {
  readonly kernel: string;
  readonly memory: string;
  readonly processes: string;
  readonly disk: string;
  readonly network: string;
}

const BY_ENGINE: Guarantees = {
  kernel: "the host's",
  memory: "limited as a whole",
  processes: "limited as a whole",
  disk: "not limited, but for /tmp, /run and /dev/shm",
  network: "none unless asked for",
};

const BY_BUBBLEWRAP: Guarantees = {
  kernel: "the host's, from a user namespace",
  memory: "limited as a whole where Karotte may make control groups",
  processes: "limited as a whole where Karotte may make control groups",
  disk: "not limited, but for /tmp, /run and /dev/shm",
  network: "none",
};

/** All of them, in the order in which they are shown. */
export const RUNTIMES: readonly KnownRuntime[] = [
  byEngine(dockerEngine),
  byEngine(podmanEngine),
  {
    name: "bubblewrap",
    engine: undefined,
    setUp: "Install it, for example with `apt-get install bubblewrap`.",
    gives: BY_BUBBLEWRAP,
    make: () => bubblewrap(),
  },
  byEngine(nerdctlEngine),
  byEngine(dockerGvisorEngine, { kernel: "gVisor's, which is no part of the host's" }),
];

/** The first of these that works is the default; the others are used only by name. */
export const DEFAULTS: readonly string[] = ["docker", "podman", "bubblewrap"];

/** Throws a usage error that lists all names if there is no such runtime. */
export function runtimeNamed(name: string): KnownRuntime {
  const found = RUNTIMES.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new KarotteError("usage", `Cannot use runtime "${name}": there is no such runtime`, {
    hint: `runtimes: ${RUNTIMES.map((each) => each.name).join(", ")}`,
  });
}

/** What there is of a runtime on this machine. */
export type RuntimeState =
  | { readonly state: "here"; readonly info: RuntimeInfo }
  | { readonly state: "broken"; readonly why: string; readonly hint: string | undefined }
  | { readonly state: "absent" };

/** Looks; whatever is wrong with the runtime is a value. */
export async function stateOf(runtime: Runtime): Promise<RuntimeState> {
  try {
    const info = await runtime.probe();
    return info === undefined ? { state: "absent" } : { state: "here", info };
  } catch (error) {
    const hint = error instanceof KarotteError ? error.hint : undefined;
    return { state: "broken", why: messageOf(error), hint };
  }
}

function byEngine(engine: Engine, differing: Partial<Guarantees> = {}): KnownRuntime {
  return {
    name: engine.name,
    engine,
    setUp: engine.setUp,
    gives: { ...BY_ENGINE, ...differing },
    make: () => engineRuntime(engine),
  };
}
