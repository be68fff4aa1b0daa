import { KarotteError, messageOf } from "../base/errors.ts";
import { warn } from "../base/log.ts";
import { printable } from "../base/one_line.ts";
import type { OpenWish } from "../host/project/approvals.ts";
import { Project } from "../host/project/project.ts";
import { type Approvals, NO_APPROVALS } from "../plugins/open_registry.ts";
import { NO_PLUGIN_FLAGS, type PluginFlags } from "../plugins/plugin_flags.ts";
import { quoted } from "./quoted.ts";

export interface ApprovedOptions {
  /** Real path of the environment. */
  readonly directory: string;
  readonly flags: PluginFlags;
  /** The environment's judges may ask models of its own. */
  readonly judges?: boolean;
  /** The environment's packages are installed. */
  readonly registries?: boolean;
  /** The digest of all wishes that the user gave on the command line. */
  readonly digest?: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Returns what of a project may take effect, after a question where the user has not answered it.
 * Throws a plugin error if he says no, or where there is no terminal to ask on.
 */
export async function approvedByUser(options: ApprovedOptions): Promise<Approvals> {
  const { directory, flags, judges = false, registries = false, digest, signal } = options;
  if (digest !== undefined) await checkDigest(digest, { directory, flags });
  const project = new Project({
    directory,
    flags,
    judges,
    registries,
    warn,
    ...(signal === undefined ? {} : { signal }),
  });
  const folders = await project.folders("strange");
  const { approvals, openWishes } = await import("../host/project/approvals.ts");
  const open = openWishes(project, folders);
  if (open.length === 0 || digest !== undefined) return approvals(folders, directory, () => true);
  const { askForTrust } = await import("./ask_trust.ts");
  await askForTrust(open, untrusted(open, directory), signal ?? new AbortController().signal);
  return approvals(folders, directory, () => true);
}

/** Returns a project with all that it may wish for, whatever a command needs of it. */
export function wholeProject(
  directory: string,
  { offline, ...more }: Pick<PluginFlags, "offline"> & { readonly trustsNpmrc?: boolean },
): Project {
  const flags = { ...NO_PLUGIN_FLAGS, offline };
  return new Project({ directory, flags, judges: true, registries: true, warn, ...more });
}

/**
 * Throws a plugin error unless a digest is that of all that a project wishes for, as
 * `karotte trust --show` prints it.
 */
async function checkDigest(
  digest: string,
  { directory, flags: { offline } }: Pick<ApprovedOptions, "directory" | "flags">,
): Promise<void> {
  const project = wholeProject(directory, { offline });
  const found = project.digest(await project.folders("all"));
  if (digest === found) return;
  throw new KarotteError("plugin", `Cannot trust "${directory}": its digest is ${found}`, {
    hint: "look at what it wants: karotte trust --show",
  });
}

/**
 * Returns what of a project takes effect where it is only looked at: what the user said yes to as
 * it is. Nobody is asked; with `own`, what stands in folders of his own counts too, though it may
 * be a stranger's branch.
 */
export async function approvedSoFar(
  { directory, flags, own = false }: Pick<ApprovedOptions, "directory" | "flags"> & {
    readonly own?: boolean;
  },
): Promise<Approvals> {
  const project = new Project({ directory, flags, judges: false, registries: true, warn });
  if (!project.mayWish() || !isRecordReadable(project)) return NO_APPROVALS;
  const given = await givenApprovals(project, directory);
  return {
    npmrc: given.npmrc,
    of(manifest) {
      const approval = given.of(manifest);
      if (approval === undefined) warnOfUnused(manifest.path);
      return approval?.modules === undefined && !own ? undefined : approval;
    },
  };
}

/** Warns of a record that can't be read: nothing has to take effect only to look. */
function isRecordReadable(project: Project): boolean {
  try {
    void project.record;
    return true;
  } catch (error) {
    warn(messageOf(error));
    return false;
  }
}

/** Returns what the user said yes to as it is now, and what is his own. */
async function givenApprovals(project: Project, directory: string): Promise<Approvals> {
  const folders = await project.folders("known");
  const { approvals } = await import("../host/project/approvals.ts");
  return approvals(folders, directory, (folder, wish) => project.isApproved(folder, wish));
}

/** What the user said of a manifest's plugins. */
export type ManifestState = "own" | "trusted" | "not trusted";

/** Returns what the user said of each manifest, by its path; what he names himself is trusted. */
export async function manifestStates(
  { directory, flags }: Pick<ApprovedOptions, "directory" | "flags">,
): Promise<(manifest: string) => ManifestState> {
  const project = new Project({ directory, flags, judges: false, registries: false, warn() {} });
  const { manifests } = project;
  if (manifests.length === 0) return () => "trusted";
  const given = await givenApprovals(project, directory);
  return (path) => {
    if (!manifests.includes(path)) return "trusted";
    const approval = given.of({ path });
    if (approval === undefined) return "not trusted";
    return approval.modules === undefined ? "own" : "trusted";
  };
}

function warnOfUnused(manifest: string): void {
  warn(
    `plugins of "${manifest}" are not used: you did not say yes to what they are now ` +
      "(karotte trust --show says it)",
  );
}

/** Returns the error for wishes that nobody said yes to. */
function untrusted(open: readonly OpenWish[], directory: string): KarotteError {
  const [first] = open;
  const more = open.length === 1 ? "" : ` and ${open.length - 1} more`;
  const state = first?.isChanged ? "it changed since you said yes" : "you did not say yes";
  return new KarotteError(
    "plugin",
    `Cannot use ${printable(first?.wish.name ?? "")} of "${first?.folder}"${more}: ${state}`,
    {
      hint: `karotte trust --show ${
        quoted(directory)
      } says what is wanted; without --show it is your yes`,
    },
  );
}
