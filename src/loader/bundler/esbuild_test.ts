import { assertEquals, assertRejects } from "@std/assert";
import { withEsbuild } from "./esbuild.ts";

const build = (contents: string) =>
  withEsbuild((bundler) =>
    bundler.build({ stdin: { contents }, write: false, logLevel: "silent" })
  );

Deno.test("withEsbuild() serves builds at once, of which one fails, and starts again", async () => {
  const [first, , third] = await Promise.all([
    build("a = 1"),
    assertRejects(() => build("a = = 1")),
    build("b = 2"),
  ]);
  assertEquals([first, third].map((result) => result.outputFiles[0]?.text), [
    "a = 1;\n",
    "b = 2;\n",
  ]);
  assertEquals((await build("c = 3")).outputFiles[0]?.text, "c = 3;\n");
});
