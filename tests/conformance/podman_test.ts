import { podmanEngine } from "../../src/runtimes/engine/engines.ts";
import { NO_USER_NAMESPACE } from "./confinement.ts";
import { podmanService } from "./engine_remote.ts";
import { testEngine } from "./engine_suite.ts";

await testEngine(podmanEngine, {
  variables: ["HOSTNAME", "PWD", "TERM", "container"],
  remoteDeviations: {
    [NO_USER_NAMESPACE]:
      "a service takes no seccomp profile from its clients; the harness sees to it",
  },
  startElsewhere: podmanService,
  file: "tests/conformance/podman_test.ts",
});
