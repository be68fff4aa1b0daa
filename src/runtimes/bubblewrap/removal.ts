import { KarotteError, messageOf } from "../../base/errors.ts";
import { warn } from "../../base/log.ts";
import { chooseNamespaceEntry, type NamespaceEntry } from "./namespace_entry.ts";
import { chooseIdentity, type Identity } from "./identity.ts";
import { removeControlGroup } from "./control_group.ts";
import { bwrapsWith } from "./processes.ts";
import { abandonedFolders, defaultDirectory, removeFolder, type RunFolder } from "./run_folder.ts";
import { start, STARTED } from "./start.ts";

/** Removes a run's folder with all that the student made in it. */
export async function removeRunFolder(
  folder: RunFolder,
  identity: Identity,
  entry: NamespaceEntry,
): Promise<void> {
  if (await removeFolder(folder.path)) return;
  // What belongs to a plain user's subordinate ids yields only in a namespace that has them.
  if (!identity.privileged) await removeMapped(`${folder.path}/tree`, identity, entry);
  if (await removeFolder(folder.path)) return;
  throw new KarotteError("runtime", `Cannot remove "${folder.path}": some of it does not yield`, {
    hint: "Remove it as root.",
  });
}

async function removeMapped(
  path: string,
  identity: Identity,
  entry: NamespaceEntry,
): Promise<void> {
  const script = `echo ${STARTED}; read -r _ && exec rm -rf --one-file-system -- "$1"`;
  const options = ["--die-with-parent", "--cap-add", "ALL", "--bind", "/", "/"];
  const argv = entry.argv(options, ["/bin/sh", "-c", script, "karotte", path]);
  const { child, stdout } = await start(argv, entry, identity);
  await Promise.all([child.stdin?.close(), stdout.cancel(), child.stderr.cancel()]);
  await child.status;
}

/**
 * Ends and removes what dead Karotte processes of the caller left in `directory` (default: where
 * run folders are made). Returns how many runs that were; one that can't be removed is warned of.
 */
export async function removeLeftovers(directory = defaultDirectory()): Promise<number> {
  let removed = 0;
  for (const folder of await abandonedFolders(directory)) {
    try {
      await removeLeftover(folder);
      removed++;
    } catch (error) {
      warn(`cannot remove what an earlier run left in "${folder.path}": ${messageOf(error)}`);
    }
  }
  return removed;
}

async function removeLeftover(folder: RunFolder): Promise<void> {
  // A bwrap whose maker was killed while both were starting can wait for it forever.
  const waiting = bwrapsWith(folder.name).filter((each) => each.kill());
  for (const each of waiting) await each.gone();
  for (const group of folder.groups) await removeControlGroup(group);
  using identity = await chooseIdentity();
  // Last, for it holds the record.
  await removeRunFolder(folder, identity, chooseNamespaceEntry(identity));
}
