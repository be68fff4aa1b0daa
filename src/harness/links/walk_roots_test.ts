import { assert, assertEquals } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { walkRoots } from "./walk_roots.ts";

Deno.test("walkRoots() adds what is mounted, if the student may write there, and nothing twice", async () => {
  await using dir = await tempDir();
  const beside = await Deno.makeTempDir({ dir: "/root", prefix: "karotte roots " });
  try {
    const folders = { open: 0o777, own: 0o700, shut: 0o755, "with space": 0o777, fixed: 0o777 };
    const lines = Object.entries(folders).map(([name, mode]) => {
      Deno.mkdirSync(`${beside}/${name}`);
      Deno.chmodSync(`${beside}/${name}`, mode);
      const place = `${beside}/${name}`.replaceAll(" ", "\\040");
      const options = name === "fixed" ? "ro,relatime" : "rw,relatime";
      return `36 35 98:0 / ${place} ${options} shared:1 - ext4 /dev/sda1 rw`;
    });
    Deno.chownSync(`${beside}/own`, 4321, 4321);
    lines.push(`37 35 98:0 / ${dir.path} rw - ext4 /dev/sda1 rw`); // below /tmp
    lines.push(`38 35 98:0 / ${beside}/open/proc rw - proc proc rw`);
    const roots = walkRoots({ uid: 4321, gid: 4321 }, lines.join("\n"));
    const added = roots.filter((path) => path.startsWith(beside)).map((path) =>
      path.slice(beside.length)
    );
    assertEquals(added.sort(), ["/open", "/own", "/with space"]);
    assert(roots.includes(Deno.realPathSync("/tmp")));
    assert(!roots.includes(dir.path));
  } finally {
    await Deno.remove(beside, { recursive: true });
  }
});
