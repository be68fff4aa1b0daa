import { dockerEngine } from "../../src/runtimes/docker.ts";
import { testDev } from "./dev.ts";
import { testImages } from "./image.ts";

await testImages(dockerEngine);
await testDev(dockerEngine);
