import { type Engine, type EngineOptions, engineRuntime } from "../engine.ts";
import type { Runtime } from "../runtime.ts";

export const dockerEngine: Engine = {
  name: "docker",
  command: ["docker"],
  builder: "docker",
  runArguments: [],
  confinedBy: "runc",
  lowLevelRuntime: undefined,
  setUp: "Install docker (Debian: `apt-get install docker.io`) and start its daemon.",
};

/** Docker, local or remote; also podman that is called docker. */
export function docker(options?: EngineOptions): Runtime {
  return engineRuntime(dockerEngine, options);
}
