import { isAbsolute } from "node:path";
import { z } from "zod";
import { entryPoint } from "./entry_point.ts";
import { union } from "./merge.ts";

/**
 * Folders with tools of the platform that toolchain builds and graded runs must not see; those that
 * are not there are left out, since covering one would fail the launch.
 *
 * ```ts
 * "karotte.platform_tooling_dirs": { acme: ["/opt/acme/bin"] }
 * ```
 */
export const platformToolingDirs = entryPoint({
  group: "karotte.platform_tooling_dirs",
  summary: "List of absolute paths that graded runs do not see.",
  check: z.array(z.string().refine(isAbsolute, "expected an absolute path")),
  merge: async (entries) => (await union(entries)).filter(isDirectory),
});

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    // Missing, or not to be looked at by us: then it can't be covered either.
    return false;
  }
}
