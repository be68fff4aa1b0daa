import { podmanEngine } from "../../src/runtimes/engine/engines.ts";
import { testTricksOn } from "./engine.ts";

await testTricksOn(podmanEngine);
