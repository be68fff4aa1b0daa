import { assertEquals, assertMatch } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { isLastReference, lastReference, repositoryOf } from "./repository.ts";

Deno.test("a repository is named after the environment's folder", () => {
  assertEquals(repositoryOf("/a/My Env"), "karotte/my_env");
  assertEquals(repositoryOf("/a/--Ärger__2.0--"), "karotte/a_rger_2_0");
  assertEquals(repositoryOf("/日本"), "karotte/environment");
  assertEquals(repositoryOf(`/${"a".repeat(300)}`).length, "karotte/".length + 100);
});

Deno.test("the last image is told apart by its folder's path, whatever leads there", async () => {
  await using dir = await tempDir();
  for (const path of ["a/env", "b/env"]) {
    await Deno.mkdir(`${dir.path}/${path}`, { recursive: true });
  }
  await Deno.symlink(`${dir.path}/a`, `${dir.path}/link`);
  const [a, b, linked] = ["a/env", "b/env", "link/env"].map((path) =>
    lastReference(`${dir.path}/${path}`)
  );
  assertMatch(a ?? "", /^karotte\/env:last_[0-9a-f]{8}$/);
  assertEquals([a === b, a === linked], [false, true]);
  assertEquals([isLastReference(a ?? ""), isLastReference("karotte/env:0123456789ab")], [
    true,
    false,
  ]);
});
