import { assertEquals } from "@std/assert";
import type { SandboxMemory } from "../../schemas/student_limits.ts";
import { studentLimits } from "./student_limits.ts";

const GIB = 1024 ** 3;

function limitsOf(stated: SandboxMemory | undefined, group: number | null, machine: number) {
  const sources = { controlGroup: () => group, machine: () => machine };
  const limits = studentLimits(stated, sources);
  return [limits.sandbox_memory_source, limits.student_memory_bytes];
}

Deno.test("limits: the student's memory is the sandbox's less 1 GiB, whoever says it", () => {
  const plugin = { bytes: 1.5 * GIB, source: "plugin" } as const;
  assertEquals(limitsOf(plugin, 4 * GIB, 16 * GIB), ["plugin", 0.5 * GIB]);
  assertEquals(limitsOf(undefined, 4 * GIB, 16 * GIB), ["control_group", 3 * GIB]);
  assertEquals(limitsOf(undefined, null, 16 * GIB), ["machine", 15 * GIB]);
});

Deno.test("limits: a sandbox with no more than the harness keeps has none for the student", () => {
  assertEquals(limitsOf(undefined, GIB, 16 * GIB), ["control_group", null]);
});
