import { dirname, join } from "node:path";
import { KarotteError } from "../../src/base/errors.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import {
  type LoadedModule,
  loadModule,
  type LoadModuleOptions,
  moduleDigest,
} from "../../src/loader/load_module.ts";
import { readTarget } from "../../src/loader/module_target.ts";
import type { Registry } from "./registry.ts";

/** A folder of plugins made for one test, whose packages come from a registry of the test. */
export interface Project extends AsyncDisposable {
  readonly directory: string;
  readonly options: LoadModuleOptions;
  write(path: string, content: string): Promise<void>;
  load(specifier: string, options?: Partial<LoadModuleOptions>): Promise<LoadedModule>;
  digest(specifier: string): Promise<string | undefined>;
}

export async function tempProject(registry: Pick<Registry, "url">): Promise<Project> {
  const folder = await tempDir();
  const directory = join(await Deno.realPath(folder.path), "project");
  const write = async (path: string, content: string) => {
    const target = join(directory, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, content);
  };
  await write(".npmrc", `registry=${registry.url}\n@jsr:registry=${registry.url}\n`);
  const options: LoadModuleOptions = {
    baseDirectory: directory,
    cacheDirectory: join(folder.path, "cache"),
    lockFile: join(directory, "karotte.plugins.lock.json"),
    offline: false,
    trustsNpmrc: true,
    ageDelayExemptions: [],
  };
  return {
    directory,
    options,
    write,
    load: (specifier, more = {}) =>
      loadModule(readTarget(specifier, directory), { ...options, ...more }),
    digest: (specifier) => moduleDigest(readTarget(specifier, directory), options),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The error that loading ends with. */
export async function refusalOf(loading: Promise<unknown>): Promise<KarotteError> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof KarotteError) return error;
    throw error;
  }
  throw new Error("It was loaded");
}
