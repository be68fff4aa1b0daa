import { messageOf } from "../base/errors.ts";
import { digestOf } from "../cache/digest.ts";
import type { ModuleContent } from "../loader/module_content.ts";
import type { Wish } from "../trust/wish.ts";
import type { Manifest } from "./manifest.ts";
import { placeOf } from "./open_registry.ts";

/** A module of a manifest, as something that takes effect after a yes. */
export interface PluginWish extends Wish {
  /** Names the module, whatever its address looks like. */
  readonly key: string;
  /** Digest of what the module is made of. */
  readonly content: string;
}

export interface PluginWishes {
  readonly wishes: readonly PluginWish[];
  /** Modules that can't be read as they are, and so can't take effect either: one line each. */
  readonly unreadable: readonly string[];
}

export interface PluginWishesOptions {
  readonly cacheDirectory: string;
  readonly offline: boolean;
  readonly trustsNpmrc: boolean;
  readonly ageDelayExemptions: readonly string[];
  readonly signal?: AbortSignal;
}

const MOST_FILES_SHOWN = 4;

/**
 * Finds out what a manifest's modules are made of, and what the manifest wants of them. Installs
 * their packages, and imports nothing.
 */
export async function pluginWishes(
  { path, modules, entries }: Manifest,
  options: PluginWishesOptions,
): Promise<PluginWishes> {
  const { moduleContent } = await import("../loader/load_module.ts");
  const loadOptions = { ...options, ...placeOf(path) };
  const targets = [...modules, ...entries.map(({ target }) => target)];
  const wishes: PluginWish[] = [];
  const unreadable: string[] = [];
  for (const target of new Map(targets.map((each) => [each.key, each])).values()) {
    try {
      const content = await moduleContent(target, loadOptions);
      const uses = [
        ...modules.filter(({ key }) => key === target.key).map(() => []),
        ...entries.filter((entry) => entry.target.key === target.key)
          .map(({ group, name, attribute }) => [group, name, attribute]),
      ].map((use) => JSON.stringify(use)).sort();
      wishes.push({
        name: `plugin ${target.written}`,
        about: `runs as you, with your keys: ${partsOf(content)}`,
        digest: digestOf(JSON.stringify([content.digest, uses])),
        key: target.key,
        content: content.digest,
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      unreadable.push(messageOf(error));
    }
  }
  return { wishes, unreadable };
}

function partsOf({ files, packages, version }: ModuleContent): string {
  const shown = files.length <= MOST_FILES_SHOWN ? files : [
    ...files.slice(0, MOST_FILES_SHOWN - 1),
    `${files.length - MOST_FILES_SHOWN + 1} more files`,
  ];
  const more = packages === 0 ? [] : [packages === 1 ? "1 package" : `${packages} packages`];
  const release = version === null ? [] : [`version ${version}`];
  return [...release, ...shown, ...more].join(", ");
}
