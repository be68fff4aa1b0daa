import { type Engine, type EngineOptions, engineRuntime } from "./engine.ts";
import type { Runtime } from "./runtime.ts";

export const podmanEngine: Engine = {
  name: "podman",
  command: ["podman"],
  builder: "buildah",
  runArguments: [],
  confinedBy: "runc",
  lowLevelRuntime: undefined,
  // Without catatonit there is no --init.
  setUp: "Install podman and its init (Debian: `apt-get install podman catatonit`).",
};

/** Podman, as root or not, local or remote. */
export function podman(options?: EngineOptions): Runtime {
  return engineRuntime(podmanEngine, options);
}
