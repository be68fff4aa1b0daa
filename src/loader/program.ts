import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { readEmbedded } from "../base/embedded.ts";
import { KarotteError } from "../base/errors.ts";
import { ifThereSync } from "../base/files.ts";
import { VERSION } from "../base/version.ts";
import { ensureOwnDirectory } from "../cache/cache_directory.ts";
import { takeLock, writeWhole } from "../cache/cache_store.ts";
import { digestOf, fileDigest } from "../cache/digest.ts";
import { inputsAreSame, readRecord, writeRecord } from "../cache/input_record.ts";

/** Goes up with each change of how the program is bundled. */
const PROGRAM_VERSION = 1;

export interface BundleProgramOptions {
  /** What `cacheDirectory()` says. */
  cacheDirectory: string;
  /** The module to bundle, an absolute path; absent: the harness of this source tree. */
  entry?: string;
}

/**
 * The program that runs in sandboxes as one file, which needs no package, cache or network. Returns
 * its path in the cache. It is made from the source tree; the compiled program and the package from
 * JSR carry it. Throws where there is neither.
 */
export async function bundleProgram(options: BundleProgramOptions): Promise<string> {
  const cache = await ensureOwnDirectory(options.cacheDirectory);
  const folder = await ensureOwnDirectory(join(cache, "program"));
  const carried = options.entry === undefined ? await carriedProgram() : undefined;
  if (carried !== undefined) return await keep(carried, digestOf(carried), folder);
  const entry = options.entry ?? harnessEntry();
  const key = digestOf(JSON.stringify([PROGRAM_VERSION, VERSION, entry]));
  const record = join(folder, `${key}.json`);
  const known = cached(record, folder);
  if (known !== undefined) return known;
  using _lock = await takeLock(`${record}.lock`);
  return cached(record, folder) ?? await build(entry, record, folder);
}

async function carriedProgram(): Promise<Uint8Array | undefined> {
  if (Deno.build.standalone) return await readEmbedded("karotte.js");
  const { PUBLISHED_PROGRAM: packed } = await import("./published_program.ts");
  return packed === undefined ? undefined : gunzipSync(Uint8Array.fromBase64(packed));
}

function harnessEntry(): string {
  if (!import.meta.url.startsWith("file:")) {
    throw new KarotteError(
      "runtime",
      `Cannot bundle the harness from "${import.meta.url}": Karotte does not run from its sources`,
    );
  }
  const entry = fileURLToPath(new URL("../harness/program.ts", import.meta.url));
  try {
    Deno.statSync(entry);
    return entry;
  } catch (cause) {
    throw new KarotteError("runtime", `Cannot bundle the harness "${entry}": no such file`, {
      hint: "Run Karotte from its source tree.",
      cause,
    });
  }
}

/** The program's path if it is whole and nothing that it was made from has changed. */
function cached(recordPath: string, folder: string): string | undefined {
  const record = readRecord(recordPath);
  if (record === undefined || !inputsAreSame(record)) return undefined;
  const path = programPath(folder, record.digest);
  return isWhole(path, record.digest) ? path : undefined;
}

async function build(entry: string, record: string, folder: string): Promise<string> {
  const { buildProgram } = await import("./bundler/program_build.ts");
  const { files, inputs } = await buildProgram({ entry });
  const [code = ""] = files.values();
  const digest = digestOf(code);
  const path = await keep(code, digest, folder);
  await writeRecord(record, { digest, inputs });
  return path;
}

async function keep(code: string | Uint8Array, digest: string, folder: string): Promise<string> {
  const path = programPath(folder, digest);
  if (isWhole(path, digest)) return path;
  await ensureOwnDirectory(join(folder, digest));
  await writeWhole(path, code);
  return path;
}

function isWhole(path: string, digest: string): boolean {
  return ifThereSync(() => fileDigest(path)) === digest;
}

function programPath(folder: string, digest: string): string {
  return join(folder, digest, "karotte.js");
}
