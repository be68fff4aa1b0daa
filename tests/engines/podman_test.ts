import { podmanEngine } from "../../src/runtimes/engine/engines.ts";
import { testDev } from "./dev.ts";
import { testFaults } from "./faults.ts";
import { testExhaustion } from "./exhaustion.ts";
import { testImages } from "./image.ts";
import { testKeys } from "./keys.ts";
import { testOtherPlatform } from "./other_platform.ts";
import { testPrepare } from "./prepare.ts";
import { testRemotePodman } from "./remote_podman.ts";

await testImages(podmanEngine);
await testDev(podmanEngine);
await testPrepare(podmanEngine);
await testFaults(podmanEngine);
await testRemotePodman();
await testExhaustion(podmanEngine);
await testOtherPlatform(podmanEngine);
await testKeys(podmanEngine);
