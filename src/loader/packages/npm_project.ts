import { join } from "node:path";
import type { PackageSet } from "./package_set.ts";

/** Writes what npm's code starts from: the files that `npm install` would find. */
export async function writeProject(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
  set: PackageSet | undefined,
): Promise<void> {
  const project = { name: "karotte-packages", version: "0.0.0", dependencies };
  await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify(project));
  if (set === undefined) return;
  const lock = {
    name: project.name,
    version: project.version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": project, ...set.packages },
  };
  await Deno.writeTextFile(join(folder, "package-lock.json"), JSON.stringify(lock));
}
