/**
 * Prints the milliseconds that it takes to import the bundler and to bundle the environment in
 * folder `ARGS[0]` with the cache in folder `ARGS[1]`.
 */
import { printLine } from "../../src/base/log.ts";

const [directory = "", cacheDirectory = ""] = Deno.args;
const start = performance.now();
const { bundleEnvironment } = await import("../../src/loader/environment_bundle.ts");
await bundleEnvironment({ directory, cacheDirectory, offline: true });
printLine(String(performance.now() - start));
