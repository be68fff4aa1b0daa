import { libc } from "./libc.ts";

/** Options of prctl(2). */
const PR_SET_PDEATHSIG = 1;
const PR_SET_CHILD_SUBREAPER = 36;
const SIGTERM = 15;

/**
 * Makes this process the parent of all orphans among its descendants, whatever session they make
 * for themselves: none can leave its tree.
 */
export function adoptOrphans(): void {
  libc().setProcessOption(PR_SET_CHILD_SUBREAPER, 1);
}

/** Has the kernel send this process SIGTERM when its parent ends, however that ends. */
export function endWithParent(): void {
  libc().setProcessOption(PR_SET_PDEATHSIG, SIGTERM);
}

/** Leaves the caller's session and process group, whose signals no longer reach this process. */
export function leaveSession(): void {
  libc().leaveSession();
}
