import { podmanEngine } from "../../src/runtimes/podman.ts";
import { testDev } from "./dev.ts";
import { testImages } from "./image.ts";

await testImages(podmanEngine);
await testDev(podmanEngine);
