import { dockerEngine } from "../../src/runtimes/docker.ts";
import { testImages } from "./image.ts";

await testImages(dockerEngine);
