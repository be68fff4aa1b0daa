import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../base/temp_dir.ts";
import { imageVariables } from "./image_variables.ts";

Deno.test("the image's variables are those that its build wrote down, and none without one", async () => {
  await using dir = await tempDir();
  const path = `${dir.path}/variables.json`;
  assertEquals(await imageVariables(path), {});
  await Deno.writeTextFile(path, `{"JAVA_HOME":"/opt/java"}`);
  assertEquals(await imageVariables(path), { JAVA_HOME: "/opt/java" });
  await Deno.writeTextFile(path, `{"JAVA_HOME":1}`);
  await assertRejects(() => imageVariables(path));
});
