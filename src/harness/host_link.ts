import type { Activity } from "../schemas/rpc.ts";
import type { TranscriptEvent } from "../schemas/transcript.ts";

/** What the harness needs of whoever started it. */
export interface HostLink {
  /** Hands an event over in order; resolves when it is on its way, not when it is on disk. */
  record(event: TranscriptEvent): Promise<void>;
  /** Resolves when every event so far is on the host's disk. */
  recorded(): Promise<void>;
  /** Says what runs from now on. */
  activity(activity: Activity): Promise<void>;
  /** Stores one regular file of an artifact. */
  saveArtifactFile(
    file: ArtifactFile,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void>;
}

export interface ArtifactFile {
  /** Counts the artifacts of the run. */
  readonly number: number;
  /** Names from the artifact's own name on. */
  readonly path: readonly string[];
  readonly executable: boolean;
}
