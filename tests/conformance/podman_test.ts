import { podmanEngine } from "../../src/runtimes/podman.ts";
import { testEngine } from "./engine_suite.ts";

await testEngine(podmanEngine, { variables: ["HOSTNAME", "PWD", "TERM", "container"] });
