import { installPackages } from "./install_packages.ts";
import { wantedText } from "./package_request.ts";
import { PackageFolders } from "./package_folders.ts";
import type { PackageSet } from "./package_set.ts";
import { providePackages, type ProvidePackagesOptions } from "./provide_packages.ts";

export interface BuiltWithPackages<Built> {
  readonly built: Built;
  /** The packages that were installed for it; undefined: it needs none. */
  readonly set: PackageSet | undefined;
}

/** The first build asks for packages, the second has them; one more if the files have changed. */
const MOST_BUILDS = 3;

/**
 * Builds with the packages that are remembered, and if it turns out that some are missing once more
 * with those. Most that is built needs none, so nothing is asked before that is known.
 */
export async function withPackages<Built>(
  options: ProvidePackagesOptions,
  build: (folders: PackageFolders) => Promise<Built>,
): Promise<BuiltWithPackages<Built>> {
  const remembered = options.memory.read();
  const isUsable = remembered !== undefined && (remembered.isFresh || options.offline);
  let installed = isUsable
    ? await installPackages(
      wantedText(Object.keys(remembered.set.imports), options.user),
      remembered.set,
      options,
    )
    : undefined;
  for (let attempt = 0; attempt < MOST_BUILDS; attempt++) {
    const folders = new PackageFolders(installed);
    const built = await build(folders);
    if (folders.missing.size === 0) return { built, set: installed?.set };
    const requests = [...folders.used.values(), ...folders.missing.values()];
    installed = await providePackages(requests, options);
  }
  throw new Error(`Cannot bundle ${options.user}: its imports change while they are read`);
}
