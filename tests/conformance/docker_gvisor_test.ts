import { dockerGvisorEngine } from "../../src/runtimes/engine/engines.ts";
import { testEngine } from "./engine_suite.ts";

await testEngine(dockerGvisorEngine, {
  variables: ["HOSTNAME", "PWD"],
  file: "tests/conformance/docker_gvisor_test.ts",
});
