import { assert, assertEquals } from "@std/assert";
import { Resources } from "./resource_meter.ts";

const MIB = 1024 * 1024;

function changing() {
  return {
    cpuMicroseconds: 0,
    memoryBytes: 10 * MIB,
    peakMemoryBytes: 30 * MIB,
    memoryLimitBytes: 64 * MIB,
    memoryKills: 0,
  };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("faults 2.4: a step's metrics are what was measured in it", async () => {
  const counts = changing();
  const resources = new Resources(() => ({ ...counts }));
  using meter = resources.meter();
  counts.cpuMicroseconds += 10_000;
  await wait(300);
  counts.memoryBytes = 20 * MIB;
  counts.peakMemoryBytes = 50 * MIB;
  counts.memoryKills = 2;
  const metrics = resources.endStep(meter);
  assert(metrics !== null);
  assertEquals(metrics.samples.map(({ memory_mb }) => memory_mb), [10, 20]);
  assertEquals([metrics.avg_memory_mb, metrics.peak_memory_mb], [15, 50]);
  assertEquals([metrics.memory_limit_bytes, metrics.memory_limit_kills], [64 * MIB, 2]);
  assert(metrics.avg_cpu_percent > 0 && metrics.avg_cpu_percent <= metrics.peak_cpu_percent);
});

Deno.test("faults 2.4: a killed process is told once, in the step where it was", () => {
  const counts = changing();
  const resources = new Resources(() => ({ ...counts }));
  const kills = (during: number) => {
    using meter = resources.meter();
    counts.memoryKills += during;
    return resources.endStep(meter)?.memory_limit_kills;
  };
  assertEquals(kills(1), 1);
  assertEquals(kills(0), 0);
  counts.memoryKills += 1; // by a hook, between two steps
  assertEquals(kills(2), 3);
});

Deno.test("faults 2.4: a peak of earlier steps is not this one's, and samples are few", async () => {
  const counts = changing();
  const resources = new Resources(() => ({ ...counts }));
  using meter = resources.meter();
  await wait(250);
  const { samples, peak_memory_mb } = meter.end()!;
  assertEquals([samples.length, peak_memory_mb], [2, 10]);
});

Deno.test("faults 2.4: where nobody can tell, the metrics are null", () => {
  for (const resources of [new Resources(undefined), new Resources(() => JSON.parse("broken"))]) {
    using meter = resources.meter();
    assertEquals(resources.endStep(meter), null);
  }
});
