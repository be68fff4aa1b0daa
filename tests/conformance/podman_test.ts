import { podmanEngine } from "../../src/runtimes/podman.ts";
import { testEngine } from "./engine_suite.ts";
import { MEMORY_STATUS } from "./limits.ts";

await testEngine(podmanEngine, {
  variables: ["HOSTNAME", "PWD", "TERM", "container"],
  deviations: { [MEMORY_STATUS]: "podman 4.3 does not notice it with cgroups v1" },
});
