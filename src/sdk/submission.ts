/** The most that a submission may hold; more of it is misbehaviour of the student. */
export interface SubmissionLimits {
  /** Bytes of one file; 256 MiB if absent. Zeros count, although they take no room. */
  maxFileBytes?: number;
  /** Bytes of all files of one submission; 1 GiB if absent. */
  maxTotalBytes?: number;
  /** Files and folders in a submitted folder; 10,000 if absent. */
  maxEntries?: number;
  /** Folders in one another below a submitted folder; 32 if absent. */
  maxDepth?: number;
  /**
   * Links in a submitted folder: `refuse`, as misbehaviour, if absent; `leave out`: they are not
   * copied, for folders with an honest use for them, like `node_modules`. A link is never followed.
   */
  links?: "refuse" | "leave out";
}

/** The limits of a submission where a step or a hook says nothing else. */
export const DEFAULT_SUBMISSION_LIMITS: Readonly<Required<SubmissionLimits>> = {
  maxFileBytes: 256 * 1024 ** 2,
  maxTotalBytes: 1024 ** 3,
  maxEntries: 10_000,
  maxDepth: 32,
  links: "refuse",
};

/**
 * Returns the path of a submission without a needless slash. Throws a `TypeError` unless it is an
 * absolute path of something below `/`, without `.` and `..`.
 */
export function submissionPath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const isPlain = path.startsWith("/") && parts.length > 0 && !path.includes("\0") &&
    !parts.includes(".") && !parts.includes("..");
  if (isPlain) return `/${parts.join("/")}`;
  throw new TypeError(
    `Submission ${JSON.stringify(path)}: expected an absolute path without "." and ".."`,
  );
}
