import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import type { Runtime } from "./runtime.ts";
import { allRuntimes, DEFAULTS, runtimeNamed, stateOf } from "./runtimes.ts";

Deno.test("runtimeNamed() finds each runtime and lists them where there is none", () => {
  for (const { name } of allRuntimes()) assertEquals(runtimeNamed(name).name, name);
  for (const name of DEFAULTS) runtimeNamed(name);
  const error = assertThrows(() => runtimeNamed("lxc"), KarotteError, '"lxc"');
  assertStringIncludes(error.hint ?? "", "runtimes: docker, podman, ");
});

Deno.test("stateOf() tells what is here from what is absent or broken", async () => {
  const probing = (probe: Runtime["probe"]): Runtime => ({
    ...runtimeNamed("docker"),
    probe,
  });
  const info = { version: "1" };
  assertEquals(await stateOf(probing(() => Promise.resolve(info))), { state: "here", info });
  assertEquals(await stateOf(probing(() => Promise.resolve(undefined))), { state: "absent" });
  const broken = new KarotteError("runtime", "it is down", { hint: "start it" });
  assertEquals(await stateOf(probing(() => Promise.reject(broken))), {
    state: "broken",
    why: "it is down",
    hint: "start it",
  });
});
