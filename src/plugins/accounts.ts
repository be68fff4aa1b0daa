/** Whose rights count when a file is judged, and which other accounts there are. */
export interface Accounts {
  /** User id of the caller. */
  readonly uid: number;
  /** Text of `/etc/passwd` and `/etc/group`; undefined if it can't be read. */
  readonly passwd: string | undefined;
  readonly group: string | undefined;
}

export function systemAccounts(): Accounts {
  return { uid: Deno.uid() ?? 0, passwd: read("/etc/passwd"), group: read("/etc/group") };
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
