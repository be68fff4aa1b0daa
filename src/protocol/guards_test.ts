import { assertEquals } from "@std/assert";
import { GUARDS, isGuardOn, switchGuardsOff } from "./guards.ts";

Deno.test("every guard holds until it is switched off by name", () => {
  assertEquals(GUARDS.filter((guard) => !isGuardOn(guard)), []);
  switchGuardsOff(["links"]);
  assertEquals(GUARDS.filter((guard) => !isGuardOn(guard)), ["links"]);
});
