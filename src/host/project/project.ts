import { dirname, relative } from "node:path";
import { cacheDirectory } from "../../cache/cache_directory.ts";
import { findNpmrc } from "../../loader/packages/project_npmrc.ts";
import { findManifests } from "../../plugins/find_manifests.ts";
import type { PluginFlags } from "../../plugins/plugin_flags.ts";
import type { PluginWishes } from "../../plugins/plugin_wishes.ts";
import { isOwn } from "../../trust/own_folder.ts";
import { type Folders, readTrustRecord } from "../../trust/trust_record.ts";
import { digestOfWishes, type FolderWishes, type Wish } from "../../trust/wish.ts";

/** What of a project a command lets take effect. */
export interface ProjectOptions {
  /** Real path of the environment, or of the current folder. */
  readonly directory: string;
  readonly flags: PluginFlags;
  /** The environment's own models for judges may be asked. */
  readonly judges: boolean;
  /** Packages may come from registries that the environment names. */
  readonly registries: boolean;
  /** The user is about to say yes: packages come from wherever the project's `.npmrc` says. */
  readonly trustsNpmrc?: boolean;
  /** Told of each manifest that others could have written. */
  readonly warn: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** A folder with something that could take effect. */
export interface ProjectFolder extends FolderWishes {
  /** Real path of the manifest that was found in it; undefined: none was, or none counts. */
  readonly manifest: string | undefined;
  /** Whatever stands in it takes effect. */
  readonly isOwn: boolean;
  /** Its `.npmrc`, which may lie in a folder above, is the user's own too. */
  readonly ownsNpmrc: boolean;
  /** Those of its wishes that need a yes. */
  readonly needed: readonly Wish[];
  /** Undefined: nobody looked. */
  readonly plugins: PluginWishes | undefined;
  /** What its `.npmrc` wishes for, if anything. */
  readonly registries: readonly Wish[];
}

/** A folder of a project that may have something that could take effect; nobody looked yet. */
interface Place {
  readonly folder: string;
  readonly manifest: string | undefined;
}

/** An environment, and whatever around it could take effect on this machine. */
export class Project {
  readonly #options: ProjectOptions;
  readonly #places: readonly Place[];
  #record: Folders | undefined;

  constructor(options: ProjectOptions) {
    this.#options = options;
    this.#places = placesOf(options);
  }

  /** Paths of the manifests that stand in the project. */
  get manifests(): string[] {
    return this.#places.flatMap(({ manifest }) => manifest ?? []);
  }

  /** Whether anything stands there that may be a wish; a look at names only. */
  mayWish(): boolean {
    const { directory } = this.#options;
    return this.manifests.length > 0 || findNpmrc(directory, Deno.env.get("HOME")) !== undefined;
  }

  get record(): Folders {
    return this.#record ??= readTrustRecord();
  }

  isOwn(folder: string): boolean {
    return isOwn(folder, this.record);
  }

  /**
   * Looks at what the folders wish for. Installs packages of plugins, and imports nothing. `which`:
   * folders of the user's own are left out, and with `known` those too that he said nothing about.
   */
  async folders(which: "strange" | "known" | "all"): Promise<readonly ProjectFolder[]> {
    return await Promise.all(this.#places.map(async (place): Promise<ProjectFolder> => {
      const { folder, manifest } = place;
      const npmrc = findNpmrc(folder, Deno.env.get("HOME"));
      const asked = await this.#judgesOf(folder);
      const mayWish = manifest !== undefined || npmrc !== undefined || asked.length > 0;
      // Most environments wish for nothing, and the record is not even read.
      if (!mayWish) return nothingOf(place, false, false);
      const own = this.isOwn(folder);
      const ownsNpmrc = npmrc === undefined ? own : this.isOwn(Deno.realPathSync(dirname(npmrc)));
      const isSkipped = which !== "all" &&
        ((own && ownsNpmrc) || (which === "known" && !own && this.record[folder] === undefined));
      if (isSkipped) return nothingOf(place, own, ownsNpmrc);
      return await this.#folder(place, { own, ownsNpmrc, asked, all: which === "all" });
    }));
  }

  /** Returns the digest of all wishes, as `karotte trust --show` prints it. */
  digest(folders: readonly ProjectFolder[]): string {
    return digestOfWishes(folders, (folder) => relative(this.#options.directory, folder));
  }

  /** Returns what a folder's judges wish for, if it is the environment's and they may. */
  async #judgesOf(folder: string): Promise<Wish[]> {
    const { judges, directory } = this.#options;
    if (!judges || folder !== directory) return [];
    return await (await import("./environment_wishes.ts")).judgeWishes(folder);
  }

  async #folder(
    { folder, manifest }: Place,
    { own, ownsNpmrc, asked, all }: {
      readonly own: boolean;
      readonly ownsNpmrc: boolean;
      /** What its judges wish for. */
      readonly asked: readonly Wish[];
      readonly all: boolean;
    },
  ): Promise<ProjectFolder> {
    const { registries: mayName, trustsNpmrc = false } = this.#options;
    const { registryWishes } = await import("./environment_wishes.ts");
    const registries = manifest !== undefined || mayName ? await registryWishes(folder) : [];
    const mayInstall = ownsNpmrc || trustsNpmrc || this.#areApproved(folder, registries);
    const plugins = manifest === undefined || (own && !all)
      ? { wishes: [], unreadable: [] }
      : await this.#plugins(manifest, mayInstall);
    return {
      ...{ folder, manifest, isOwn: own, ownsNpmrc, plugins, registries },
      wishes: [...plugins.wishes, ...registries, ...asked],
      needed: [...(own ? [] : [...plugins.wishes, ...asked]), ...(ownsNpmrc ? [] : registries)],
    };
  }

  async #plugins(manifest: string, trustsNpmrc: boolean): Promise<PluginWishes> {
    const [{ readManifest }, { pluginWishes }] = await Promise.all([
      import("../../plugins/manifest.ts"),
      import("../../plugins/plugin_wishes.ts"),
    ]);
    const { flags: { offline }, signal } = this.#options;
    return await pluginWishes(await readManifest(manifest), {
      cacheDirectory: cacheDirectory(),
      offline,
      trustsNpmrc,
      ageDelayExemptions: [],
      ...(signal === undefined ? {} : { signal }),
    });
  }

  #areApproved(folder: string, wishes: readonly Wish[]): boolean {
    return wishes.length > 0 && wishes.every((wish) => this.isApproved(folder, wish));
  }

  /** Returns true if the user said yes to a wish as it is now. */
  isApproved(folder: string, { name, digest }: Wish): boolean {
    const { wishes = {} } = this.record[folder] ?? {};
    return Object.hasOwn(wishes, name) && wishes[name] === digest;
  }
}

function nothingOf(place: Place, isOwn: boolean, ownsNpmrc: boolean): ProjectFolder {
  const nothing = { plugins: undefined, registries: [], wishes: [], needed: [] };
  return { ...place, ...nothing, isOwn, ownsNpmrc };
}

function placesOf({ directory, flags, warn }: ProjectOptions): Place[] {
  const manifests = flags.none
    ? []
    : findManifests({ directory, named: flags.manifest, warn }).flatMap(({ path, project }) =>
      project === undefined ? [] : { folder: project, manifest: path }
    );
  const isThere = manifests.some(({ folder }) => folder === directory);
  return isThere ? manifests : [{ folder: directory, manifest: undefined }, ...manifests];
}
