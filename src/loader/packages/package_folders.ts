import type { InstalledPackages } from "./install_packages.ts";
import { type PackageRequest, requestKey } from "./package_request.ts";

/** A package's folder: `name` in the `node_modules` of `directory`. */
export interface PackageFolder {
  readonly directory: string;
  readonly name: string;
}

/** What one bundling is told, and tells, of the packages that have to be installed for it. */
export class PackageFolders {
  /** Asked for and installed already, by key. */
  readonly used = new Map<string, PackageRequest>();
  /** Asked for and not installed, by key. */
  readonly missing = new Map<string, PackageRequest>();
  readonly #installed: InstalledPackages | undefined;

  constructor(installed: InstalledPackages | undefined) {
    this.#installed = installed;
  }

  /** Undefined: it is not installed. */
  folderOf(request: PackageRequest): PackageFolder | undefined {
    const installed = this.#installed;
    const name = installed?.set.imports[requestKey(request)];
    if (installed === undefined || name === undefined) return undefined;
    this.used.set(requestKey(request), request);
    return { directory: installed.directory, name };
  }
}
