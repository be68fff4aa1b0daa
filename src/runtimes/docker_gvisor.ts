import { type Engine, type EngineOptions, engineRuntime } from "./engine.ts";
import type { Runtime } from "./runtime.ts";

export const dockerGvisorEngine: Engine = {
  name: "docker:gvisor",
  command: ["docker"],
  builder: "docker",
  runArguments: ["--runtime", "runsc"],
  confinedBy: "gvisor",
  lowLevelRuntime: "runsc",
  setUp: "Install gVisor and register it: `sudo runsc install && sudo systemctl restart docker`.",
};

/** Docker with gVisor between the student and the host's kernel. */
export function dockerGvisor(options?: EngineOptions): Runtime {
  return engineRuntime(dockerGvisorEngine, options);
}
