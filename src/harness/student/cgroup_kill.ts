import { ifThereSync, readTextIfThereSync } from "../../base/files.ts";

/** The group below which the harness itself was moved, if something confines it by groups. */
const HARNESS_LEAF = "/karotte_harness";

/**
 * Kills all that is in the student's own cgroup, of version 2, in one write: what forks meanwhile
 * dies too. The group is the one of that name beside the harness; karotte itself makes none, who
 * prepares a machine for it may. Without one nothing happens, and where the kernel or a read-only
 * mount refuses the write, others have to do the killing.
 */
export function killStudentGroup(uid: number, proc = "/proc/self"): void {
  const group = studentGroup(uid, proc);
  if (group === undefined) return;
  try {
    ifThereSync(() => Deno.writeTextFileSync(`${group}/cgroup.kill`, "1", { create: false }));
  } catch (error) {
    const refusals = [Deno.errors.PermissionDenied, Deno.errors.NotCapable];
    const isRefused = refusals.some((refusal) => error instanceof refusal);
    // EROFS and EOPNOTSUPP have no class of their own.
    if (!isRefused && !/\(os error (30|95)\)/.test(String(error))) throw error;
  }
}

function studentGroup(uid: number, proc: string): string | undefined {
  const own = /^0::(.*)$/m.exec(readTextIfThereSync(`${proc}/cgroup`) ?? "")?.[1];
  const mounts = readTextIfThereSync(`${proc}/mountinfo`) ?? "";
  // ID PARENT DEVICE ROOT PLACE OPTIONS ... - cgroup2 ...
  const place = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(mounts)?.[1];
  if (own === undefined || place === undefined) return undefined;
  const above = own.endsWith(HARNESS_LEAF) ? own.slice(0, -HARNESS_LEAF.length) : own;
  return `${place}${above === "/" ? "" : above}/karotte_uid_${uid}`;
}
