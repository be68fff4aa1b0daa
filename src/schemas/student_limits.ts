import { z } from "zod";

/** The limits that a student is to have within its sandbox, and how it is held to them. */
export interface StudentLimits {
  /** Memory of the whole sandbox. */
  sandbox_memory_bytes: number;
  sandbox_memory_source: SandboxMemorySource;
  /** Memory of the student's processes; null: the sandbox has no more than the harness keeps. */
  student_memory_bytes: number | null;
  contracts: {
    memory: LimitContract;
  };
}

/**
 * Who says how much memory a sandbox has: a plugin, the caller's variable, the sandbox's own
 * control group, or the machine that it is on, which has no more.
 */
export type SandboxMemorySource = typeof SOURCES[number];

/**
 * `prevented`: the kernel refuses what is beyond the limit. `detected_and_reaped`: the student's
 * processes are ended for it. `not_supported`: the limit is not kept.
 */
export type LimitContract = typeof CONTRACTS[number];

const SOURCES = ["plugin", "variable", "control_group", "machine"] as const;
const CONTRACTS = ["prevented", "detected_and_reaped", "not_supported"] as const;

const bytes = z.number().int().positive();

/** The memory of a sandbox as its host knows it. */
export const sandboxMemorySchema = z.object({ bytes, source: z.enum(SOURCES) });

export type SandboxMemory = z.infer<typeof sandboxMemorySchema>;

/** The schemas of the fields of `StudentLimits`. */
export const STUDENT_LIMITS = {
  sandbox_memory_bytes: bytes,
  sandbox_memory_source: z.enum(SOURCES),
  student_memory_bytes: bytes.nullable(),
  contracts: z.object({ memory: z.enum(CONTRACTS) }),
};
