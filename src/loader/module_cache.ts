import { join } from "node:path";
import { ifThereSync } from "../base/files.ts";
import { VERSION } from "../base/version.ts";
import { ensureOwnDirectory } from "../cache/cache_directory.ts";
import { takeLock, writeWhole } from "../cache/cache_store.ts";
import { digestOf, fileDigest } from "../cache/digest.ts";
import { inputsAreSame, readRecord, writeRecord } from "../cache/input_record.ts";
import { sharedModules } from "./shared_modules.ts";

/** Goes up with each change of what a bundle looks like. */
const BUNDLE_VERSION = 1;

/** A file of the cache with a self-contained ES module. */
export interface ModuleBundle {
  readonly path: string;
  /** SHA-256 in hex of its content. */
  readonly digest: string;
  /** Digests of the files that it was made from and that may change, by path. */
  readonly inputs: Readonly<Record<string, string>>;
}

export interface NewBundle {
  readonly code: string;
  /** Digests of the files that it was made from and that may change, by path. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** Bundles by what they were made from. */
export class ModuleCache {
  readonly #directory: string;
  readonly #folder: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#folder = join(directory, "modules");
  }

  /** The bundle of the same facts, if nothing it was made from has changed since. */
  async find(facts: unknown): Promise<ModuleBundle | undefined> {
    const record = readRecord(await this.#recordPath(facts));
    if (record === undefined || !inputsAreSame(record)) return undefined;
    const { digest, inputs } = record;
    const path = this.#bundlePath(digest);
    // A file that was torn or changed shows itself.
    const isWhole = ifThereSync(() => fileDigest(path)) === digest;
    return isWhole ? { path, digest, inputs } : undefined;
  }

  async add(facts: unknown, { code, inputs: made }: NewBundle): Promise<ModuleBundle> {
    const digest = digestOf(code);
    const path = this.#bundlePath(digest);
    const inputs = Object.fromEntries(made);
    await writeWhole(path, code);
    await writeRecord(await this.#recordPath(facts), { digest, inputs });
    return { path, digest, inputs };
  }

  /** Held by whoever builds the module of that name. */
  async lock(name: string): Promise<Disposable> {
    await ensureOwnDirectory(this.#directory);
    await ensureOwnDirectory(this.#folder);
    const records = await ensureOwnDirectory(join(this.#folder, "records"));
    return await takeLock(join(records, `${digestOf(name)}.lock`));
  }

  async #recordPath(facts: unknown): Promise<string> {
    const key = digestOf(JSON.stringify([BUNDLE_VERSION, VERSION, await sharedModules(), facts]));
    return join(this.#folder, "records", `${key}.json`);
  }

  #bundlePath(digest: string): string {
    return join(this.#folder, `${digest}.js`);
  }
}
