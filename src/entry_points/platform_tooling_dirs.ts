import { isAbsolute } from "node:path";
import { z } from "zod";
import { entryPoint } from "./entry_point.ts";
import { union } from "./merge.ts";

/**
 * Folders with tools of the platform that toolchain builds and graded runs must not see. They are
 * folders of the sandbox: whoever covers them there leaves out those that it does not have.
 *
 * ```ts
 * "karotte.platform_tooling_dirs": { acme: ["/opt/acme/bin"] }
 * ```
 */
export const platformToolingDirs = entryPoint({
  group: "karotte.platform_tooling_dirs",
  summary: "List of absolute paths that graded runs do not see.",
  check: z.array(z.string().refine(isAbsolute, "expected an absolute path")),
  merge: union,
});
