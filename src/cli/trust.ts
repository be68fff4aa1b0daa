import { KarotteError } from "../base/errors.ts";
import { logLine, reportLine, warn } from "../base/log.ts";
import { printable } from "../base/one_line.ts";
import { openWishes } from "../host/project/approvals.ts";
import type { Project, ProjectFolder } from "../host/project/project.ts";
import { forget, rememberOnly, rememberOwn, rememberYes } from "../host/project/remember.ts";
import { contextFor } from "./context.ts";
import { defineCommand } from "./command.ts";
import { wholeProject } from "./project_trust.ts";

export const command = defineCommand({
  description: `
Says yes to what a project wants to have effect on this machine: its plugins, which run as you and
see your keys, models that its judges ask with your keys, and registries that its packages come
from. It asks nothing and prints what it records; what changes afterwards needs another yes.

  karotte trust --show
  karotte trust . && karotte run --task example_task

Folders that create-env made are your own: what stands in them takes effect at once. The record is
trust.json in ~/.config/karotte, and nothing in a project decides about it. What plugins read or
load at run time is not looked at, nor is a Containerfile, which the engine builds with network.`,
  flags: {
    show: { type: "boolean", help: "Record nothing: print what is wanted, and the digest of it." },
    own: { type: "boolean", help: "The folder is yours: whatever will stand in it takes effect." },
    pin: { type: "boolean", help: "Only what stands there now takes effect, own folder or not." },
    remove: { type: "boolean", help: "Forget all that was said about the folder." },
  },
  positionals: {
    dir: { value: "DIR", optional: true, help: "The project's folder (default: -C DIR)." },
  },
  async run({ flags, positionals: { dir } }, context) {
    const modes = (["show", "own", "pin", "remove"] as const).filter((name) => flags[name]);
    const [mode, other] = modes;
    if (other !== undefined) {
      throw new KarotteError("usage", `Cannot use --${mode} with --${other}: one at a time`);
    }
    const { directory } = dir === undefined ? context : contextFor({ ...context, directory: dir });
    const { offline } = context.plugins;
    // To say yes is to let packages come from wherever the project's .npmrc says.
    const project = wholeProject(directory, { offline, trustsNpmrc: mode !== "show" });
    if (mode === "remove") {
      await forget(directory);
      return reportLine(`forgotten: ${printable(directory)}`);
    }
    const folders = await project.folders("all");
    for (const text of folders.flatMap(({ plugins }) => plugins?.unreadable ?? [])) {
      warn(`not looked at, for it can't be loaded either: ${text}`);
    }
    if (mode === "show") return show(project, folders);
    if (mode === "own") await rememberOwn([directory]);
    for (const each of folders) {
      if (mode !== "own" || each.folder !== directory) await record(each, mode === "pin");
    }
    for (const each of folders) {
      const isNowOwn = mode === "own" && each.folder === directory;
      report(each, isNowOwn || (each.isOwn && mode !== "pin"));
    }
    if (mode !== "own" && folders.every(({ wishes }) => wishes.length === 0)) {
      reportLine(`nothing to trust: ${printable(directory)} wants nothing of this machine`);
    }
  },
});

async function record(
  { folder, isOwn, wishes, needed }: ProjectFolder,
  isPin: boolean,
): Promise<void> {
  if (isPin || (!isOwn && wishes.length > 0)) await rememberOnly(folder, wishes);
  else await rememberYes(needed.map((wish) => ({ folder, wish })));
}

function report({ folder, wishes }: ProjectFolder, isOwn: boolean): void {
  if (isOwn) {
    reportLine(`your own, with all that will stand in it: ${printable(folder)}`);
  } else if (wishes.length > 0) reportLine(`trusted as it is now: ${printable(folder)}`);
  for (const { name, about } of wishes) reportLine(`  ${printable(name)}: ${printable(about)}`);
}

function show(project: Project, folders: readonly ProjectFolder[]): void {
  const open = openWishes(project, folders);
  for (const { folder, isOwn, wishes } of folders) {
    reportLine(`${printable(folder)}${isOwn ? " (your own)" : ""}`);
    if (wishes.length === 0) reportLine("  wants nothing");
    for (const wish of wishes) {
      const found = open.find((each) => each.wish === wish);
      const state = found === undefined ? "trusted" : found.isChanged ? "changed" : "not trusted";
      reportLine(`  ${printable(wish.name)} (${state}): ${printable(wish.about)}`);
    }
  }
  reportLine(`digest: ${project.digest(folders)}`);
  if (open.length > 0) logLine("karotte trust says yes to it");
}
