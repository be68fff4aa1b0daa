import { isErrno, type Libc, libc, NOBODY_OF_OURS } from "./libc.ts";

const SIGKILL = 9;

/**
 * Sends SIGKILL to every process whose real or saved user is `uid`, at one instant and without a
 * fork. For that instant the calling thread has that effective user, so it has to be root; its real
 * and saved ids are others, so the victims can't signal it. Ends the program if root can't be had
 * back.
 */
export function killAllOfUser(uid: number): void {
  asUser(uid, ({ kill }) => {
    try {
      kill(-1, SIGKILL);
    } catch (error) {
      if (!isErrno(error, "ESRCH")) throw error;
    }
  });
}

/**
 * Signals processes with the rights of a user: a number that another's process has by now reaches
 * nobody. What is gone or not that user's is passed over. Like `killAllOfUser`, it needs root.
 */
export function signalAsUser(uid: number, pids: readonly number[], signalNumber: number): void {
  asUser(uid, ({ signal }) => pids.forEach((pid) => signal(pid, signalNumber)));
}

/** Does something with the calling thread's effective user, whose victims can't signal it. */
function asUser(uid: number, act: (c: Libc) => void): void {
  if (!isOrdinaryUser(uid)) throw new RangeError(`Cannot act as user ${uid}`);
  const c = libc();
  c.setUserIds(NOBODY_OF_OURS, uid, 0);
  try {
    act(c);
  } finally {
    try {
      c.setUserIds(0, 0, 0);
    } catch {
      // Going on as the student would hand it the harness.
      c.exitNow(70);
    }
  }
}

/** Whether an id is neither root's nor -1, which the kernel takes for "leave it as it is". */
export function isOrdinaryUser(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id < 2 ** 32 - 1;
}
