import { tempDir } from "../../base/temp_dir.ts";
import { createArborist } from "./arborist.ts";
import { folderNames, npmName, type PackageRequest, requestKey } from "./package_request.ts";
import { lockedPackages } from "./locked_packages.ts";
import { writeProject } from "./npm_project.ts";
import type { PackageSet } from "./package_set.ts";
import type { RegistrySession } from "./registry_session.ts";
import { versionRanges } from "../version_ranges.ts";

/**
 * Chooses a version for each request and all that it needs, as npm does. What `seed` has and still
 * fits stays as it is.
 */
export async function resolvePackages(
  requests: readonly PackageRequest[],
  seed: PackageSet | undefined,
  { options, choice }: RegistrySession,
): Promise<PackageSet> {
  await using folder = await tempDir();
  const folders = folderNames(requests);
  const dependencies = Object.fromEntries(requests.map((request) => {
    const { range = "*" } = request;
    const name = npmName(request);
    const folder = folders.get(requestKey(request)) ?? name;
    return [folder, folder === name ? range : `npm:${name}@${range}`];
  }));
  await writeProject(folder.path, dependencies, seed);
  const arborist = await createArborist({ ...options, ...choice, path: folder.path });
  const tree = await arborist.buildIdealTree();
  const { packages } = tree.meta.commit();
  return lockedPackages(Object.fromEntries(folders), packages, await versionRanges());
}
