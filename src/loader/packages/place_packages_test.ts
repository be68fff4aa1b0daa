import { assertEquals, assertThrows } from "@std/assert";
import { placePackages } from "./place_packages.ts";

/** A graph of `name@version`, each with the ids that it needs. */
function placed(graph: Readonly<Record<string, readonly string[]>>, roots: readonly string[]) {
  const nameOf = (id: string) => id.slice(0, id.lastIndexOf("@"));
  const places = placePackages(
    new Map(roots.map((id) => [nameOf(id), id])),
    (id) => ({
      name: nameOf(id),
      fields: { version: `${id.slice(id.lastIndexOf("@") + 1)}.0.0` },
      dependencies: new Map((graph[id] ?? []).map((needed) => [nameOf(needed), needed])),
      optionalDependencies: new Map(),
    }),
  );
  return Object.fromEntries(
    Object.entries(places).map(([location, { version }]) => [
      location.replaceAll("node_modules/", ""),
      version[0],
    ]),
  );
}

Deno.test("placePackages() puts what is needed in one version at the top", () => {
  assertEquals(placed({ "a@1": ["c@1"], "b@1": ["c@1"], "c@1": ["a@1"] }, ["a@1", "b@1"]), {
    "a": "1",
    "b": "1",
    "c": "1",
  });
});

Deno.test("placePackages() puts other versions where only those that need them see them", () => {
  const graph = { "a@1": ["c@2", "d@1"], "d@1": ["c@1"], "c@2": ["e@1"], "e@1": ["c@1"] };
  assertEquals(placed(graph, ["a@1", "c@1"]), {
    "a": "1",
    "c": "1",
    "a/c": "2",
    "d": "1",
    "e": "1",
  });
});

Deno.test("placePackages() refuses a graph that has no end", () => {
  const graph = { "a@1": ["a@2"], "a@2": ["a@1"] };
  assertThrows(() => placed(graph, ["a@1"]), TypeError, "needs another version of itself");
  // Each needs both of the next in the version that it did not find: doubled at each level.
  const wide: Record<string, string[]> = {};
  for (let level = 1; level < 30; level++) {
    for (const name of ["a", "b"]) wide[`${name}@${level}`] = [`a@${level + 1}`, `b@${level + 1}`];
  }
  assertThrows(() => placed(wide, ["a@1", "b@1"]), TypeError, "too many packages");
});
