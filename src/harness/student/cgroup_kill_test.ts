import { assertEquals } from "@std/assert";
import { tempStudent } from "../../../tests/support/temp_student.ts";
import { listProcessesOfUser } from "../../base/process_table.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { killStudentGroup } from "./cgroup_kill.ts";

/** Makes a file system of control groups in plain files; returns what was written to be killed. */
async function killed(own: string, groups: readonly string[]): Promise<string[]> {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/proc`);
  await Deno.writeTextFile(`${dir.path}/proc/cgroup`, `9:pids:/x\n0::${own}\n`);
  await Deno.writeTextFile(
    `${dir.path}/proc/mountinfo`,
    `31 23 0:28 / /sys rw,relatime - tmpfs tmpfs rw\n41 31 0:38 / ${dir.path}/fs rw shared:1 - cgroup2 cgroup2 rw\n`,
  );
  for (const group of groups) {
    await Deno.mkdir(`${dir.path}/fs${group}`, { recursive: true });
    await Deno.writeTextFile(`${dir.path}/fs${group}/cgroup.kill`, "");
  }
  killStudentGroup(1000, `${dir.path}/proc`);
  return groups.filter((group) =>
    Deno.readTextFileSync(`${dir.path}/fs${group}/cgroup.kill`) === "1"
  );
}

Deno.test("killStudentGroup() kills the student's group beside the harness, and no other", async () => {
  const groups = ["", "/karotte_uid_1000", "/karotte_uid_1001", "/a", "/a/karotte_uid_1000"];
  assertEquals(await killed("/", groups), ["/karotte_uid_1000"]);
  assertEquals(await killed("/a", groups), ["/a/karotte_uid_1000"]);
  assertEquals(await killed("/a/karotte_harness", groups), ["/a/karotte_uid_1000"]);
  assertEquals(await killed("/b", groups), []);
});

/** Where groups can be made here: of version 2, whether it has controllers or not. */
const GROUPS = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].find((place) => {
  try {
    return Deno.statSync(`${place}/cgroup.procs`).isFile && Deno.statSync(place).uid === Deno.uid();
  } catch {
    return false;
  }
});

Deno.test({
  name: "killStudentGroup() ends what is in a real group",
  ignore: GROUPS === undefined || !/^0::\/$/m.test(Deno.readTextFileSync("/proc/self/cgroup")),
  async fn() {
    await using at = await tempStudent();
    const { student } = at;
    const group = `${GROUPS}/karotte_uid_${student.uid}`;
    await Deno.mkdir(group);
    try {
      const running = student.run(["sleep", "1000"]);
      let pids: number[] = [];
      while (pids.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        pids = listProcessesOfUser(student.uid);
      }
      for (const pid of pids) await Deno.writeTextFile(`${group}/cgroup.procs`, `${pid}`);
      killStudentGroup(student.uid);
      assertEquals((await running).code, 137);
    } finally {
      await student.killAll();
      await Deno.remove(group);
    }
  },
});
