import type { Approvals, ProjectApproval } from "../../plugins/open_registry.ts";
import type { Project, ProjectFolder } from "./project.ts";
import type { Wish } from "../../trust/wish.ts";

/** A wish that the user did not say yes to. */
export interface OpenWish {
  readonly folder: string;
  readonly wish: Wish;
  /** He said yes to another content of it. */
  readonly isChanged: boolean;
}

/** Returns the wishes that nobody said yes to. */
export function openWishes(project: Project, folders: readonly ProjectFolder[]): OpenWish[] {
  return folders.flatMap(({ folder, needed }) =>
    needed.filter((wish) => !project.isApproved(folder, wish)).map((wish) => ({
      folder,
      wish,
      isChanged: project.record[folder]?.wishes[wish.name] !== undefined,
    }))
  );
}

/**
 * Returns what a registry may load of a project: what stands in the user's own folders, and of
 * others the content that he said yes to. `isYes` says whether he did.
 */
export function approvals(
  folders: readonly ProjectFolder[],
  directory: string,
  isYes: (folder: string, wish: Wish) => boolean,
): Approvals {
  const areYes = ({ folder }: ProjectFolder, wishes: readonly Wish[]) =>
    wishes.every((wish) => isYes(folder, wish));
  const npmrcOf = (each: ProjectFolder) =>
    each.ownsNpmrc || (each.registries.length > 0 && areYes(each, each.registries));
  return {
    of({ path }): ProjectApproval | undefined {
      const found = folders.find(({ manifest }) => manifest === path);
      if (found === undefined) return undefined;
      const npmrc = npmrcOf(found);
      if (found.isOwn) return { modules: undefined, npmrc };
      const wishes = found.plugins?.wishes;
      if (wishes === undefined || !areYes(found, wishes)) return undefined;
      return { modules: new Map(wishes.map(({ key, content }) => [key, content])), npmrc };
    },
    npmrc: folders.some((each) => each.folder === directory && npmrcOf(each)),
  };
}
