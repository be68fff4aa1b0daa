import { nerdctlEngine } from "../../src/runtimes/engine/engines.ts";
import { testEngine } from "./engine_suite.ts";

await testEngine(nerdctlEngine, {
  variables: ["HOSTNAME", "PWD"],
  file: "tests/conformance/nerdctl_test.ts",
});
