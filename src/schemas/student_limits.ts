import { z } from "zod";

/** The limits that a student is to have within its sandbox, and how it is held to them. */
export interface StudentLimits {
  /** Memory of the whole sandbox. */
  sandbox_memory_bytes: number;
  /** Who says so. */
  sandbox_memory_source: SandboxMemorySource;
  /** Memory of the student's processes; null: the sandbox has no more than the harness keeps. */
  student_memory_bytes: number | null;
  /** How the student is held to each limit. */
  contracts: LimitContracts;
}

/** How a student is held to each of its limits. */
export interface LimitContracts {
  /** To that of memory. */
  memory: LimitContract;
}

/**
 * Who says how much memory a sandbox has: a plugin, the caller's variable, the sandbox's own
 * control group, or the machine that it is on, which has no more.
 */
export type SandboxMemorySource = "plugin" | "variable" | "control_group" | "machine";

/**
 * `prevented`: the kernel refuses what is beyond the limit. `detected_and_reaped`: the student's
 * processes are ended for it. `not_supported`: the limit is not kept.
 */
export type LimitContract = "prevented" | "detected_and_reaped" | "not_supported";

/** The memory of a sandbox as its host knows it. */
export interface SandboxMemory {
  readonly bytes: number;
  readonly source: SandboxMemorySource;
}

const source = z.enum(["plugin", "variable", "control_group", "machine"]);
const contract = z.enum(["prevented", "detected_and_reaped", "not_supported"]);
const bytes = z.number().int().positive();

export const sandboxMemorySchema: z.ZodType<SandboxMemory> = z.object({ bytes, source });

type Fields<Value> = { readonly [Name in keyof Value]: z.ZodType<Value[Name]> };

/** The schemas of the fields of `StudentLimits`. */
export const STUDENT_LIMITS: Fields<StudentLimits> = {
  sandbox_memory_bytes: bytes,
  sandbox_memory_source: source,
  student_memory_bytes: bytes.nullable(),
  contracts: z.object({ memory: contract }),
};
