import type { Engine } from "./record.ts";

export const dockerEngine: Engine = {
  name: "docker",
  command: ["docker"],
  product: "docker",
  builder: "docker",
  runArguments: [],
  confinedBy: "runc",
  setUp: "Install docker (Debian: `apt-get install docker.io`) and start its daemon.",
};

export const podmanEngine: Engine = {
  name: "podman",
  command: ["podman"],
  product: "podman",
  builder: "buildah",
  runArguments: [],
  confinedBy: "runc",
  // Without catatonit there is no --init.
  setUp: "Install podman and its init (Debian: `apt-get install podman catatonit`).",
};

/** containerd by nerdctl. */
export const nerdctlEngine: Engine = {
  name: "nerdctl",
  command: ["nerdctl"],
  product: "nerdctl",
  builder: "buildkit",
  runArguments: [],
  confinedBy: "runc",
  setUp: "Install containerd and the full nerdctl bundle, which has its init and CNI plugins.",
};

/** Docker with gVisor between the student and the host's kernel. */
export const dockerGvisorEngine: Engine = {
  name: "docker:gvisor",
  command: ["docker"],
  product: "docker",
  builder: "docker",
  runArguments: ["--runtime", "runsc"],
  confinedBy: "gvisor",
  lowLevelRuntime: "runsc",
  daemonOf: dockerEngine.name,
  kernel: "gVisor's, which is no part of the host's",
  // Seen with its release 20260905: `--pids-limit` does not hold the processes in there.
  limits: { processes: "not kept" },
  setUp: "Install gVisor and register it: `sudo runsc install && sudo systemctl restart docker`.",
};
