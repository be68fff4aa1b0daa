import { assert, assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { dockerEngine, podmanEngine } from "./engines.ts";
import type { SandboxSpec } from "../runtime.ts";
import type { EngineInformation } from "./information.ts";
import { nameContainer } from "./labels.ts";
import { csv, sandboxArguments } from "./run_arguments.ts";

const INFORMATION: EngineInformation = {
  product: "docker",
  version: "27.0.0",
  platform: "linux/amd64",
  rootless: false,
  cgroupVersion: 2,
  processors: 4,
  memoryBytes: 0,
  lowLevelRuntimes: null,
  remote: false,
  seccompProfile: null,
};
const SPEC: SandboxSpec = {
  runId: "r1",
  content: { kind: "image", id: "sha256:abc" },
  hidden: [],
  mounts: [],
  limits: { memoryBytes: 1000, processes: 10, cpus: 64 },
};

function argumentsOf(changes: Partial<SandboxSpec>, information = INFORMATION): string[] {
  return sandboxArguments({ ...SPEC, ...changes }, {
    engine: information.product === "podman" ? podmanEngine : dockerEngine,
    information,
    naming: nameContainer("r1", { keep: false }),
    mounts: changes.mounts ?? [],
    covers: [],
    seccompProfile: undefined,
  });
}

Deno.test("sandboxArguments() ends with the plugins' arguments and the image", () => {
  const args = argumentsOf({ arguments: ["--gpus", "all"] });
  assertEquals(args.slice(-3), ["--gpus", "all", "sha256:abc"]);
  assertEquals(args[0], "run");
});

Deno.test("sandboxArguments() sets equal memory and swap, and no more processors than there are", () => {
  const line = argumentsOf({}).join(" ");
  assert(line.includes("--memory 1000 --memory-swap 1000 --pids-limit 10 --cpus 4"), line);
  const none = argumentsOf({ limits: { memoryBytes: null, processes: null, cpus: null } });
  assert(!none.some((each) => /^--(memory|pids|cpus)/.test(each)), none.join(" "));
});

Deno.test("sandboxArguments() leaves limits out where the engine would refuse them", () => {
  const args = argumentsOf({}, { ...INFORMATION, rootless: true, cgroupVersion: 1 });
  assert(!args.includes("--memory"));
});

Deno.test("sandboxArguments() gives no network unless one is asked for", () => {
  const network = (changes: Partial<SandboxSpec>, information = INFORMATION) => {
    const args = argumentsOf(changes, information);
    return args[args.indexOf("--network") + 1];
  };
  assertEquals(network({}), "none");
  assertEquals(network({ network: "open" }), "bridge");
  const line = argumentsOf({ network: "internal" }).join(" ");
  // Docker's name server would ask the host's.
  assert(line.includes("--network karotte_run_r1 --dns 127.0.0.1 "), line);
  const nerdctl = { ...INFORMATION, product: "nerdctl" } as const;
  assertThrows(() => argumentsOf({ network: "internal" }, nerdctl), TypeError, "internal");
  const rootless = argumentsOf({ network: "open" }, {
    ...INFORMATION,
    product: "podman",
    rootless: true,
  });
  assert(!rootless.includes("--network"));
});

Deno.test("sandboxArguments() writes mounts as CSV and refuses an image that is an option", () => {
  const args = argumentsOf({ mounts: [{ source: '/a,b "c"', target: "/d", readOnly: true }] });
  assert(args.includes('type=bind,"source=/a,b ""c""",target=/d,readonly'), args.join(" "));
  assertEquals(csv(["a b", "c,d"]), 'a b,"c,d"');
  assertThrows(
    () => argumentsOf({ content: { kind: "image", id: "--privileged" } }),
    KarotteError,
    '"--privileged"',
  );
});

Deno.test("nameContainer() labels run, owner and launch, and refuses ids that can't be names", () => {
  const { name, labels, launch } = nameContainer("r.1_", { keep: true });
  assertEquals(name, "karotte_run_r.1_");
  assertEquals([labels["karotte.run_id"], labels["karotte.kept"]], ["r.1_", "1"]);
  assertEquals([labels["karotte.launch"], JSON.parse(labels["karotte.owner"] ?? "").pid], [
    launch,
    Deno.pid,
  ]);
  assertThrows(() => nameContainer("é", { keep: false }), KarotteError, '"é"');
});
