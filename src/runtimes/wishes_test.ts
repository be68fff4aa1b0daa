import { assert, assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import type { Abilities } from "./abilities.ts";
import type { SandboxSpec } from "./runtime.ts";
import { runtimeNamed } from "./runtimes.ts";
import { checkSpec } from "./spec_check.ts";
import { refuseUnable, type SandboxWishes } from "./wishes.ts";

const WISHES: SandboxWishes = {
  ...{ runtime: undefined, mounts: [], network: "none", keep: false, dev: false },
  prepareOnly: false,
};

/** The error that a runtime refuses the wishes with. */
function refusal(changes: Partial<SandboxWishes>, name: string, abilities?: Partial<Abilities>) {
  const all = { ...runtimeNamed(name).abilities, ...abilities };
  return assertThrows(() => refuseUnable({ ...WISHES, ...changes }, all, name), KarotteError);
}

Deno.test("refuseUnable() refuses each wish that a runtime can't fulfil, with those that can", () => {
  const cases: [Partial<SandboxWishes>, string, string, string][] = [
    [
      { network: "internal" },
      "nerdctl",
      'Cannot use --network internal: "nerdctl" has no such thing',
      "use --runtime with one that can: docker, podman, ",
    ],
    [
      { keep: true },
      "bubblewrap",
      'Cannot use --keep-containers: "bubblewrap" has no such thing',
      "use --runtime with one that can: docker, podman, ",
    ],
    [
      { dev: true },
      "bubblewrap",
      'Cannot use --dev: "bubblewrap" always uses the current files',
      "leave --dev out, or use --runtime with one that can: docker, podman, ",
    ],
    [
      { passthrough: "gpu" },
      "bubblewrap",
      'Cannot run on "bubblewrap": hardware "gpu" is passed through',
      "use --runtime with one that can: docker, podman, ",
    ],
  ];
  for (const [wish, name, message, hint] of cases) {
    const error = refusal(wish, name);
    assertEquals(error.message, message);
    assert(error.hint?.startsWith(hint) && !error.hint.includes(name), error.hint);
  }
  const { message } = refusal({ dev: true }, "docker", { dev: false });
  assertEquals(message, 'Cannot use --dev: "docker" has no such thing');
});

Deno.test("refuseUnable() warns of arguments that have no effect, and lets the rest be", () => {
  const wishes = { ...WISHES, arguments: { hooks: ["a", "b"], values: ["--gpus"] } };
  const warned = (name: string, wished: SandboxWishes) =>
    refuseUnable(wished, runtimeNamed(name).abilities, name);
  assertEquals(warned("bubblewrap", wishes), [
    'arguments of container_run_args (a, b) have no effect: "bubblewrap" takes none',
  ]);
  assertEquals(warned("bubblewrap", { ...WISHES, arguments: { hooks: ["a"], values: [] } }), []);
  const more = { ...wishes, network: "internal", keep: true, dev: true, passthrough: "x" } as const;
  assertEquals(warned("docker", more), []);
});

Deno.test("checkSpec() names all that is beyond the runtime", () => {
  const spec: SandboxSpec = {
    ...{ runId: "r1", hidden: [], mounts: [], keep: true, arguments: ["-v"] },
    content: { kind: "image", id: "x" },
    network: "open",
    limits: { memoryBytes: null, processes: null, cpus: null },
  };
  assertThrows(
    () => checkSpec(spec, runtimeNamed("bubblewrap")),
    TypeError,
    'can\'t start "r1" with content of kind "image", network "open", a sandbox to be kept, arguments',
  );
  checkSpec(spec, runtimeNamed("docker"));
});
