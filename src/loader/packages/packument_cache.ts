import { VERSION } from "../../base/version.ts";
import { isLoopbackHost } from "../../base/public_address.ts";

/** What is looked at of a registry's answer; a stranger may have written it. */
interface Packument {
  readonly name?: unknown;
  readonly versions?: Readonly<Record<string, { readonly dist?: { tarball?: unknown } }>>;
  time?: Readonly<Record<string, unknown>>;
}

/** When a version counts as published of which the registry does not say when. */
const NOT_YET = "9999-12-31T00:00:00.000Z";

/**
 * What the registry said of each package, for npm's code. It answers for the packages of our own
 * sdk itself: a plugin depends on one of them, but gets the running program's instead of a copy.
 * npm's code takes a version without a date for an old one: here it is one of the future.
 */
export class PackumentCache extends Map<string, unknown> {
  /** Names of packages that have versions without a date. */
  readonly undated = new Set<string>();
  readonly #hasSecret: (host: string) => boolean;

  /** `hasSecret` says whether a token or password is sent to a host. */
  constructor(hasSecret: (host: string) => boolean) {
    super();
    this.#hasSecret = hasSecret;
  }

  override set(key: string, packument: unknown): this {
    if (typeof packument === "object" && packument !== null) this.#amend(packument);
    return super.set(key, packument);
  }

  /** In place: it is what npm's code goes on with. */
  #amend(packument: Packument): void {
    const { versions, time } = packument;
    if (typeof versions !== "object" || versions === null) return;
    const isDated = (version: string) => Number.isFinite(Date.parse(String(time?.[version])));
    const undated = Object.keys(versions).filter((version) => !isDated(version));
    if (undated.length > 0) {
      this.undated.add(String(packument.name));
      const dates = undated.map((version) => [version, NOT_YET]);
      packument.time = { ...time, ...Object.fromEntries(dates) };
    }
    for (const { dist } of Object.values(versions)) {
      const url = URL.parse(String(dist?.tarball));
      if (dist === undefined || url?.protocol !== "http:" || isLoopbackHost(url)) continue;
      // The registry itself is asked over https, or there would be no token.
      if (this.#hasSecret(url.host)) dist.tarball = `https${url.href.slice("http".length)}`;
    }
  }

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
