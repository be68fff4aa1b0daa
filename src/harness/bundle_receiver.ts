import { dirname } from "node:path";
import { checkName, writeAll } from "../base/files.ts";
import type { BlobSink } from "../base/rpc_blobs.ts";
import { Sha256 } from "../base/sha256.ts";
import { type DigestedFile, treeText } from "../base/tree_text.ts";
import { type BundleAnnouncement, bundleBlobSchema } from "../protocol/rpc.ts";

/** Takes the bundle that the host announced, file by file, in place of the one that is there. */
export class BundleReceiver {
  readonly #directory: string;
  readonly #complete = Promise.withResolvers<void>();
  readonly #received: DigestedFile[] = [];
  #announced: BundleAnnouncement | undefined;

  /** `directory` is only root's; what it holds gives way to an announced bundle. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when all of the bundle is in its place; never for one that is not as announced. */
  get complete(): Promise<void> {
    return this.#complete.promise;
  }

  /** Takes in what the host starts with; undefined: the sandbox's own bundle stays. */
  async expect(announced: BundleAnnouncement | undefined): Promise<void> {
    if (announced === undefined) return this.#complete.resolve();
    for (const { name } of await Array.fromAsync(Deno.readDir(this.#directory))) {
      await Deno.remove(`${this.#directory}/${name}`, { recursive: true });
    }
    this.#announced = announced;
  }

  /** Throws to refuse a file that was not announced, has a bad name or is there already. */
  async open(about: unknown): Promise<BlobSink> {
    const { path: names, executable } = bundleBlobSchema.parse(about).bundle;
    if (this.#announced === undefined) throw new Error("no bundle was announced");
    names.forEach(checkName);
    const path = names.join("/");
    const place = `${this.#directory}/${path}`;
    await Deno.mkdir(dirname(place), { recursive: true });
    const mode = executable ? 0o755 : 0o644;
    const file = await Deno.open(place, { createNew: true, write: true, mode });
    const hash = new Sha256();
    return {
      async write(chunk) {
        await hash.update(chunk);
        await writeAll(file, chunk);
      },
      close: async () => {
        file.close();
        await this.#add({ path, executable, digest: await hash.digest() });
      },
      abort: () => file.close(), // the bundle is incomplete, so that nothing loads it
    };
  }

  /** Throws if the last file does not make the bundle what was announced. */
  async #add(file: DigestedFile): Promise<void> {
    this.#received.push(file);
    if (this.#announced === undefined || this.#received.length < this.#announced.files) return;
    const all = new Sha256();
    await all.update(new TextEncoder().encode(treeText(this.#received)));
    const digest = await all.digest();
    if (digest !== this.#announced.digest) {
      throw new Error(`the bundle is ${digest}, ${this.#announced.digest} was announced`);
    }
    this.#complete.resolve();
  }
}
