import { dirname } from "node:path";
import { type Accounts, isPrivateGroup, systemAccounts } from "./accounts.ts";

const GROUP_MAY_WRITE = 0o020;
const OTHERS_MAY_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Says why a manifest that nobody named must not be read: somebody else could have put it there.
 * The file and all folders above it must belong to the caller or to root, and nobody else may write
 * to them; a folder like /tmp, where everyone may write but not replace what others have, is fine
 * further up, but not as the manifest's own. Undefined: it may be read.
 */
export function distrust(path: string, accounts: Accounts = systemAccounts()): string | undefined {
  const real = Deno.realPathSync(path);
  const found = distrustFolders(dirname(path), accounts);
  if (found !== undefined || real === path) return found ?? distrustPath(path, accounts, false);
  return distrustPath(real, accounts, false) ?? distrustFolders(dirname(real), accounts);
}

function distrustFolders(folder: string, accounts: Accounts): string | undefined {
  let current = Deno.realPathSync(folder);
  let mayBeSticky = false;
  for (;;) {
    const found = distrustPath(current, accounts, mayBeSticky);
    if (found !== undefined || current === dirname(current)) return found;
    current = dirname(current);
    mayBeSticky = true;
  }
}

function distrustPath(
  path: string,
  accounts: Accounts,
  mayBeSticky: boolean,
): string | undefined {
  const { uid, gid, mode } = Deno.statSync(path);
  if (uid !== 0 && uid !== accounts.uid) return `"${path}" belongs to user id ${uid}`;
  const rights = mode ?? 0;
  if (mayBeSticky && (rights & STICKY) !== 0) return undefined;
  if ((rights & OTHERS_MAY_WRITE) !== 0) return `everyone may write to "${path}"`;
  if ((rights & GROUP_MAY_WRITE) === 0 || isPrivateGroup(gid ?? 0, accounts)) return undefined;
  return `group id ${gid} may write to "${path}"`;
}
