import { dockerEngine } from "../../src/runtimes/docker.ts";
import { testDaemonFaults } from "./daemon_faults.ts";
import { testDev } from "./dev.ts";
import { testFaults } from "./faults.ts";
import { testImages } from "./image.ts";
import { testPrepare } from "./prepare.ts";

await testImages(dockerEngine);
await testDev(dockerEngine);
await testPrepare(dockerEngine);
await testDaemonFaults();
await testFaults(dockerEngine);
