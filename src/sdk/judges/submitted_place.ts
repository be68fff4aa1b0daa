import type { RunContext } from "../run_context.ts";
import { submissionPath } from "../submission.ts";

/**
 * Returns where a judge reads a file: in the harness's copy if it is a submission of the step or
 * lies in one, else at its own place. Undefined: it belongs to a submission that the student did
 * not leave.
 */
export function submittedPlace(
  path: string,
  context: Pick<RunContext, "submission">,
): string | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  // A path with `..` can be no submission, and is read where it leads.
  if (parts.includes(".") || parts.includes("..")) return path;
  for (let count = parts.length; count > 0; count--) {
    const rest = parts.slice(count).map((part) => `/${part}`).join("");
    try {
      const copy = context.submission(submissionPath(`/${parts.slice(0, count).join("/")}`));
      return copy === undefined ? undefined : copy + rest;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // This one is no submission; a folder around it may be.
    }
  }
  return path;
}
