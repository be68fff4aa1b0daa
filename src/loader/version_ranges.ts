/** What is used of `semver`, which has no types of its own. */
export interface VersionRanges {
  /**
   * Returns true if a version is in a range, as npm and JSR read both: a pre-release only where the
   * range names one of the same release. A range that can't be read holds nothing.
   */
  satisfies(version: string, range: string): boolean;
  /**
   * Returns true for a range, and false for a tag like `latest` or what else is none, which only a
   * registry can explain.
   */
  isRange(text: string): boolean;
}

/** Loads npm's own code for versions: it takes 50 ms, and only bundling and installing need it. */
export async function versionRanges(): Promise<VersionRanges> {
  // A bundle has no other export of a CommonJS package.
  const { default: semver } = await import("semver");
  return {
    satisfies: (version, range) => semver.satisfies(version, range),
    isRange: (text) => semver.validRange(text) !== null,
  };
}
