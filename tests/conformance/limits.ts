import { assert, assertEquals } from "@std/assert";
import type { Behaviour } from "./behaviour.ts";

const MIB = 1024 * 1024;

export const MEMORY_LIMIT =
  "what needs more than the memory limit is killed, and the status says so";
export const PROCESS_LIMIT = "more processes than the limit can't be, and the status says so";

export const limits: Behaviour[] = [
  {
    name: MEMORY_LIMIT,
    async test(lab) {
      const { out, code, exhausted } = await lab.run(
        "head -c 300000000 /dev/zero | student tail -c 250000000 > /dev/null; echo $? >&4",
        { limits: { memoryBytes: 96 * MIB, processes: null, cpus: null } },
      );
      assertEquals([out, code, exhausted], ["137\n", 0, true]);
    },
  },
  {
    name: PROCESS_LIMIT,
    async test(lab) {
      const { out, exhausted } = await lab.run(
        `exec >&4
        student sh -c 'for i in $(seq 60); do sleep 60 & done' 2>/dev/null
        ls -d /proc/[0-9]* | wc -l`,
        { limits: { memoryBytes: null, processes: 30, cpus: null } },
      );
      assert(Number(out) <= 30, out);
      assert(exhausted);
    },
  },
  {
    name: "a run within its limits is not called exhausted",
    async test(lab) {
      const { out, exhausted } = await lab.run("echo fine >&4", {
        limits: { memoryBytes: 256 * MIB, processes: 100, cpus: null },
      });
      assertEquals([out, exhausted], ["fine\n", false]);
    },
  },
  {
    name: "folders in memory are of limited size",
    async test(lab) {
      const { out } = await lab.run(`exec >&4
        for folder in /tmp /run /dev/shm; do
          [ "$(df --output=size -k $folder | tail -n 1)" -le 1048576 ] && echo $folder
        done
        student sh -c 'head -c 80000000 /dev/zero > /dev/shm/x' 2>/dev/null || echo full`);
      assertEquals(out, "/tmp\n/run\n/dev/shm\nfull\n");
    },
  },
];
