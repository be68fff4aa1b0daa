import { dockerEngine } from "../../src/runtimes/engine/engines.ts";
import { dockerOverTcp } from "./engine_remote.ts";
import { testEngine } from "./engine_suite.ts";

await testEngine(dockerEngine, {
  variables: ["HOSTNAME", "PWD"],
  startElsewhere: dockerOverTcp,
  file: "tests/conformance/docker_test.ts",
});
