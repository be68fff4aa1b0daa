/**
 * A Karotte host of its own, for tests that kill one: a container of the engine that copies its
 * input to its output. Says `ready` when it does.
 */
import { engineRuntime } from "../../src/runtimes/engine.ts";
import { DOCKER_LIKE, launchShell, say } from "./engine_lab.ts";
import { waitFor } from "./lab.ts";

const [name = "", runId = "", network] = Deno.args;
const engine = DOCKER_LIKE.find((each) => each.name === name);
if (engine === undefined) throw new Error(`no engine "${name}"`);

const sandbox = await launchShell(engineRuntime(engine), {
  runId,
  network: network === "internal" ? network : "none",
});
await say(sandbox, "echo ready; exec cat\n");
await waitFor(sandbox.stdout, "ready");
console.log("ready");
await sandbox.status;
