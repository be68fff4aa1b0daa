import { messageOf } from "../base/errors.ts";
import { type OpenFile, openWithoutLinks } from "../base/libc.ts";
import { RpcRefusal } from "../base/rpc_peer.ts";
import type { EventLog } from "./event_log.ts";
import { ARTIFACT_LIMITS, type ArtifactLimits } from "../protocol/artifact_limits.ts";
import type { HostLink } from "../protocol/host_link.ts";
import { warningEvent } from "../schemas/transcript.ts";

const SHOWN_ENTRIES = 20;

/**
 * Sends files and folders of the sandbox to the host. Links and special files are listed in a
 * warning and never opened; ceilings end an artifact with a warning. Nothing here fails a run.
 */
export class Artifacts {
  readonly #link: HostLink;
  readonly #events: EventLog;
  readonly #limits: ArtifactLimits;
  #count = 0;
  #runBytes = 0;

  constructor(link: HostLink, events: EventLog, limits = ARTIFACT_LIMITS) {
    this.#link = link;
    this.#events = events;
    this.#limits = limits;
  }

  async save(path: string): Promise<void> {
    const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
    if (!path.startsWith("/") || name === "" || name === "." || name === "..") {
      return await this.#warn(path, "expected an absolute path with a name");
    }
    const artifact = { number: this.#count++, bytes: 0, entries: 0, skipped: [] as string[] };
    await this.#link.activity({ name: `artifact ${path}`.slice(0, 500), kind: "artifact" });
    try {
      // Only what is below the named path is the student's to plant links in.
      await this.#saveEntry(artifact, await Deno.realPath(parentOf(path)) + `/${name}`, [name]);
    } catch (error) {
      // A refusal is the host keeping to the same ceilings.
      const known = error instanceof CeilingError || error instanceof RpcRefusal;
      if (!known && !isFileError(error)) throw error;
      await this.#warn(path, messageOf(error));
    }
    if (artifact.skipped.length > 0) await this.#warnSkipped(path, artifact.skipped);
  }

  async #saveEntry(artifact: Artifact, path: string, names: readonly string[]): Promise<void> {
    artifact.entries += 1;
    if (artifact.entries > this.#limits.artifactEntries) {
      throw new CeilingError(`more than ${this.#limits.artifactEntries} entries, the rest is left`);
    }
    try {
      const info = await Deno.lstat(path);
      if (info.isSymlink) artifact.skipped.push(`${names.join("/")} (link)`);
      else if (info.isFile) await this.#sendFile(artifact, path, names);
      else if (info.isDirectory) await this.#saveFolder(artifact, path, names);
      else artifact.skipped.push(`${names.join("/")} (special file)`);
    } catch (error) {
      if (error instanceof CeilingError || !isFileError(error)) throw error;
      if (names.length === 1) throw error;
      artifact.skipped.push(`${names.join("/")} (${messageOf(error)})`);
    }
  }

  async #saveFolder(artifact: Artifact, path: string, names: readonly string[]): Promise<void> {
    const children: string[] = [];
    for await (const { name } of Deno.readDir(path)) children.push(name);
    for (const child of children.sort()) {
      await this.#saveEntry(artifact, `${path}/${child}`, [...names, child]);
    }
  }

  async #sendFile(artifact: Artifact, path: string, names: readonly string[]): Promise<void> {
    using file = openWithoutLinks(path);
    const executable = (file.mode & 0o111) !== 0;
    await this.#link.saveArtifactFile(
      { number: artifact.number, path: names, executable },
      this.#counted(artifact, chunksOf(file)),
    );
  }

  async *#counted(
    artifact: Artifact,
    chunks: Iterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) {
      artifact.bytes += chunk.length;
      this.#runBytes += chunk.length;
      if (artifact.bytes > this.#limits.artifactBytes) {
        throw new CeilingError(`more than ${this.#limits.artifactBytes} bytes, the rest is left`);
      }
      if (this.#runBytes > this.#limits.runBytes) {
        throw new CeilingError(
          `the run's artifacts are above ${this.#limits.runBytes} bytes, the rest is left`,
        );
      }
      yield chunk;
    }
  }

  async #warnSkipped(path: string, skipped: readonly string[]): Promise<void> {
    const shown = skipped.slice(0, SHOWN_ENTRIES).join(", ");
    const more = skipped.length - SHOWN_ENTRIES;
    await this.#warn(path, `not kept: ${shown}${more > 0 ? ` and ${more} more` : ""}`);
  }

  async #warn(path: string, what: string): Promise<void> {
    await this.#events.emit(warningEvent(`Artifact "${path}": ${what}`));
  }
}

const CHUNK_BYTES = 256 * 1024;

function* chunksOf(file: OpenFile): Generator<Uint8Array> {
  for (let offset = 0;;) {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const count = file.readAt(buffer, offset);
    if (count === 0) return;
    yield buffer.subarray(0, count);
    offset += count;
  }
}

function parentOf(path: string): string {
  return path.replace(/\/+$/, "").replace(/\/[^/]*$/, "") || "/";
}

interface Artifact {
  readonly number: number;
  bytes: number;
  entries: number;
  readonly skipped: string[];
}

/** The rest of an artifact is left out; the run goes on. */
class CeilingError extends Error {}

/** What the file system says, as opposed to a channel that broke or a fault of ours. */
function isFileError(error: unknown): boolean {
  return error instanceof Error &&
    (error.name in Deno.errors || typeof (error as { code?: unknown }).code === "string");
}
