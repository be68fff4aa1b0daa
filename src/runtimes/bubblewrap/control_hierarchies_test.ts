import { assertEquals } from "@std/assert";
import { parseMountInfo, parseOwnGroups } from "./control_hierarchies.ts";

Deno.test("parseMountInfo() finds control groups of both versions among other mounts", () => {
  const text = [
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755",
    "35 31 0:32 /docker/1 /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct",
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw",
    "",
  ].join("\n");
  assertEquals(parseMountInfo(text), [
    {
      type: "cgroup",
      root: "/docker/1",
      point: "/sys/fs/cgroup/cpu,cpuacct",
      options: ["rw", "cpu", "cpuacct"],
    },
    { type: "cgroup2", root: "/", point: "/sys/fs/cgroup/unified", options: ["rw"] },
  ]);
});

Deno.test("parseOwnGroups() splits controllers that share a hierarchy", () => {
  const groups = parseOwnGroups("9:name=systemd:/\n4:memory:/a:b\n3:cpu,cpuacct:/c\n0::/d\n");
  assertEquals([groups.get("memory"), groups.get("cpu"), groups.get("cpuacct")], [
    "/a:b",
    "/c",
    "/c",
  ]);
});
