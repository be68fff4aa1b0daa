import { checkName, writeAll } from "../base/files.ts";
import type { BlobSink } from "../base/rpc_blobs.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import { ARTIFACT_LIMITS, type ArtifactLimits } from "../protocol/artifact_limits.ts";
import { artifactBlobSchema, type ArtifactFile } from "../protocol/rpc.ts";
import { artifactFolderName } from "./file_names.ts";
import { giveToInvokingUser } from "./invoking_user.ts";

/** Writes the files that a sandbox sends into `<run_id>_artifacts`, which nobody else has. */
export class ArtifactStore {
  readonly #parent: string;
  readonly #runId: string;
  readonly #limits: ArtifactLimits;
  readonly #sizes = new Map<number, { bytes: number; entries: number }>();
  #runBytes = 0;
  #folder: Promise<string> | undefined;

  constructor(parent: string, runId: string, limits = ARTIFACT_LIMITS) {
    this.#parent = parent;
    this.#runId = runId;
    this.#limits = limits;
  }

  /** The folder, or undefined as long as nothing was kept. */
  get folder(): Promise<string> | undefined {
    return this.#folder;
  }

  /** Throws an error that refuses the file: a bad name, or a ceiling. */
  async open(about: unknown): Promise<BlobSink> {
    const { artifact } = artifactBlobSchema.parse(about);
    artifact.path.forEach(checkName);
    const sizes = this.#sizesOf(artifact);
    const folder = await (this.#folder ??= this.#makeFolder());
    const path = `${folder}/${artifact.path.join("/")}`;
    await this.#makeFolders(folder, artifact.path.slice(0, -1));
    const partial = `${path.slice(0, path.lastIndexOf("/"))}/.${crypto.randomUUID()}.partial`;
    const file = await Deno.open(partial, {
      createNew: true,
      write: true,
      mode: artifact.executable ? 0o755 : 0o644,
    });
    return {
      write: async (chunk) => {
        this.#count(sizes, chunk.length);
        await writeAll(file, chunk);
      },
      close: async () => {
        file.close();
        await giveToInvokingUser(partial);
        await replaceFile(partial, path);
      },
      abort: async () => {
        file.close();
        await removeIfThere(partial);
      },
    };
  }

  #sizesOf({ number }: ArtifactFile) {
    const sizes = this.#sizes.get(number) ?? { bytes: 0, entries: 0 };
    this.#sizes.set(number, sizes);
    sizes.entries += 1;
    if (sizes.entries > this.#limits.artifactEntries) {
      throw new Error(`more than ${this.#limits.artifactEntries} entries`);
    }
    return sizes;
  }

  #count(sizes: { bytes: number }, bytes: number): void {
    sizes.bytes += bytes;
    this.#runBytes += bytes;
    if (sizes.bytes > this.#limits.artifactBytes) {
      throw new Error(`more than ${this.#limits.artifactBytes} bytes`);
    }
    if (this.#runBytes > this.#limits.runBytes) {
      throw new Error(`the run's artifacts are above ${this.#limits.runBytes} bytes`);
    }
  }

  async #makeFolder(): Promise<string> {
    for (let n = 1;; n++) {
      const folder = `${this.#parent}/${artifactFolderName(this.#runId, n)}`;
      try {
        await Deno.mkdir(folder);
        await giveToInvokingUser(folder);
        return folder;
      } catch (error) {
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      }
    }
  }

  async #makeFolders(folder: string, names: readonly string[]): Promise<void> {
    let path = folder;
    for (const name of names) {
      path = `${path}/${name}`;
      try {
        await Deno.mkdir(path);
        await giveToInvokingUser(path);
      } catch (error) {
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      }
    }
  }
}

/** A later artifact of the same name wins; one that was a folder gives way. */
async function replaceFile(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch {
    await removeIfThere(to);
    await Deno.rename(from, to);
  }
}
