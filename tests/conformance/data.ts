import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { run } from "../../src/base/process.ts";
import type { Lab } from "./lab.ts";
import type { Behaviour } from "./behaviour.ts";

export const WRITABLE_MOUNT = "a writable mount reaches the host, a read-only one does not";

export const data: Behaviour[] = [
  {
    name: "data directories are root's own copies, and writes stay in the sandbox",
    differs: ["remote", "launcher"],
    async test(lab) {
      for (const name of ["student_data", "shared_data", "root_data", "intermediate_data"]) {
        await Deno.mkdir(`${lab.environment}/${name}/sub é`, { recursive: true });
        await Deno.writeTextFile(`${lab.environment}/${name}/sub é/-rf #1`, name);
      }
      await Deno.symlink("sub é/-rf #1", `${lab.environment}/student_data/link`);
      const { out } = await lab.run(`exec >&4
        for folder in /workdir/data /workdir/shared /root_data /intermediate_data; do
          cat "$folder/sub é/-rf #1"; echo changed > "$folder/sub é/-rf #1"
          stat -c ' %u:%g' "$folder/sub é/-rf #1"
        done
        cat /workdir/data/link
        chown -R 1000:1000 /workdir/data && student sh -c 'echo mine > /workdir/data/link' && echo ok`);
      assertEquals(
        out,
        "student_data 0:0\nshared_data 0:0\nroot_data 0:0\nintermediate_data 0:0\nchanged\nok\n",
      );
      const original = `${lab.environment}/student_data/sub é/-rf #1`;
      assertEquals(await Deno.readTextFile(original), "student_data");
    },
  },
  {
    name: "the student can't rename, remove or replace /workdir/data, nor what root put beside it",
    differs: ["product"],
    async test(lab) {
      await Deno.mkdir(`${lab.environment}/student_data`);
      await Deno.writeTextFile(`${lab.environment}/student_data/given`, "given\n");
      const { out } = await lab.run(`exec >&4 2>/dev/null
        mkdir /workdir/roots
        student sh -c '
          cd /workdir && : > mine && mkdir empty
          for folder in data shared roots; do
            test -e $folder || continue
            mv $folder gone && echo renamed $folder
            mv -T empty $folder && echo replaced $folder
            rmdir $folder && echo removed $folder
            ln -sfT /root_data $folder && echo linked $folder
          done
          cd / && mv workdir elsewhere && echo renamed workdir
          ls /workdir/mine; cat /workdir/data/given'`);
      assertEquals(out, "/workdir/mine\ngiven\n");
    },
  },
  {
    name: "the private folder is a copy that only root enters",
    differs: ["remote"],
    async test(lab) {
      const { out } = await lab.run(`exec >&4
        cat /opt/karotte/private/bundle.js; echo x > /opt/karotte/private/bundle.js
        stat -c '%a %u' /opt/karotte /opt/karotte/bin /opt/karotte/private /var/lib/karotte`);
      assertEquals(out, "private\n755 0\n755 0\n700 0\n700 0\n");
      assertEquals(await Deno.readTextFile(`${lab.private}/bundle.js`), "private\n");
    },
  },
  {
    name: "a program file that only its owner may read runs all the same",
    differs: ["remote", "launcher"],
    async test(lab) {
      await Deno.chmod(`${lab.scratch}/tool é`, 0o700);
      const { out } = await lab.run("/opt/karotte/bin/tool >&4");
      assertEquals(out, "tool runs\n");
    },
  },
  {
    name: "a link that leaves its data directory is refused by name",
    async test(lab) {
      await Deno.mkdir(`${lab.environment}/student_data/sub`, { recursive: true });
      const link = `${lab.environment}/student_data/sub/link é`;
      for (const target of ["/etc/passwd", "../../root_data/answer", "up/../..", ".."]) {
        await Deno.symlink(target, link);
        const allowed = target === "..";
        if (allowed) assertEquals((await lab.run("exit 0")).code, 0);
        else await assertRejects(() => lab.launch("exit 0"), KarotteError, link);
        await Deno.remove(link);
      }
    },
  },
  {
    name: "a data directory that is a link, and a FIFO in one, are refused by name",
    async test(lab) {
      const folder = `${lab.environment}/shared_data`;
      await Deno.symlink("/usr", folder);
      await assertRejects(() => lab.launch("exit 0"), KarotteError, folder);
      await Deno.remove(folder);
      await Deno.mkdir(folder);
      await makeFifo(`${folder}/fifo é`);
      await assertRejects(() => lab.launch("exit 0"), KarotteError, `${folder}/fifo é`);
    },
  },
  {
    name: WRITABLE_MOUNT,
    differs: ["remote", "product", "launcher"],
    async test(lab) {
      await writableFolder(lab, "rw é");
      await writableFolder(lab, "ro #1");
      const { out } = await lab.run(
        "exec >&4; echo x > /mnt/rw/file && echo written; (: > '/mnt/é ro/file') 2>/dev/null || echo no",
        {
          mounts: [
            { source: `${lab.scratch}/rw é`, target: "/mnt/rw", readOnly: false },
            { source: `${lab.scratch}/ro #1`, target: "/mnt/é ro", readOnly: true },
          ],
        },
      );
      assertEquals(out, "written\nno\n");
      assertEquals(await Deno.readTextFile(`${lab.scratch}/rw é/file`), "x\n");
    },
  },
  {
    name: "a mount over the sandbox's own places is refused",
    async test(lab) {
      for (
        const target of ["/", "relative", "/opt", "/proc/x", "/workdir", "/usr/lib", "/a/../etc"]
      ) {
        const mounts = [{ source: lab.scratch, target, readOnly: true }];
        await assertRejects(() => lab.launch("exit 0", { mounts }), KarotteError, `"${target}"`);
      }
    },
  },
];

async function writableFolder(lab: Lab, name: string): Promise<void> {
  await Deno.mkdir(`${lab.scratch}/${name}`);
  // Root in the sandbox is another id of the host.
  await Deno.chmod(`${lab.scratch}/${name}`, 0o777);
}

async function makeFifo(path: string): Promise<void> {
  assertEquals((await run(["mkfifo", "--", path])).code, 0);
}
