import { assert, assertEquals } from "@std/assert";
import type { Behaviour } from "./behaviour.ts";

const MIB = 1024 * 1024;

export const MEMORY_LIMIT = "what needs more than the memory limit is killed";
export const MEMORY_STATUS = "the status says that the memory limit was reached";
export const PROCESS_LIMIT = "more processes than the limit can't be";
export const PROCESS_STATUS = "the status says that the process limit was reached";
const HUNGRY = "head -c 300000000 /dev/zero | student tail -c 250000000 > /dev/null; echo $? >&4";
const BUSY = `exec >&4
  for i in 1 2 3 4 5 6 7 8; do while :; do :; done & pids="$pids $!"; done
  sleep 4; kill $pids; wait; times`;
const MANY = `exec >&4
  student sh -c 'for i in $(seq 60); do sleep 60 & done' 2>/dev/null
  set -- /proc/[0-9]*; echo $#`; // without a process of its own: there is no room for one
const MEMORY = { memoryBytes: 96 * MIB, processes: null, cpus: null };
const CPUS = { memoryBytes: null, processes: null, cpus: 0.02 };
const PROCESSES = { memoryBytes: null, processes: 30, cpus: null };

export const limits: Behaviour[] = [
  {
    name: MEMORY_LIMIT,
    differs: ["product", "launcher"],
    limit: "memory",
    async test(lab) {
      const { out, code } = await lab.run(HUNGRY, { limits: MEMORY });
      assertEquals([out, code], ["137\n", 0]);
    },
  },
  {
    name: MEMORY_STATUS,
    differs: ["remote", "product", "launcher"],
    limit: "memory",
    async test(lab) {
      assert((await lab.run(HUNGRY, { limits: MEMORY })).exhausted);
    },
  },
  {
    name: PROCESS_LIMIT,
    differs: ["product", "launcher"],
    limit: "processes",
    async test(lab) {
      const { out } = await lab.run(MANY, { limits: PROCESSES });
      assert(Number(out) > 0 && Number(out) <= 30, out);
    },
  },
  {
    name: PROCESS_STATUS,
    differs: ["remote", "product", "launcher"],
    limit: "processes",
    async test(lab) {
      assert((await lab.run(MANY, { limits: PROCESSES })).exhausted);
    },
  },
  {
    name: "no more processor time than the limit can be had",
    differs: ["product", "launcher"],
    limit: "cpus",
    async test(lab) {
      const { out } = await lab.run(BUSY, { limits: CPUS });
      // The second line: user and system time of the loops. They may have 0.08 s; without the limit
      // they get 0.3 s or more, also of two processors that forty others share.
      const seconds = [...out.matchAll(/(\d+)m([\d.]+)s/g)].slice(2)
        .map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
      assertEquals(seconds.length, 2, out);
      assert(seconds.reduce((sum, each) => sum + each) < 0.2, out);
    },
  },
  {
    name: "a run within its limits is not called exhausted",
    differs: ["remote", "product"],
    async test(lab) {
      const { out, exhausted } = await lab.run("echo fine >&4", {
        limits: { memoryBytes: 256 * MIB, processes: 100, cpus: null },
      });
      assertEquals([out, exhausted], ["fine\n", false]);
    },
  },
  {
    name: "folders in memory are of limited size",
    differs: ["product"],
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
