import { assert, assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { run, spawn } from "../../src/base/process.ts";
import { removeLeftovers } from "../../src/runtimes/bubblewrap/removal.ts";
import { findHierarchies } from "../../src/runtimes/bubblewrap/control_hierarchies.ts";
import { bubblewrapTest, launchOnce, outerBwrap, runtime } from "./bubblewrap_here.ts";
import { eventually, lab, processesWith, waitFor } from "./lab.ts";

bubblewrapTest("leaves nothing on the host, also when a launch fails", async () => {
  await using places = await lab(runtime());
  const directory = places.scratch;
  await using bench = await lab(runtime({ directory }));
  await Deno.remove(`${directory}/tool é`);
  assertEquals((await bench.run("exit 0")).code, 0);
  assertEquals(leftIn(directory), []);
  await Deno.symlink("/etc", `${bench.environment}/root_data`);
  await assertRejects(() => bench.launch("exit 0"), KarotteError);
  assertEquals(leftIn(directory), []);
  await Deno.remove(`${bench.environment}/root_data`);
  // Only bwrap finds out that this one can't be.
  const mounts = [{ source: bench.environment, target: "/workdir/data", readOnly: true }];
  await Deno.mkdir(`${bench.environment}/student_data`);
  await assertRejects(() => bench.launch("exit 0", { mounts, hidden: [] }), KarotteError);
  assertEquals(leftIn(directory), []);
});

bubblewrapTest("hands on no descriptor that its caller left open", async () => {
  await using bench = await lab(runtime());
  const script = 'for fd in $(seq 0 99); do [ -e /proc/$$/fd/$fd ] && list="$list $fd"; done; ' +
    'init=$(readlink /proc/1/fd/*); echo $list >&4; echo "$init" >&4';
  const opened = ["bash", "-c", 'exec 7</ 12</ 63</; exec "$@"', "bash"];
  const { stdout, stderr } = await run([...opened, ...launchOnce(script, bench)]);
  const [list, ...init] = new TextDecoder().decode(stdout).trimEnd().split("\n");
  assertEquals(list, "0 1 2 3 4", new TextDecoder().decode(stderr));
  // bwrap's own init keeps the three pipes and an eventfd.
  assertEquals(init.filter((target) => target.startsWith("/")), []);
});

bubblewrapTest("starts no program from the caller's PATH", async () => {
  await using bench = await lab(runtime());
  const decoys = `${bench.scratch}/decoys`;
  await Deno.mkdir(decoys);
  const programs = ["bwrap", "bash", "sh", "unshare", "setpriv", "mount", "nsenter"];
  for (const name of [...programs, "newuidmap", "newgidmap", "env", "id"]) {
    const script = `#!/bin/sh\n: > "${bench.environment}/$(basename "$0")"\nexit 1\n`;
    await Deno.writeTextFile(`${decoys}/${name}`, script, { mode: 0o755 });
  }
  const { stdout, stderr } = await run(launchOnce("echo ran >&4", bench), {
    env: { PATH: `${decoys}:${Deno.env.get("PATH")}` },
  });
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals([said[0], leftIn(bench.environment)], ["ran\n", []], said[1]);
});

bubblewrapTest("ends with its host, and what is left then is removed", async () => {
  await using bench = await lab(runtime());
  const seconds = `8${Math.floor(Math.random() * 1e12)}`;
  const script = `setsid sleep ${seconds} & setsid sleep ${seconds} & echo ready >&4; wait`;
  const host = spawn(launchOnce(script, bench));
  const log = new Response(host.stderr).text();
  await waitFor(host.stdout, "ready");
  await Deno.remove(`${bench.scratch}/tool é`);
  const [name = ""] = leftIn(bench.scratch);
  assert(name.startsWith("karotte-bubblewrap-"), name);
  assertEquals(await removeLeftovers(bench.scratch), 0, "its owner is alive");
  Deno.kill(host.pid, "SIGKILL");
  await host.status;
  assert(await eventually(() => processesWith(seconds).length === 0));
  assertEquals(await removeLeftovers(bench.scratch), 1);
  assertEquals([...leftIn(bench.scratch), ...groupsNamed(name)], []);
  await Promise.all([log, host.stdout.cancel()]);
});

bubblewrapTest("is gone as a whole when bwrap itself is killed", async () => {
  await using bench = await lab(runtime());
  const seconds = `7${Math.floor(Math.random() * 1e12)}`;
  await using sandbox = await bench.launch(`setsid sleep ${seconds} & echo ready >&4; wait`);
  const log = new Response(sandbox.stderr).text();
  await waitFor(sandbox.stdout, "ready");
  const [pid = 0] = processesWith(seconds);
  Deno.kill(await outerBwrap(pid), "SIGKILL");
  assertEquals((await sandbox.status).code, 137);
  assertEquals(processesWith(seconds), []);
  await Promise.all([log, sandbox.stdout.cancel()]);
});

bubblewrapTest("covers hidden folders under /usr", async () => {
  await using bench = await lab(runtime());
  const folder = await Deno.makeTempDir({ dir: "/usr/local/src", prefix: "karotte é " });
  try {
    await Deno.writeTextFile(`${folder}/answer`, "42");
    const { out } = await bench.run(`ls -A "${folder}" >&4; echo done >&4`, { hidden: [folder] });
    assertEquals(out, "done\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}, Deno.uid() === 0 ? undefined : "only root can write there");

// Root can enforce them all.
if (Deno.uid() !== 0) {
  bubblewrapTest("tells of limits that it can't enforce", async () => {
    const warnings: string[] = [];
    await using bench = await lab(runtime({ warn: (text) => warnings.push(text) }));
    await bench.run("exit 0", { limits: { memoryBytes: 500_000_000, processes: 100, cpus: null } });
    assert(warnings[0]?.includes("memory and processes"), warnings.join());
  });
}

function leftIn(directory: string): string[] {
  return [...Deno.readDirSync(directory)].map(({ name }) => name);
}

function groupsNamed(name: string): string[] {
  const { memory, pids, unified } = findHierarchies();
  const parents = [memory?.folder, pids?.folder, unified].filter((path) => path !== undefined);
  return parents.flatMap((path) => leftIn(path)).filter((each) => each === name);
}
