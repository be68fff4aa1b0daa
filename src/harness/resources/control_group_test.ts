import { assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { tempDir } from "../../base/temp_dir.ts";
import { sandboxResources } from "./control_group.ts";

const GIB = 1024 ** 3;

async function countsIn(files: Readonly<Record<string, string>>) {
  await using dir = await tempDir();
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${dir.path}/${name}`), { recursive: true });
    await Deno.writeTextFile(`${dir.path}/${name}`, `${text}\n`);
  }
  return sandboxResources(dir.path)?.();
}

const version2 = {
  "cgroup.events": "populated 1\nfrozen 0",
  "cpu.stat": "usage_usec 1500\nuser_usec 1000",
  "memory.current": "4096",
  "memory.peak": "8192",
  "memory.max": String(GIB),
  "memory.events": "low 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 0",
};
const version1 = {
  "cpuacct/cpuacct.usage": "1500999",
  "memory/memory.usage_in_bytes": "4096",
  "memory/memory.max_usage_in_bytes": "8192",
  "memory/memory.limit_in_bytes": String(GIB),
  "memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2",
};
const counts = {
  cpuMicroseconds: 1500,
  memoryBytes: 4096,
  peakMemoryBytes: 8192,
  memoryLimitBytes: GIB,
  memoryKills: 2,
};

Deno.test("faults 2.4: a sandbox's counts are read from control groups of either version", async () => {
  assertEquals(await countsIn(version2), counts);
  assertEquals(await countsIn(version1), counts);
  const { "cpuacct/cpuacct.usage": _, ...memory } = version1;
  const unified = { "unified/cgroup.events": "", "unified/cpu.stat": "usage_usec 1500" };
  assertEquals(await countsIn({ ...memory, ...unified }), counts);
});

Deno.test("faults 2.4: what the kernel does not tell is null, and no limit is none", async () => {
  const { "memory.peak": _, "memory.events": __, ...older } = version2;
  const none = { peakMemoryBytes: null, memoryLimitBytes: null, memoryKills: null };
  assertEquals(await countsIn({ ...older, "memory.max": "max" }), { ...counts, ...none });
  const unlimited = { "memory/memory.limit_in_bytes": "9223372036854771712" };
  assertEquals(await countsIn({ ...version1, ...unlimited }), {
    ...counts,
    memoryLimitBytes: null,
  });
});

Deno.test("faults 2.4: the groups of a whole machine are not taken for a sandbox's", async () => {
  assertEquals(await countsIn({}), undefined);
  const { "cgroup.events": _, ...top } = version2;
  assertEquals(await countsIn(top), undefined);
  assertEquals(await countsIn({ ...version1, "memory/release_agent": "" }), undefined);
  assertEquals(await countsIn({ ...version1, "cpuacct/release_agent": "" }), undefined);
});
