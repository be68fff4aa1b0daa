import { assert, assertEquals } from "@std/assert";
import type { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import { readInformation } from "../../src/runtimes/engine/information.ts";
import { launchShell, newRunId, say } from "./engine_lab.ts";
import type { EngineBehaviour } from "./engine_lifetime.ts";

const SENT_BYTES = 200_000_000;
/** Far less than what was sent, and more than an engine writes about a container. */
const FEW_BYTES = 1_000_000;

export const LEAVES_NO_LOG: EngineBehaviour = {
  name: "200 MB over the channel leave no log file behind",
  differs: ["product"],
  async test(runtime, caller) {
    const runId = newRunId();
    await using sandbox = await launchShell(runtime, { runId });
    await say(sandbox, `head -c ${SENT_BYTES} /dev/zero; read line; exit\n`);
    let received = 0;
    for await (const chunk of sandbox.stdout) {
      if ((received += chunk.length) >= SENT_BYTES) break;
    }
    assertEquals(received, SENT_BYTES);
    const { id, logPath } = await described(caller, `karotte_run_${runId}`);
    assertEquals(logPath, "");
    const folder = await folderOf(caller, id);
    if (folder !== undefined) assert(await bytesBelow(folder) < FEW_BYTES, folder);
    await say(sandbox, "\n");
    assertEquals((await sandbox.status).code, 0);
    await sandbox.stderr.cancel();
  },
};

interface Inspected {
  readonly Id: string;
  /** Docker's. */
  readonly LogPath?: string;
  /** Podman's. */
  readonly HostConfig: { readonly LogConfig: { readonly Path?: string } };
}

async function described(caller: EngineCaller, name: string) {
  const text = await caller.ask("inspect", ["inspect", "--type", "container", name]);
  const [{ Id, LogPath, HostConfig }] = JSON.parse(text) as [Inspected];
  return { id: Id, logPath: LogPath ?? HostConfig.LogConfig.Path ?? "" };
}

/** Where the engine keeps what it knows of a container; undefined: on another machine. */
async function folderOf(caller: EngineCaller, id: string): Promise<string | undefined> {
  const information = await readInformation(caller);
  if (information === undefined || information.remote) return undefined;
  const [field, name] = information.product === "podman"
    ? ["Store.GraphRoot", "overlay-containers"]
    : ["DockerRootDir", "containers"];
  const root = await caller.ask("find its folder", ["info", "--format", `{{.${field}}}`]);
  return `${root.trim()}/${name}/${id}`;
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) bytes += await bytesBelow(path);
    else bytes += (await Deno.lstat(path)).size;
  }
  return bytes;
}
