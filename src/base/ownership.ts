import { dirname, resolve } from "node:path";
import { type Accounts, isPrivateGroup, systemAccounts } from "./accounts.ts";

const GROUP_MAY_WRITE = 0o020;
const OTHERS_MAY_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Says why a file or folder that nobody named must not be used: somebody else could have put it
 * there. It, all folders above it and all links on the way must belong to the caller or to the
 * system, and nobody else may write to them; a folder like /tmp, where everyone may write but not
 * replace what others have, is fine further up, but neither for a file itself nor as such. The
 * path is absolute and has to be there. Undefined: it may be used.
 */
export function distrust(path: string, accounts: Accounts = systemAccounts()): string | undefined {
  return distrustLinks(path, accounts, new Set()) ??
    distrustReal(Deno.realPathSync(path), accounts);
}

/** Looks at the links that a path leads over, where each of them lies and where it leads. */
function distrustLinks(
  path: string,
  accounts: Accounts,
  seen: Set<string>,
): string | undefined {
  for (let current = path; current !== dirname(current); current = dirname(current)) {
    const { isSymlink, uid } = Deno.lstatSync(current);
    if (!isSymlink || seen.has(current)) continue;
    seen.add(current);
    if (!isOurs(uid, accounts)) return `the link "${current}" belongs to user id ${uid}`;
    const target = resolve(dirname(current), Deno.readLinkSync(current));
    const found = distrustLinks(target, accounts, seen) ??
      distrustFolders(Deno.realPathSync(dirname(current)), accounts, true);
    if (found !== undefined) return found;
  }
  return undefined;
}

function distrustReal(path: string, accounts: Accounts): string | undefined {
  if (Deno.statSync(path).isDirectory) return distrustFolders(path, accounts, false);
  return distrustPath(path, accounts, false) ?? distrustFolders(dirname(path), accounts, false);
}

/** Looks at a folder and those above it; only the first of them may not be a sticky one. */
function distrustFolders(
  folder: string,
  accounts: Accounts,
  mayBeSticky: boolean,
): string | undefined {
  let [current, isFine] = [folder, mayBeSticky];
  for (;;) {
    const found = distrustPath(current, accounts, isFine);
    if (found !== undefined || current === dirname(current)) return found;
    [current, isFine] = [dirname(current), true];
  }
}

function distrustPath(
  path: string,
  accounts: Accounts,
  mayBeSticky: boolean,
): string | undefined {
  const { uid, gid, mode } = Deno.statSync(path);
  if (!isOurs(uid, accounts)) return `"${path}" belongs to user id ${uid}`;
  const rights = mode ?? 0;
  if (mayBeSticky && (rights & STICKY) !== 0) return undefined;
  if ((rights & OTHERS_MAY_WRITE) !== 0) return `everyone may write to "${path}"`;
  if ((rights & GROUP_MAY_WRITE) === 0 || isPrivateGroup(gid ?? 0, accounts)) return undefined;
  return `group id ${gid} may write to "${path}"`;
}

/** A system without user ids has no others. */
function isOurs(uid: number | null, { uid: own, system }: Accounts): boolean {
  return uid === null || uid === own || system.includes(uid);
}
