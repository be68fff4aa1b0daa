import { dockerEngine } from "../../src/runtimes/docker.ts";
import { testEngine } from "./engine_suite.ts";

await testEngine(dockerEngine, { variables: ["HOSTNAME", "PWD"] });
