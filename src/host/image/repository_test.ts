import { assertEquals } from "@std/assert";
import { repositoryOf } from "./repository.ts";

Deno.test("a repository is named after the environment's folder", () => {
  assertEquals(repositoryOf("/a/My Env"), "karotte/my_env");
  assertEquals(repositoryOf("/a/--Ärger__2.0--"), "karotte/a_rger_2_0");
  assertEquals(repositoryOf("/日本"), "karotte/environment");
  assertEquals(repositoryOf(`/${"a".repeat(300)}`).length, "karotte/".length + 100);
});
