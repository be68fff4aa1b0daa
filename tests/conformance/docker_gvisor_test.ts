import { dockerGvisorEngine } from "../../src/runtimes/docker_gvisor.ts";
import { testEngine } from "./engine_suite.ts";

await testEngine(dockerGvisorEngine, {
  variables: ["HOSTNAME", "PWD"],
  file: "tests/conformance/docker_gvisor_test.ts",
});
