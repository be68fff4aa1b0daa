import { z } from "zod";
import { entryPoint } from "./entry_point.ts";
import { union } from "./merge.ts";

/**
 * Names of environment variables that no process of the student sees, tools included.
 *
 * ```ts
 * "karotte.harness_secret_env": { acme: ["ACME_TOKEN"] }
 * ```
 */
export const harnessSecretEnv = entryPoint({
  group: "karotte.harness_secret_env",
  summary: "List of environment variables that the student does not see.",
  check: z.array(z.string().regex(/^[A-Za-z_]\w*$/, "expected the name of a variable")),
  isFatalWithVariables: true,
  whenSkipped: "the variables that it names are not withheld from the student",
  merge: union,
});
