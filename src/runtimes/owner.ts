import { hostname } from "node:os";
import * as z from "zod";
import { startTicksOf } from "../base/process_table.ts";

/**
 * Who made something that must not outlive its maker: enough to tell whether that one is still
 * there.
 */
export const ownerSchema = z.strictObject({
  host: z.string(),
  boot_id: z.string(),
  /** Pids of another pid namespace say nothing about ours. */
  pid_namespace: z.string(),
  pid: z.int(),
  /**
   * Clock ticks from boot to the start of `pid`; tells it from a later process of the same number.
   */
  start_time: z.string(),
});
export type Owner = z.infer<typeof ownerSchema>;

/** This process. */
export function currentOwner(): Owner {
  return {
    host: hostname(),
    boot_id: Deno.readTextFileSync("/proc/sys/kernel/random/boot_id").trim(),
    pid_namespace: Deno.readLinkSync("/proc/self/ns/pid"),
    pid: Deno.pid,
    start_time: String(startTicksOf(Deno.pid) ?? ""),
  };
}

/**
 * True only if the owner is known to be gone; one on another host or in another container may live.
 */
export function isDead(owner: Owner): boolean {
  const here = currentOwner();
  if (owner.host !== here.host) return false;
  if (owner.boot_id !== here.boot_id) return true;
  if (owner.pid_namespace !== here.pid_namespace) return false;
  const start = startTicksOf(owner.pid);
  return start === undefined || String(start) !== owner.start_time;
}
