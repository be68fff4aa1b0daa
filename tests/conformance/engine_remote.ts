import { type Child, run, spawn } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { RUN } from "./bubblewrap_here.ts";
import { ELSEWHERE_VARIABLE } from "./engine_here.ts";
import { eventually, waitFor } from "./lab.ts";

/** A daemon that is reached over TCP on loopback, as one on another machine would be. */
export interface RemoteEngine extends AsyncDisposable {
  /** For the engine's client. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The docker daemon of this machine behind a TCP port. */
export async function dockerOverTcp(): Promise<RemoteEngine> {
  const program = new URL("socket_relay.ts", import.meta.url).pathname;
  const relay = spawn([Deno.execPath(), ...RUN, program, "/var/run/docker.sock"]);
  const said = await waitFor(relay.stdout, "\n");
  const variables = { DOCKER_HOST: `tcp://127.0.0.1:${said.trim()}` };
  return { variables, [Symbol.asyncDispose]: () => stop(relay) };
}

/** A podman service of its own on a free port. */
export async function podmanService(
  variables: Readonly<Record<string, string>>,
): Promise<RemoteEngine> {
  const probe = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const address = `tcp://127.0.0.1:${probe.addr.port}`;
  probe.close();
  // It leaves files where it is started (`oom`).
  const folder = await tempDir();
  const service = spawn(["podman", "system", "service", "--time=0", address], {
    env: variables,
    cwd: folder.path,
  });
  const end = async () => {
    await stop(service);
    await folder[Symbol.asyncDispose]();
  };
  const client = { ...variables, CONTAINER_HOST: address };
  const answers = async () => (await run(["podman", "version"], { env: client })).code === 0;
  if (!await eventually(answers)) {
    await end();
    throw new Error("podman's service does not answer");
  }
  return { variables: client, [Symbol.asyncDispose]: end };
}

async function stop(child: Child): Promise<void> {
  child.kill("SIGTERM");
  await Promise.allSettled([child.status, child.stdout.cancel(), child.stderr.cancel()]);
}

const ROOT = new URL("../../", import.meta.url).pathname;
const TEST = ["test", "--allow-all", "--no-check", "--no-lock"];
/** Temporary folders that no daemon sees: in memory, in a mount namespace of the tests' own. */
const UNSEEN = 'mount -t tmpfs none /mnt && export TMPDIR=/mnt && exec "$@"';

/** Runs a test file as on a machine that shares no file with its engine; throws what fails. */
export async function testElsewhere(
  file: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const deno = [Deno.execPath(), ...TEST, "--import-map", "scripts/offline/imports.json", file];
  const argv = [
    "unshare",
    "--mount",
    "--propagation",
    "private",
    "sh",
    "-c",
    UNSEEN,
    "sh",
    ...deno,
  ];
  const env = { ...variables, [ELSEWHERE_VARIABLE]: "1" };
  const result = await run(argv, { cwd: ROOT, env });
  if (result.code === 0) return;
  const said = [result.stdout, result.stderr].map((bytes) => new TextDecoder().decode(bytes));
  throw new Error(said.join("\n"));
}
