import { assert, assertEquals } from "@std/assert";
import { currentOwner } from "../../src/runtimes/owner.ts";
import { engines, saying } from "./fake_engines.ts";
import { karotte } from "./karotte.ts";

const DOCKER = { ServerVersion: "27.0.1", OSType: "linux", Architecture: "x86_64", NCPU: 2 };
const PODMAN = {
  host: { os: "linux", arch: "amd64", cgroupVersion: "v2", security: { rootless: true } },
  version: { Version: "5.0.0" },
};
const BY_BUBBLEWRAP = {
  kernel: "the host's, from a user namespace",
  memory: "limited as a whole where Karotte may make control groups",
  cpus: "not limited",
  processes: "limited as a whole where Karotte may make control groups",
  disk: "not limited, but for /tmp, /run and /dev/shm",
  files: "not limited",
  network: "none",
};
const BY_GVISOR = {
  ...{ kernel: "gVisor's, which is no part of the host's", memory: "limited as a whole" },
  ...{ cpus: "limited as a whole", processes: "not limited" },
  ...{ disk: "not limited, but for /tmp, /run and /dev/shm", files: "not limited" },
  network: "none unless asked for",
};
const ID = "a".repeat(64);

Deno.test("runtimes list tells what is here, what is broken and which one is the default", async () => {
  const { dir, options } = await engines({
    docker: saying({ info: `echo '${JSON.stringify(PODMAN)}'` }),
    podman: saying({ info: `echo '${JSON.stringify(PODMAN)}'` }),
  });
  await using _ = dir;
  const { code, stdout, stderr } = await karotte(["runtimes", "list", "--json"], options);
  assertEquals(code, 0, stderr);
  const listed: Record<string, unknown>[] = JSON.parse(stdout);
  const [docker, podman, bubblewrap, nerdctl, gvisor] = [
    ...["docker", "podman", "bubblewrap", "nerdctl", "docker:gvisor"],
  ].map((name) => listed.find((each) => each["name"] === name));
  assertEquals([bubblewrap?.["gives"], gvisor?.["gives"]], [BY_BUBBLEWRAP, BY_GVISOR]);
  assertEquals([docker?.["state"], docker?.["version"], docker?.["default"]], [
    "here",
    "5.0.0",
    true,
  ]);
  assertEquals(docker?.["remarks"], ["really podman", "rootless", "cgroups v2"]);
  assertEquals([podman?.["state"], podman?.["default"]], ["here", false]);
  assertEquals(bubblewrap?.["default"], false);
  assertEquals(nerdctl?.["state"], "broken");
  assert(String(nerdctl?.["why"]).includes("does not answer"), String(nerdctl?.["why"]));
  assert(String(nerdctl?.["hint"]).includes("Start it"), String(nerdctl?.["hint"]));
  assert(String(gvisor?.["set_up"]).includes("runsc"), String(gvisor?.["set_up"]));
  const text = await karotte(["runtimes", "list"], options);
  assert(text.stdout.includes("docker: here, 5.0.0, linux/amd64, really podman"), text.stdout);
});

/** A script that prints a value as JSON. */
function document(value: unknown): string {
  return `cat <<'END'\n${JSON.stringify(value)}\nEND\n`;
}

/** A docker with a container and its network, which a dead Karotte left. */
function dockerWithLeftover(remove: string): string {
  const labels = {
    "karotte.run_id": "r1",
    "karotte.launch": "l1",
    "karotte.owner": JSON.stringify({ ...currentOwner(), start_time: "1" }),
  };
  const container = {
    ...{ Id: ID, Name: "/karotte_run_r1" },
    ...{ Config: { Labels: labels }, State: { Status: "exited" } },
  };
  return saying({
    info: `echo '${JSON.stringify(DOCKER)}'`,
    ps: `echo ${ID}`,
    network: saying({
      ls: "echo karotte_run_r1",
      inspect: document([{ Name: "karotte_run_r1", Labels: labels }]),
      rm: 'echo "$@" >> removed',
    }, "$2"),
    inspect: document([container]),
    rm: remove,
  });
}

Deno.test("clean removes what dead runs left and passes over engines that are down", async () => {
  const { dir, options } = await engines({
    docker: dockerWithLeftover('echo "$@" >> removed'),
  });
  await using _ = dir;
  const { code, stdout, stderr } = await karotte(["clean"], options);
  assertEquals(code, 0, stderr);
  assert(stdout.includes("docker: removed what 1 run(s) left\n"), stdout);
  assert(stderr.includes("podman is passed over"), stderr);
  const removed = await Deno.readTextFile(`${dir.path}/removed`);
  assertEquals(removed, `rm --force --volumes ${ID}\nnetwork rm karotte_run_r1\n`);
});

Deno.test("clean names what it could not remove, with the command, and exits with 1", async () => {
  const { dir, options } = await engines({
    docker: dockerWithLeftover('echo "Error response from daemon: device busy" >&2; exit 1'),
  });
  await using _ = dir;
  const { code, stderr } = await karotte(["clean"], options);
  assertEquals(code, 1, stderr);
  assert(stderr.includes("karotte_run_r1") && stderr.includes("device busy"), stderr);
  assert(stderr.includes("docker rm --force --volumes karotte_run_r1"), stderr);
});
