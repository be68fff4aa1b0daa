import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { codeBlocks, writeFiles } from "./markdown_blocks.ts";
import { PLAIN_TEXT } from "../support/plain_text.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

for (const document of ["README.md", "plugins/README.md", "docs/judges.md"]) {
  Deno.test(`the TypeScript of ${document} has the types that the sdk says`, async () => {
    await using dir = await tempDir();
    const blocks = await codeBlocks(`${ROOT}${document}`);
    const files = await writeFiles(blocks, dir.path, "ts");
    assertEquals(files.length, blocks.filter(({ language }) => language === "ts").length);
    const { code, stderr } = await run(["sh", `${ROOT}scripts/deno`, "check", ...files], {
      cwd: dir.path,
      env: { ...PLAIN_TEXT, KAROTTE_DENO: Deno.execPath() },
    });
    assertEquals(code, 0, new TextDecoder().decode(stderr));
  });
}
