import { assertEquals, assertStringIncludes } from "@std/assert";
import { run } from "../base/process.ts";
import { PLAIN_TEXT } from "../../tests/support/plain_text.ts";

/** Tries to open the channel in a shell's descriptors; what it says. */
async function tried(redirections: string): Promise<string> {
  const url = new URL("./channel.ts", import.meta.url).href;
  const script = `import { openChannel } from ${JSON.stringify(url)};
    try { openChannel(); console.error("opened"); } catch (error) { console.error(error.message); }
    Deno.exit(0);`;
  // With this checkout's configuration Deno would resolve all its packages first, and say so.
  const deno = `"$1" eval --no-config --no-lock --quiet "$2"`;
  const result = await run(
    ["sh", "-c", `cat | { ${deno} ${redirections}; } | cat`, "_", Deno.execPath(), script],
    { stdin: "", env: PLAIN_TEXT },
  );
  return new TextDecoder().decode(result.stderr);
}

Deno.test("the channel opens on 3 and 4 only where they are apart from the standard streams", async () => {
  assertEquals(await tried("3<&0 4>&1 0</dev/null 1>&2"), "opened\n");
  assertStringIncludes(await tried("3<&0 4>&1 0</dev/null"), "descriptor 4");
  assertStringIncludes(await tried("3<&0 4>&1 1>&2"), "descriptor 3");
  assertStringIncludes(await tried("3<&- 4<&-"), "descriptor 3");
  assertStringIncludes(await tried("3</dev/null 4>&1 1>&2"), "descriptor 3");
});
