/** What every known runtime says of itself, here or not, fits together and has its behaviours. */
import { assert, assertEquals } from "@std/assert";
import { guaranteesOf, type KeptLimits } from "../../src/runtimes/abilities.ts";
import { allRuntimes } from "../../src/runtimes/runtimes.ts";
import { ARGUMENTS_STAND_LAST, ENGINE_BEHAVIOURS, KEPT_STAYS } from "./engine_lifetime.ts";
import { BEHAVIOURS } from "./runtime.ts";

const shown = new Set<keyof KeptLimits>(BEHAVIOURS.flatMap(({ limit }) => limit ?? []));
const ofEngines = ENGINE_BEHAVIOURS.map(({ name }) => name);

for (const { name, abilities, images, keptCopy, weakeningArguments } of allRuntimes()) {
  Deno.test(`${name}: a limit that is prevented has a behaviour that shows it`, () => {
    // The keys of a whole record.
    const limits = Object.keys(abilities.limits) as (keyof KeptLimits)[];
    const prevented = limits.filter((limit) => abilities.limits[limit] === "prevented");
    assertEquals(prevented.filter((limit) => !shown.has(limit)), []);
  });

  Deno.test(`${name}: has what goes with its abilities`, () => {
    assert(abilities.networks.includes("none"));
    assertEquals(images !== undefined, abilities.content === "image");
    assertEquals(images?.name ?? name, name);
    assertEquals(weakeningArguments !== undefined, abilities.arguments);
    assert(abilities.keeps || keptCopy === undefined);
    // The behaviours of what only engines can do.
    assert(!abilities.keeps || ofEngines.includes(KEPT_STAYS));
    assert(!abilities.arguments || ofEngines.includes(ARGUMENTS_STAND_LAST));
    const values = Object.values(guaranteesOf(abilities));
    assert(values.every((text) => text !== ""), values.join("; "));
  });
}
