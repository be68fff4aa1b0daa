import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { spawn } from "../../src/base/process.ts";
import type { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import { createNetworkArguments, listNetworks } from "../../src/runtimes/engine/networks.ts";
import { currentOwner } from "../../src/runtimes/owner.ts";
import type { Sandbox } from "../../src/runtimes/runtime.ts";
import { RUN } from "./bubblewrap_here.ts";
import { BASE_IMAGE } from "./engine_here.ts";
import { launchShell, newRunId, say } from "./engine_lab.ts";
import type { EngineBehaviour } from "./engine_lifetime.ts";
import { eventually, waitFor } from "./lab.ts";
import { sample } from "../support/sample.ts";

/** What a network of the sandbox's own gives, and that nothing is left of it. */
export const NETWORK_BEHAVIOURS: readonly EngineBehaviour[] = [
  {
    name: "an internal network reaches what is attached to it, and not the host",
    differs: ["product"],
    async test(runtime, caller) {
      // All addresses of the host, those that it may get on the new network too.
      using listener = Deno.listen({ hostname: "::", port: 0 });
      const accepting = Array.fromAsync(listener, (connection) => connection.close());
      accepting.catch(() => {}); // ends when the listener does
      const { port } = listener.addr;
      const runId = newRunId();
      const network = `karotte_run_${runId}`;
      const other = `${network}_other`;
      await using sandbox = await launchShell(runtime, { runId, network: "internal" });
      await say(sandbox, `${CONNECT}\necho ready\n`);
      await waitFor(sandbox.stdout, "ready\n");
      try {
        const serve = ["perl", "-MIO::Socket::INET", "-e", SERVER];
        await caller.ask("start", [...startIn(network, other), ...serve]);
        const addresses = hostAddresses();
        assert(addresses.some((address) => address.startsWith("fe80::")), addresses.join());
        const gateways = await caller.ask("inspect", ["network", "inspect", network]);
        const own = [...gateways.matchAll(/"[gG]ateway": "([\d.]+)"/g)].map(([, address]) =>
          address
        );
        const attached = await addressIn(caller, network, other);
        const tries = [
          ...[...addresses, ...own].map((address) => `connect ${address} ${port}`),
          `connect ${attached} 4000`,
        ];
        await say(sandbox, `${tries.join("\n")}\necho done\n`);
        assertEquals(await waitFor(sandbox.stdout, "done\n"), `${attached} answers\ndone\n`);
        await drained(sandbox, "exit\n");
      } finally {
        await caller.call(["rm", "--force", "--volumes", other]);
      }
    },
  },
  {
    name: "an internal network goes with its sandbox, whatever is attached to it",
    differs: ["product"],
    async test(runtime, caller) {
      for (const milliseconds of sample([0, 60, 150, 300], 2)) {
        const runId = newRunId();
        const sandbox = await launchShell(runtime, { runId, network: "internal" });
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        await sandbox[Symbol.asyncDispose]();
        assertEquals(await networksOf(caller, runId), [], `after ${milliseconds} ms`);
      }
      const runId = newRunId();
      const network = `karotte_run_${runId}`;
      const other = `${network}_other`;
      await using sandbox = await launchShell(runtime, { runId, network: "internal" });
      await ready(sandbox);
      try {
        await caller.ask("start", [...startIn(network, other), "sleep", "600"]);
        await drained(sandbox, "exit\n");
        await sandbox[Symbol.asyncDispose]();
        assertEquals(await networksOf(caller, runId), []);
        assertStringIncludes(await caller.ask("look", ["inspect", other]), "running");
      } finally {
        await caller.call(["rm", "--force", "--volumes", other]);
      }
    },
  },
  {
    name: "a host that is killed leaves no internal network",
    async test(_, caller) {
      const runId = newRunId();
      const program = new URL("engine_once.ts", import.meta.url).pathname;
      const argv = [Deno.execPath(), ...RUN, program, caller.engine.name, runId, "internal"];
      const host = spawn(argv, { env: caller.variables });
      const log = new Response(host.stderr).text();
      await waitFor(host.stdout, "ready");
      assertEquals(await networksOf(caller, runId), [`karotte_run_${runId}`]);
      Deno.kill(host.pid, "SIGKILL");
      await Promise.all([host.status, log, host.stdout.cancel()]);
      assert(await eventually(async () => (await networksOf(caller, runId)).length === 0));
    },
  },
  {
    name: "an internal network that a dead host left is a leftover, and says so when in the way",
    differs: ["product"],
    async test(runtime, caller) {
      const owners = [{ ...currentOwner(), start_time: "1" }, currentOwner()];
      const runIds = owners.map(newRunId);
      const [dead = "", live = ""] = runIds;
      for (const [index, runId] of runIds.entries()) {
        const owner = JSON.stringify(owners[index]);
        const labels = { "karotte.run_id": runId, "karotte.owner": owner };
        const naming = { name: `karotte_run_${runId}`, launch: "", labels };
        await caller.ask("create", createNetworkArguments(naming, []));
      }
      try {
        {
          await using sandbox = await launchShell(runtime, { runId: dead, network: "internal" });
          await assertRejects(
            () => sandbox.status,
            KarotteError,
            "a network of that name is there",
          );
          await drained(sandbox);
        }
        assertEquals(await networksOf(caller, dead), [`karotte_run_${dead}`]);
        assertEquals(await runtime.removeLeftovers({ runIds }), 1);
        assertEquals(await networksOf(caller, dead), []);
        assertEquals(await networksOf(caller, live), [`karotte_run_${live}`]);
      } finally {
        for (const runId of runIds) await caller.call(["network", "rm", `karotte_run_${runId}`]);
      }
    },
  },
];

/** Says which address answers on which port. */
const CONNECT = `connect() {
  timeout 2 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null && echo "$1 answers"
}`;

const SERVER = `my $server = IO::Socket::INET->new(LocalPort => 4000, Listen => 5, ReuseAddr => 1);
while (my $client = $server->accept) { close $client }`;

/** Those of IPv6 that mean something only on one link are tried on the sandbox's. */
function hostAddresses(): string[] {
  return Deno.networkInterfaces().map(({ address }) => address).filter((address) =>
    address !== "127.0.0.1" && address !== "::1"
  ).map((address) => address.startsWith("fe80::") ? `${address}%eth0` : address);
}

async function addressIn(caller: EngineCaller, network: string, name: string): Promise<string> {
  const format = `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`;
  return (await caller.ask("look", ["inspect", "--format", format, name])).trim();
}

function startIn(network: string, name: string): string[] {
  return ["run", "--detach", "--network", network, "--name", name, BASE_IMAGE];
}

function networksOf(caller: EngineCaller, runId: string): Promise<string[]> {
  return listNetworks(caller, `karotte.run_id=${runId}`);
}

async function ready(sandbox: Sandbox): Promise<void> {
  await say(sandbox, "echo ready\n");
  await waitFor(sandbox.stdout, "ready");
}

/** Says this, and ends the streams as whoever has a sandbox must. */
async function drained(sandbox: Sandbox, last = ""): Promise<void> {
  if (last !== "") await say(sandbox, last);
  await Promise.all([sandbox.stdout.cancel(), new Response(sandbox.stderr).text()]);
}
