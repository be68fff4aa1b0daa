import { type Engine, type EngineOptions, engineRuntime } from "./engine.ts";
import type { Runtime } from "./runtime.ts";

export const nerdctlEngine: Engine = {
  name: "nerdctl",
  command: ["nerdctl"],
  builder: "buildkit",
  runArguments: [],
  confinedBy: "runc",
  lowLevelRuntime: undefined,
  setUp: "Install containerd and the full nerdctl bundle, which has its init and CNI plugins.",
};

/** containerd by nerdctl. */
export function nerdctl(options?: EngineOptions): Runtime {
  return engineRuntime(nerdctlEngine, options);
}
