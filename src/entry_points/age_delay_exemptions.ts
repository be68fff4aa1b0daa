import { z } from "zod";
import { entryPoint } from "./entry_point.ts";
import { union } from "./merge.ts";

const OWN_PACKAGE = "@karotte/cli";

/**
 * Names of packages that may be installed although they are younger than 7 days; our own always is
 * one of them.
 *
 * ```ts
 * "karotte.age_delay_exemptions": { acme: ["@acme/models", "acme-tools"] }
 * ```
 */
export const ageDelayExemptions = entryPoint({
  group: "karotte.age_delay_exemptions",
  summary: "List of packages that may be younger than 7 days.",
  check: z.array(z.string().regex(/^(@[\w.-]+\/)?\w[\w.-]*$/, "expected the name of a package")),
  merge: async (entries) => [...new Set([OWN_PACKAGE, ...await union(entries)])].sort(),
});
