import { join } from "node:path";
import { withErrorCode } from "./error_code.ts";
import { installPackages } from "./packages/install_packages.ts";

/** A published Deno for Linux. */
export interface LinuxDeno {
  readonly package: string;
  readonly version: string;
  /** Of its package, as npm's registry says. */
  readonly integrity: string;
}

/** The Deno of this repository's tests, by the names that images give to architectures. */
export const LINUX_DENO: Readonly<Record<"amd64" | "arm64", LinuxDeno>> = {
  amd64: {
    package: "@deno/linux-x64-glibc",
    version: "2.9.6",
    integrity:
      "sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==",
  },
  arm64: {
    package: "@deno/linux-arm64-glibc",
    version: "2.9.6",
    integrity:
      "sha512-poqhoH9B3nYloigEMPT5t8HY+wBeiuea1An5Q7fqgJzP0SYmWsoS/oUnWO/pEiA4ofzIBy1Elt/in58xKtxEoQ==",
  },
};

export interface InstallDenoOptions {
  readonly cacheDirectory: string;
  /** Take it from the cache, or fail. */
  readonly offline: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Variables that say how registries are reached; absent: this process's. */
  readonly variable?: (name: string) => string | undefined;
}

/**
 * The path of a Deno in the cache, for images of another platform than this machine's. What the
 * registry hands out must have the integrity that is written here. Throws a `KarotteError` if it
 * can't be had.
 */
export async function installDeno(deno: LinuxDeno, options: InstallDenoOptions): Promise<string> {
  const location = `node_modules/${deno.package}`;
  const { version, integrity } = deno;
  const set = {
    imports: { [deno.package]: deno.package },
    // Without the platform that it is for: it is not installed to run here.
    packages: { [location]: { version, integrity } },
  };
  const { directory } = await withErrorCode(
    "runtime",
    () =>
      installPackages(`${deno.package}@${version}`, set, {
        ...options,
        // No project's registry has a say: it is the user's own that is asked.
        directory: options.cacheDirectory,
        isTrusted: false,
        ageDelayExemptions: [],
      }),
  );
  return join(directory, location, "deno");
}
