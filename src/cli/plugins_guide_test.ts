import { assertEquals } from "@std/assert";
import { GENERATE_COMMAND, guideModule } from "../../scripts/generate_guide.ts";

Deno.test("plugins_guide_text.ts holds the text of plugins/README.md", async () => {
  const module = await Deno.readTextFile(new URL("plugins_guide_text.ts", import.meta.url));
  const isFresh = module === await guideModule();
  assertEquals(isFresh, true, `plugins_guide_text.ts is stale, run: ${GENERATE_COMMAND}`);
});
