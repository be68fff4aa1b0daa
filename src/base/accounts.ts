/** Whose rights count when a file is judged, and which other accounts there are. */
export interface Accounts {
  /** User id of the caller. */
  readonly uid: number;
  /**
   * User ids of the system: root's, and in a container that knows no root outside of it the one
   * that the kernel shows instead, which is that of `/`.
   */
  readonly system: readonly number[];
  /** Text of `/etc/passwd` and `/etc/group`; undefined if it can't be read. */
  readonly passwd: string | undefined;
  readonly group: string | undefined;
}

/** Returns the accounts of this machine; the files are read when they are asked for. */
export function systemAccounts(): Accounts {
  return {
    uid: Deno.uid() ?? 0,
    system: systemIds(Deno.statSync("/").uid, read("/proc/sys/kernel/overflowuid")),
    get passwd() {
      return read("/etc/passwd");
    },
    get group() {
      return read("/etc/group");
    },
  };
}

/** Returns the ids of the system, by the owner of `/` and the kernel's text of its overflow id. */
export function systemIds(owner: number | null, overflow: string | undefined): number[] {
  return owner !== null && overflow?.trim() === String(owner) ? [0, owner] : [0];
}

/**
 * Returns true if nobody but the caller is in a group: then its right to write gives nobody
 * anything. Many systems give each user a group of their own, and a umask of 002 with it. Root's is
 * never private, and neither is one that these files don't know.
 */
export function isPrivateGroup(gid: number, { uid, passwd, group }: Accounts): boolean {
  if (uid === 0 || passwd === undefined || group === undefined) return false;
  const users = rows(passwd).map(([name, , user, main]) => ({ name, user, main }));
  const callers = users.filter(({ user }) => user === String(uid)).map(({ name }) => name);
  const row = rows(group).find(([, , id]) => id === String(gid));
  if (row === undefined || callers.length === 0) return false;
  const listed = (row[3] ?? "").split(",").filter(Boolean);
  const members = users.filter(({ main }) => main === String(gid)).map(({ name }) => name);
  return [...listed, ...members].every((name) => callers.includes(name));
}

function rows(text: string): string[][] {
  return text.split("\n").map((line) => line.split(":"));
}

function read(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    // Without it every group counts as shared.
    return undefined;
  }
}
