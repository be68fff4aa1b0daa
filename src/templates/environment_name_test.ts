import { assertEquals } from "@std/assert";
import { packageName } from "./environment_name.ts";

Deno.test("packageName() keeps what a package name may have", () => {
  const names = {
    garden: "garden",
    my_garden: "my-garden",
    "My Gärten #2!": "my-garten-2",
    "--x--": "x",
    "日本": "environment",
    "": "environment",
  };
  for (const [name, expected] of Object.entries(names)) assertEquals(packageName(name), expected);
});
