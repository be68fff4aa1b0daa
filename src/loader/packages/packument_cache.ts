import { VERSION } from "../../base/version.ts";

/**
 * What the registry said of each package, for npm's code. It answers for the packages of our own
 * sdk itself: a plugin depends on one of them, but gets the running program's instead of a copy.
 */
export class PackumentCache extends Map<string, unknown> {
  override has(key: string): boolean {
    return sdkName(key) !== undefined || super.has(key);
  }

  override get(key: string): unknown {
    const name = sdkName(key);
    return name === undefined ? super.get(key) : sdkPackument(name);
  }
}

export const SDK_PACKAGES = ["@jsr/karotte__cli", "@karotte/cli"];

/** Keys end in the package's URL. */
function sdkName(key: string): string | undefined {
  return SDK_PACKAGES.find((name) => key.endsWith(`/${name.replace("/", "%2f")}`));
}

function sdkPackument(name: string) {
  return {
    name,
    "dist-tags": { latest: VERSION },
    versions: { [VERSION]: { name, version: VERSION, dist: { tarball: `sdk:${name}` } } },
  };
}
