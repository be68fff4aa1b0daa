import { dockerEngine } from "../../src/runtimes/docker.ts";
import { testDaemonFaults } from "./daemon_faults.ts";
import { testDev } from "./dev.ts";
import { testFaults } from "./faults.ts";
import { testExhaustion } from "./exhaustion.ts";
import { testImages } from "./image.ts";
import { testManyRuns } from "./many_runs.ts";
import { testOtherPlatform } from "./other_platform.ts";
import { testPrepare } from "./prepare.ts";

await testImages(dockerEngine);
await testDev(dockerEngine);
await testPrepare(dockerEngine);
await testDaemonFaults();
await testFaults(dockerEngine);
await testManyRuns(dockerEngine);
await testExhaustion(dockerEngine);
await testOtherPlatform(dockerEngine);
