import { join } from "node:path";
import { tempDir } from "../../src/base/temp_dir.ts";
import type { LoadedModule, LoadModuleOptions } from "../../src/loader/load_module.ts";
import type { ModuleTarget } from "../../src/loader/module_target.ts";
import {
  type Approvals,
  openRegistry,
  type OpenRegistryOptions,
} from "../../src/plugins/open_registry.ts";
import { NO_PLUGIN_FLAGS } from "../../src/plugins/plugin_flags.ts";

/** What stands for a module in tests: its exports, or what loading it does. */
export type FakeModule =
  | Readonly<Record<string, unknown>>
  | ((options: LoadModuleOptions) => Promise<Readonly<Record<string, unknown>>>);

/** Says yes to whatever a project has. */
const EVERYTHING: Approvals = { of: () => ({ modules: undefined, npmrc: true }), npmrc: true };

/** For tests: a folder with a manifest, and modules that exist in memory only. */
export async function tempPlugins(
  manifest: unknown,
  modules: Readonly<Record<string, FakeModule>>,
) {
  const dir = await tempDir();
  const folder = await Deno.realPath(dir.path);
  await Deno.writeTextFile(join(folder, "karotte.plugins.json"), JSON.stringify(manifest));
  for (const name of Object.keys(modules)) {
    if (name.startsWith("./")) await Deno.writeTextFile(join(folder, name), "1");
  }
  /** What was loaded, in order. */
  const loaded: string[] = [];
  const warnings: string[] = [];
  const load = async (
    { written: module }: ModuleTarget,
    options: LoadModuleOptions,
  ): Promise<LoadedModule> => {
    loaded.push(module);
    const fake = modules[module];
    if (fake === undefined) throw new Error("no such module");
    const namespace = typeof fake === "function" ? await fake(options) : fake;
    const inputs = module.startsWith("./") ? [join(folder, module)] : [];
    return { namespace, version: null, digest: `digest of ${module}`, inputs };
  };
  return {
    folder,
    loaded,
    warnings,
    /** A new registry, as the next command would open it. */
    open: (more: Partial<OpenRegistryOptions> = {}) =>
      openRegistry({
        directory: folder,
        flags: NO_PLUGIN_FLAGS,
        approvals: EVERYTHING,
        cacheDirectory: join(folder, "cache"),
        warn: (text) => warnings.push(text.replaceAll(folder, "FOLDER")),
        variable: () => undefined,
        load,
        digest: ({ written }) => Promise.resolve(`digest of ${written}`),
        ...more,
      }),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
