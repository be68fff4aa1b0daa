/** The most that is kept of a run: the rest is left out with a warning. */
export interface ArtifactLimits {
  /** Bytes of one artifact. */
  readonly artifactBytes: number;
  /** Files, folders and everything else in one artifact. */
  readonly artifactEntries: number;
  /** Bytes of all artifacts of a run. */
  readonly runBytes: number;
}

/** The most stretches of data in a sparse file that are sent apart. */
export const MOST_EXTENTS = 1_000;

/** The limits of every run. The harness keeps to them, and the host checks them again. */
export const ARTIFACT_LIMITS: ArtifactLimits = {
  artifactBytes: 2 * 1024 ** 3,
  artifactEntries: 100_000,
  runBytes: 10 * 1024 ** 3,
};
