import { KarotteError, messageOf } from "../../base/errors.ts";
import { ifThere } from "../../base/files.ts";
import type { Sandbox, SandboxFiles, SandboxSpec } from "../runtime.ts";
import { bwrapOptions, payload } from "./confinement.ts";
import { type ControlGroup, createControlGroup } from "./control_group.ts";
import { chooseNamespaceEntry, type Launcher } from "./namespace_entry.ts";
import { type Bind, hostSources } from "./host_sources.ts";
import { STAGE, stagedArgv } from "./host_stage.ts";
import { chooseIdentity, type Identity } from "./identity.ts";
import { removeRunFolder } from "./removal.ts";
import { checkHost } from "./requirements.ts";
import { createRunFolder, type RunFolder } from "./run_folder.ts";
import { BubblewrapSandbox } from "./sandbox.ts";
import { start, STARTED } from "./start.ts";
import { SYSTEM_ENVIRONMENT } from "./system_programs.ts";
import { makeTree } from "./tree.ts";
import { checkMounts, type Cover, covers } from "../mounts.ts";
import { programRoots } from "./program_roots.ts";

/** The host's part in a launch. */
export interface LaunchOptions {
  /** The folder in which the run's folder is made. */
  readonly directory: string;
  /** Undefined: the one that fits the host. */
  readonly launcher: Launcher | undefined;
  /** Told of limits that can't be enforced. */
  warn(text: string): void;
}

/**
 * Starts a sandbox; if that fails, or the sandbox is disposed, nothing of it is left on the host.
 * Throws a `KarotteError` where a sandbox with all guarantees can't be had: there is no lesser one.
 */
export async function launch(spec: SandboxSpec, options: LaunchOptions): Promise<Sandbox> {
  if (await checkHost() === undefined) {
    throw new KarotteError("runtime", "Cannot start a sandbox: bwrap is not installed", {
      hint: `Install the package bubblewrap; it is looked for in ${SYSTEM_ENVIRONMENT.PATH}.`,
    });
  }
  const stack = new AsyncDisposableStack();
  try {
    return await assemble(spec, options, stack);
  } catch (error) {
    // Not `await using`: what stopped the launch matters more than what stopped the cleaning up.
    await stack.disposeAsync().catch((more) => options.warn(messageOf(more)));
    throw error;
  }
}

async function assemble(
  spec: SandboxSpec,
  options: LaunchOptions,
  stack: AsyncDisposableStack,
): Promise<Sandbox> {
  const identity = stack.use(await chooseIdentity());
  const entry = chooseNamespaceEntry(identity, options.launcher);
  const folder = await createRunFolder(options.directory, spec.runId);
  stack.defer(() => removeRunFolder(folder, identity, entry));
  const { content } = spec;
  if (content.kind !== "files") throw new TypeError("a sandbox of bubblewrap is made of files");
  const group = stack.use(await createControlGroup(folder.name, spec.limits));
  const shown = await prepare({ ...spec, content }, { folder, identity, group });
  reportMissing(group, options);

  const program = payload(content.program.argv, { started: STARTED, name: folder.name });
  const command = entry.argv(shown.options, program);
  const argv = stagedArgv(command, { joinFiles: group.joinFiles, binds: shown.binds });
  const started = await start(argv, entry, identity);
  const cleanUp = () => stack.disposeAsync();
  return new BubblewrapSandbox({ name: folder.name, started, group, cleanUp });
}

/** Makes the run's copies and decides what bwrap shows. */
async function prepare(
  spec: SandboxSpec & { readonly content: SandboxFiles },
  { folder, identity, group }: {
    readonly folder: RunFolder;
    readonly identity: Identity;
    readonly group: ControlGroup;
  },
): Promise<{ options: string[]; binds: Bind[] }> {
  const tree = `${folder.path}/tree`;
  const seenAs = identity.privileged ? STAGE : tree;
  const roots = await programRoots();
  const mounts = await checkMounts(spec.mounts);
  const covered = [
    ...await covers(spec.hidden, [
      ...roots.folders.map((path) => ({ source: path, target: path })),
      ...mounts,
    ]),
    ...await coversOfKernel(),
  ];
  const { etc } = await makeTree(tree, spec.content, identity);
  const sources = await hostSources(spec.content.program, mounts, { tree, seenAs, identity });
  const options = bwrapOptions({
    tree: seenAs,
    programRoots: roots,
    etc,
    program: sources.program,
    mounts: sources.mounts,
    covers: covered,
    controlGroups: group.shown,
  });
  const stage = identity.privileged ? [{ from: tree, to: STAGE }] : [];
  return { options, binds: [...sources.binds, ...stage] };
}

/** The names of the caller's keys, which engines cover too; not every kernel has the file. */
async function coversOfKernel(): Promise<Cover[]> {
  const path = "/proc/keys";
  return await ifThere(Deno.stat(path)) === undefined ? [] : [{ path, isDirectory: false }];
}

function reportMissing({ missing }: ControlGroup, { warn }: LaunchOptions): void {
  if (missing.length === 0) return;
  warn(
    `the sandbox's limit of ${missing.join(" and ")} is not enforced by the kernel: ` +
      "no control group can be made here",
  );
}
