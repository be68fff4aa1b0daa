/** What is used of `semver`, which has no types of its own. */
export interface VersionRanges {
  /**
   * Whether a version is in a range, as npm and JSR read both: a pre-release only where the range
   * names one of the same release. A range that can't be read holds nothing.
   */
  satisfies(version: string, range: string): boolean;
  /** Whether a text is a range, and not a tag like `latest`, which only a registry can explain. */
  isRange(text: string): boolean;
}

/** Loads npm's own code for versions: it takes 50 ms, and only bundling and installing need it. */
export async function versionRanges(): Promise<VersionRanges> {
  const { satisfies, validRange } = await import("semver");
  return {
    satisfies: (version, range) => satisfies(version, range),
    isRange: (text) => validRange(text) !== null,
  };
}
