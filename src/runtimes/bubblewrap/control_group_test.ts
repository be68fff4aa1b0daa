import { assertEquals } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { createControlGroup } from "./control_group.ts";

const LIMITS = { memoryBytes: 1000, processes: 10, cpus: null };

Deno.test("createControlGroup() says which limits it could not set", async () => {
  const none = { memory: undefined, pids: undefined, unified: undefined };
  await using group = await createControlGroup("x", LIMITS, none);
  assertEquals([group.missing, group.joinFiles], [["memory", "processes"], []]);
  await using unlimited = await createControlGroup(
    "x",
    { memoryBytes: null, processes: null, cpus: null },
    none,
  );
  assertEquals(unlimited.missing, []);
});

Deno.test("createControlGroup() removes its groups, also where the kernel has no such files", async () => {
  await using dir = await tempDir();
  const hierarchy = { version: 2 as const, folder: dir.path };
  const hierarchies = { memory: hierarchy, pids: hierarchy, unified: dir.path };
  {
    await using group = await createControlGroup("x", LIMITS, hierarchies);
    assertEquals(group.joinFiles, [`${dir.path}/x/cgroup.procs`]);
    // An ordinary folder has no limits to write to.
    assertEquals(group.missing, ["memory", "processes"]);
    assertEquals(await group.exhausted(), false);
    await Deno.writeTextFile(`${dir.path}/x/memory.events`, "oom 3\noom_kill 2\n");
    assertEquals(await group.exhausted(), true);
    await Deno.remove(`${dir.path}/x/memory.events`);
  }
  assertEquals([...Deno.readDirSync(dir.path)], []);
});
