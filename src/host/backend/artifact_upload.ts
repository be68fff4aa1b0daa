import { type Clock, systemClock } from "../../base/clock.ts";
import { messageOf } from "../../base/errors.ts";
import { inParallel } from "../../base/in_parallel.ts";
import { ARTIFACT_LIMITS } from "../../protocol/artifact_limits.ts";
import { type ArtifactEntry, artifactFiles } from "./artifact_files.ts";
import type { BackendClient } from "./client.ts";
import { putFile } from "./put_file.ts";
import { retried } from "./retry.ts";

export interface UploadOptions {
  readonly client: BackendClient;
  readonly signal: AbortSignal;
  warn(message: string): void;
  readonly times?: UploadTimes;
  readonly clock?: Clock;
}

/** How long an upload is waited for. */
export interface UploadTimes {
  /** Milliseconds in which nothing moves. */
  readonly stallMs: number;
  /** Milliseconds within which a file that failed is begun again. */
  readonly budgetMs: number;
}

const UPLOAD_TIMES: UploadTimes = { stallMs: 300_000, budgetMs: 60_000 };

/** Addresses are only good for some time, so few are asked for at once. */
const BATCH = 100;
const AT_ONCE = 4;
/** After so many failures in a row the storage is taken for gone. */
const MAX_FAILURES_IN_A_ROW = 8;
const SHOWN_FAILURES = 10;

/**
 * Uploads the files of a finished run's artifact folder. At the end rather than one by one: no
 * upload takes the time of a step or of its judge. Never throws: what could not be uploaded is told
 * in warnings, and is still on disk.
 */
export async function uploadArtifacts(folder: string, options: UploadOptions): Promise<void> {
  const upload = new Upload(options);
  try {
    const batch: ArtifactEntry[] = [];
    for await (const entry of artifactFiles(folder)) {
      batch.push(entry);
      if (batch.length === BATCH) await upload.send(batch.splice(0));
    }
    await upload.send(batch);
  } catch (error) {
    options.warn(`Cannot upload all artifacts of "${folder}": ${messageOf(error)}`);
  }
  upload.tell();
}

class Upload {
  readonly #options: UploadOptions;
  readonly #failures: string[] = [];
  #failuresInARow = 0;

  constructor(options: UploadOptions) {
    this.#options = options;
  }

  /** Throws if there is no point in going on. */
  async send(batch: readonly ArtifactEntry[]): Promise<void> {
    if (batch.length === 0) return;
    this.#options.signal.throwIfAborted();
    const urls = await this.#options.client.presign(batch.map(({ name }) => name));
    await inParallel(batch, AT_ONCE, async (entry) => {
      if (this.#isHopeless()) return;
      await this.#sendFile(entry, urls.get(entry.name));
    });
    this.#options.signal.throwIfAborted();
    if (this.#isHopeless()) throw new Error("one upload after the other failed");
  }

  tell(): void {
    const { warn } = this.#options;
    this.#failures.slice(0, SHOWN_FAILURES).forEach((failure) => warn(failure));
    const more = this.#failures.length - SHOWN_FAILURES;
    if (more > 0) warn(`${more} more artifacts were not uploaded`);
  }

  async #sendFile({ name, path }: ArtifactEntry, url: string | undefined): Promise<void> {
    const { signal, times = UPLOAD_TIMES, clock = systemClock } = this.#options;
    try {
      if (url === undefined) throw new Error("the backend gave no address for it");
      const { size } = await Deno.lstat(path);
      if (size > ARTIFACT_LIMITS.artifactBytes) {
        throw new Error(`it has ${size} bytes, most of them holes of a sparse file`);
      }
      await retried(
        (stallMs) => putFile(path, url, { stallMs, signal }),
        { budgetMs: times.budgetMs, attemptMs: times.stallMs, signal, clock },
      );
      this.#failuresInARow = 0;
    } catch (error) {
      if (url !== undefined) this.#failuresInARow += 1;
      this.#failures.push(`Cannot upload artifact "${name}": ${messageOf(error)}`);
    }
  }

  #isHopeless(): boolean {
    return this.#failuresInARow >= MAX_FAILURES_IN_A_ROW;
  }
}
