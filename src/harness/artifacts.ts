import { messageOf } from "../base/errors.ts";
import { RpcRefusal } from "../base/rpc_peer.ts";
import type { EventLog } from "./event_log.ts";
import { ARTIFACT_LIMITS, type ArtifactLimits, MOST_EXTENTS } from "../protocol/artifact_limits.ts";
import type { HostLink } from "../protocol/host_link.ts";
import {
  type Extent,
  type FolderEntry,
  folderEntry,
  OpenFolder,
  type OpenRegularFile,
} from "./open_folder.ts";
import { warningEvent } from "../schemas/transcript.ts";

const SHOWN_ENTRIES = 20;
/** Folders in one another, each of which is open while it is gone through. */
const MOST_DEPTH = 200;
/** Characters of a name, as the file systems of hosts have it. */
const MOST_NAME_CHARS = 255;

/**
 * Sends files and folders of the sandbox to the host. Links and special files are listed in a
 * warning and never opened; ceilings end an artifact with a warning. Holes of sparse files are not
 * sent, and count nothing. Nothing here fails a run.
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

  /** Keeps what lies at a path; warnings call it `shown`. */
  async save(path: string, shown = path): Promise<void> {
    const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
    if (!path.startsWith("/") || name === "" || name === "." || name === "..") {
      return await this.#warn(shown, "expected an absolute path with a name");
    }
    const artifact: Artifact = {
      number: this.#count++,
      bytes: 0,
      entries: 0,
      skipped: [],
      renamed: [],
    };
    await this.#link.activity({ name: `artifact ${shown}`.slice(0, 500), kind: "artifact" });
    try {
      // Only what is below the named path is the student's to plant links in.
      const parent = await Deno.realPath(parentOf(path));
      await Deno.lstat(`${parent}/${name}`); // says in words what is wrong
      using folder = OpenFolder.open(parent);
      const entry = folderEntry(new TextEncoder().encode(`${name}\0`));
      await this.#saveEntry(artifact, { folder, entry, names: [name] });
    } catch (error) {
      // A refusal is the host keeping to the same ceilings.
      const known = error instanceof CeilingError || error instanceof RpcRefusal;
      if (!known && !isFileError(error)) throw error;
      await this.#warn(shown, messageOf(error));
    }
    if (artifact.renamed.length > 0) {
      await this.#warn(
        shown,
        `names that are no UTF-8 are written with \\x: ${some(artifact.renamed)}`,
      );
    }
    if (artifact.skipped.length > 0) await this.#warn(shown, `not kept: ${some(artifact.skipped)}`);
  }

  async #saveEntry(artifact: Artifact, place: Place): Promise<void> {
    const { folder, entry, names } = place;
    artifact.entries += 1;
    if (artifact.entries > this.#limits.artifactEntries) {
      throw new CeilingError(`more than ${this.#limits.artifactEntries} entries, the rest is left`);
    }
    try {
      const kind = folder.kindOf(entry);
      if (kind === "link") artifact.skipped.push(`${names.join("/")} (link)`);
      else if (kind === "file") await this.#sendFile(artifact, place);
      else if (kind === "folder") await this.#saveFolder(artifact, place);
      else artifact.skipped.push(`${names.join("/")} (special file)`);
    } catch (error) {
      if (error instanceof CeilingError || !isFileError(error)) throw error;
      if (names.length === 1) throw error;
      artifact.skipped.push(`${names.join("/")} (${messageOf(error)})`);
    }
  }

  async #saveFolder(artifact: Artifact, { folder, entry, names }: Place): Promise<void> {
    if (names.length > MOST_DEPTH) {
      artifact.skipped.push(`${names.join("/")} (more than ${MOST_DEPTH} folders deep)`);
      return;
    }
    using inner = folder.openFolder(entry);
    for (const child of inner.entries()) {
      const name = keptName(child);
      if (name !== child.text || !child.isText) artifact.renamed.push([...names, name].join("/"));
      await this.#saveEntry(artifact, { folder: inner, entry: child, names: [...names, name] });
    }
  }

  async #sendFile(artifact: Artifact, { folder, entry, names }: Place): Promise<void> {
    using file = folder.openFile(entry);
    const extents = file.dataExtents(MOST_EXTENTS);
    const sparse = extents === undefined ? undefined : { size: file.size, extents };
    const whole: Extent[] = [[0, Number.MAX_SAFE_INTEGER]];
    await this.#link.saveArtifactFile(
      { number: artifact.number, path: names, executable: file.isExecutable, sparse },
      this.#counted(artifact, chunksOf(file, extents ?? whole)),
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

  async #warn(path: string, what: string): Promise<void> {
    await this.#events.emit(warningEvent(`Artifact "${path}": ${what}`));
  }
}

const CHUNK_BYTES = 256 * 1024;

/** Reads stretches of a file one after another; it ends early where the file does. */
function* chunksOf(file: OpenRegularFile, extents: readonly Extent[]): Generator<Uint8Array> {
  for (const [start, length] of extents) {
    for (let done = 0; done < length;) {
      const buffer = new Uint8Array(Math.min(CHUNK_BYTES, length - done));
      const count = file.readAt(buffer, start + done);
      if (count === 0) return;
      yield buffer.subarray(0, count);
      done += count;
    }
  }
}

/** Returns the name that an entry is kept under: escaped names may be longer than names can be. */
function keptName({ text }: FolderEntry): string {
  return text.length <= MOST_NAME_CHARS ? text : `${text.slice(0, MOST_NAME_CHARS - 1)}~`;
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_ENTRIES).join(", ");
  const more = names.length - SHOWN_ENTRIES;
  return `${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

function parentOf(path: string): string {
  return path.replace(/\/+$/, "").replace(/\/[^/]*$/, "") || "/";
}

interface Artifact {
  readonly number: number;
  bytes: number;
  entries: number;
  /** Entries that are left out, with the reason. */
  readonly skipped: string[];
  /** Entries whose names are written otherwise. */
  readonly renamed: string[];
}

/** An entry on the way through an artifact. */
interface Place {
  readonly folder: OpenFolder;
  readonly entry: FolderEntry;
  /** The names that it is kept under, from the artifact's own on. */
  readonly names: readonly string[];
}

/** The rest of an artifact is left out; the run goes on. */
class CeilingError extends Error {}

/** What the file system says, as opposed to a channel that broke or a fault of ours. */
function isFileError(error: unknown): boolean {
  return error instanceof Error &&
    (error.name in Deno.errors || typeof (error as { code?: unknown }).code === "string");
}
