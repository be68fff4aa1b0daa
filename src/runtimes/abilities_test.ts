import { assertEquals } from "@std/assert";
import { type Abilities, guaranteesOf } from "./abilities.ts";

const ABILITIES: Abilities = {
  ...{ content: "files", networks: ["none"], keeps: false, arguments: false, passthrough: false },
  ...{ dev: false, kernel: "its own" },
  limits: {
    memory: "prevented",
    cpus: "not kept",
    processes: "detected",
    disk: "not kept",
    files: "not kept",
  },
};

Deno.test("guaranteesOf() says of each limit how it is kept, and under which condition", () => {
  assertEquals(guaranteesOf(ABILITIES), {
    kernel: "its own",
    memory: "limited as a whole",
    cpus: "not limited",
    processes: "not limited, but a run that goes beyond its limit ends",
    disk: "not limited, but for /tmp, /run and /dev/shm",
    files: "not limited",
    network: "none",
  });
  const more = guaranteesOf({
    ...ABILITIES,
    networks: ["none", "open"],
    limits: { ...ABILITIES.limits, disk: "prevented" },
    limitsHold: "on Sundays",
  });
  assertEquals([more.memory, more.disk, more.network], [
    "limited as a whole on Sundays",
    "limited as a whole on Sundays",
    "none unless asked for",
  ]);
});
