import { checkName, exists } from "../base/files.ts";
import type { BlobSink } from "../base/rpc_blobs.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import { ARTIFACT_LIMITS, type ArtifactLimits } from "../protocol/artifact_limits.ts";
import { artifactBlobSchema, type ArtifactFile } from "../protocol/rpc.ts";
import { artifactFolderName, numberedName } from "./file_names.ts";
import { giveToInvokingUser } from "./invoking_user.ts";
import { SparseWriter } from "./sparse_writer.ts";

export interface ArtifactStoreOptions {
  readonly limits?: ArtifactLimits;
  /** Told of files that are kept under other names. */
  warn?(text: string): void;
}

/**
 * Writes the files that a sandbox sends into `<run_id>_artifacts`, which nobody else has. No file
 * takes the place of another: a second artifact of a name gets a number.
 */
export class ArtifactStore {
  readonly #parent: string;
  readonly #runId: string;
  readonly #limits: ArtifactLimits;
  readonly #warn: (text: string) => void;
  readonly #sizes = new Map<number, { bytes: number; entries: number }>();
  /** The names that artifacts have got. */
  readonly #taken = new Set<string>();
  /** The name of each artifact, by its number. */
  readonly #names = new Map<number, Promise<string>>();
  #runBytes = 0;
  #folder: Promise<string> | undefined;

  constructor(parent: string, runId: string, options: ArtifactStoreOptions = {}) {
    this.#parent = parent;
    this.#runId = runId;
    this.#limits = options.limits ?? ARTIFACT_LIMITS;
    this.#warn = options.warn ?? (() => {});
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
    const names = [await this.#nameOf(artifact, folder), ...artifact.path.slice(1)];
    await this.#makeFolders(folder, names.slice(0, -1));
    const inside = [folder, ...names.slice(0, -1)].join("/");
    const partial = `${inside}/.${crypto.randomUUID()}.partial`;
    const file = await Deno.open(partial, {
      createNew: true,
      write: true,
      mode: artifact.executable ? 0o755 : 0o644,
    });
    const content = new SparseWriter(file, artifact.sparse);
    return {
      write: async (chunk) => {
        this.#count(sizes, chunk.length);
        await content.write(chunk);
      },
      close: async () => {
        try {
          await content.finish();
        } catch (error) {
          await removeIfThere(partial);
          throw error;
        } finally {
          file.close();
        }
        await giveToInvokingUser(partial);
        await this.#place(partial, { inside, name: names.at(-1) ?? "", artifact });
      },
      abort: async () => {
        file.close();
        await removeIfThere(partial);
      },
    };
  }

  /** Returns the name of a file's artifact: its own, or with a number if that one is taken. */
  #nameOf({ number, path }: ArtifactFile, folder: string): Promise<string> {
    const known = this.#names.get(number);
    if (known !== undefined) return known;
    const wanted = path[0] ?? "";
    const name = this.#freeName(wanted, (each) => `${folder}/${each}`);
    this.#names.set(number, name);
    return name;
  }

  async #freeName(wanted: string, pathOf: (name: string) => string): Promise<string> {
    for (let n = 1;; n++) {
      const name = n === 1 ? wanted : numberedName(wanted, n);
      if (this.#taken.has(pathOf(name))) continue;
      this.#taken.add(pathOf(name));
      // Other names may be the same file: file systems fold case.
      if (await exists(pathOf(name))) continue;
      if (n > 1) this.#warn(`Artifact "${wanted}": there is one already, kept as "${name}"`);
      return name;
    }
  }

  /** Gives a complete file its name, which within an artifact is free but for what is folded. */
  async #place(
    partial: string,
    { inside, name, artifact }: { inside: string; name: string; artifact: ArtifactFile },
  ): Promise<void> {
    const isTop = artifact.path.length === 1;
    const free = isTop ? name : await this.#freeName(name, (each) => `${inside}/${each}`);
    await Deno.rename(partial, `${inside}/${free}`);
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
