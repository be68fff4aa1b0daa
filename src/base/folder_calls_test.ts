import { assertEquals, assertThrows } from "@std/assert";
import { libc } from "./libc.ts";
import { tempDir } from "./temp_dir.ts";
import { nameBytes, nameText } from "./walk_folders.ts";

/** O_DIRECTORY would differ by processor; a folder opens without it. */
const CLOSE_ON_EXEC = 0o2000000;

// Opened here, or the first test would seem to leak the library.
libc();

Deno.test("an open folder that is removed has no entries, and what was in it can't be looked at", async () => {
  await using dir = await tempDir();
  const folder = `${dir.path}/folder`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/file`, "12");
  const c = libc();
  const buffer = new Uint8Array(4096);
  const before = c.open(folder, CLOSE_ON_EXEC, 0);
  const after = c.open(folder, CLOSE_ON_EXEC, 0);
  try {
    assertEquals(c.namesIn(before, buffer)?.map(nameText), ["file"]);
    assertEquals(c.statIn(before, nameBytes("file")).size, 2);
    await Deno.remove(folder, { recursive: true });
    assertEquals([c.namesIn(before, buffer), c.namesIn(after, buffer)], [undefined, undefined]);
    for (const look of [c.statIn, c.readLinkIn]) {
      assertThrows(() => look(after, nameBytes("file")), Error, "ENOENT");
    }
    assertEquals(c.stat(after).mode & 0o170000, 0o040000);
  } finally {
    c.close(before);
    c.close(after);
  }
});
