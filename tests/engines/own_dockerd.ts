import { type Child, run, spawn } from "../../src/base/process.ts";
import { removeIfThere, tempDir } from "../../src/base/temp_dir.ts";
import { BASE_IMAGE } from "../conformance/engine_here.ts";
import { eventually } from "../conformance/lab.ts";

/**
 * A docker daemon of a test's own, which shares nothing with the machine's, with the base image.
 */
export interface OwnDockerd extends AsyncDisposable {
  /** For its clients. */
  readonly variables: Readonly<Record<string, string>>;
  /** Ends the daemon, and waits for its end. */
  stop(signal: Deno.Signal): Promise<void>;
  /** Starts it on the same data; resolves when it answers. */
  start(): Promise<void>;
}

/** Has addresses for one network. */
const POOL = "base=10.213.47.0/30,size=30";

/** `variables`: for the client of the machine's docker, whence the image comes. */
export async function ownDockerd(
  variables: Readonly<Record<string, string>>,
): Promise<OwnDockerd> {
  const folder = await tempDir();
  const { path } = folder;
  const client = { DOCKER_HOST: `unix://${path}/socket` };
  const docker = (args: readonly string[]) => run(["docker", ...args], { env: client });
  let daemon: Child | undefined;
  const stop = async (signal: Deno.Signal) => {
    daemon?.kill(signal);
    await daemon?.status;
    daemon = undefined;
  };
  const start = async () => {
    // Whoever adopts what a killed daemon leaves may never reap it: its pid looks alive.
    for (const file of ["pid", "exec/containerd/containerd.pid"]) {
      await removeIfThere(`${path}/${file}`);
    }
    daemon = spawn([
      // What it starts outlives a daemon that is killed, and would hold our end of a pipe open.
      ...["sh", "-c", 'exec "$@" >>"$0" 2>&1', `${path}/log`],
      // Its mounts and networks go with it; without a network of its own it would take the bridge
      // of the machine's daemon away.
      ...["unshare", "--net", "--mount", "--propagation", "private"],
      ...["dockerd", "--host", client.DOCKER_HOST, "--pidfile", `${path}/pid`],
      ...["--data-root", `${path}/data`, "--exec-root", `${path}/exec`],
      ...["--bridge", "none", "--iptables=false", "--ip-masq=false", "--ip-forward=false"],
      ...["--default-address-pool", POOL],
    ]);
    await Promise.all([daemon.stdout.cancel(), daemon.stderr.cancel()]);
    if (await eventually(async () => (await docker(["version"])).code === 0)) return;
    throw new Error(`the daemon does not answer: ${await Deno.readTextFile(`${path}/log`)}`);
  };
  const end = async () => {
    // One that was killed left its containers; only a daemon that ends in order removes their
    // mounts.
    if (daemon === undefined) await start();
    await stop("SIGTERM");
    await folder[Symbol.asyncDispose]();
  };
  try {
    await start();
    const image = `${path}/image.tar`;
    await run(["docker", "save", "--output", image, BASE_IMAGE], { env: variables });
    const loaded = await docker(["load", "--input", image]);
    if (loaded.code !== 0) throw new Error(new TextDecoder().decode(loaded.stderr));
  } catch (error) {
    await end();
    throw error;
  }
  return { variables: client, stop, start, [Symbol.asyncDispose]: end };
}
