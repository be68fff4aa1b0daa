import { podmanEngine } from "../../src/runtimes/podman.ts";
import { testImages } from "./image.ts";

await testImages(podmanEngine);
