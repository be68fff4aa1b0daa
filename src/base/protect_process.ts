import { isErrno, libc } from "./libc.ts";
import { systemCallFilter } from "./system_call_filter.ts";

/**
 * Hides what /proc shows of this process (its environment, memory and open files) from other
 * processes of its user, and forbids to trace it and to dump its memory; root may still do all of
 * that. A program that this process starts is not hidden.
 */
export function hideProcess(): void {
  libc().hideFromOthers();
}

/** Leaves the caller's session keyring, so that no process from here on possesses its keys. */
export function leaveSessionKeyring(): void {
  try {
    libc().joinSessionKeyring();
  } catch (error) {
    // Where a filter refuses the call, it refuses to use a keyring too; some kernels have none.
    if (!isErrno(error, "EPERM") && !isErrno(error, "ENOSYS")) throw error;
  }
}

/**
 * Refuses, from here on and for good, what `systemCallFilter` does: to every thread of this process
 * and all that they start, root's too. Throws a `LibcError`; `EINVAL` or `ENOSYS` where the kernel
 * has no filters, as under emulation.
 */
export function filterSystemCalls(): void {
  const { arch } = Deno.build;
  const c = libc();
  // Without it a filter is for administrators.
  c.forbidNewPrivileges();
  c.filterCalls(systemCallFilter(arch));
}
