import { isReachableDirectorySync } from "../../base/files.ts";

/** Where a sandbox's control groups are made. */
export interface ControlHierarchies {
  readonly memory: Hierarchy | undefined;
  readonly pids: Hierarchy | undefined;
  /** The v2 tree, with or without controllers: it can end all processes of a group at once. */
  readonly unified: string | undefined;
}

export interface Hierarchy {
  readonly version: 1 | 2;
  /** The group below which new ones are made. */
  readonly folder: string;
}

/** The hierarchies of this host as this process sees them. */
export function findHierarchies(): ControlHierarchies {
  const mounts = parseMountInfo(Deno.readTextFileSync("/proc/self/mountinfo"));
  const own = parseOwnGroups(Deno.readTextFileSync("/proc/self/cgroup"));
  const unified = mounts.find(({ type }) => type === "cgroup2")?.point;
  const find = (controller: string): Hierarchy | undefined => {
    const mount = mounts.find(({ type, options }) =>
      type === "cgroup" && options.includes(controller)
    );
    if (mount !== undefined) {
      // Below our own group, so that limits around Karotte hold for its sandboxes too.
      return { version: 1, folder: below(mount, own.get(controller)) };
    }
    if (unified === undefined || !enable(unified, controller)) return undefined;
    // Not below our own group: in v2 one with processes in it can't have limited groups inside.
    return { version: 2, folder: unified };
  };
  return { memory: find("memory"), pids: find("pids"), unified };
}

export interface CgroupMount {
  readonly type: "cgroup" | "cgroup2";
  /** The group that is mounted at `point`. */
  readonly root: string;
  readonly point: string;
  readonly options: readonly string[];
}

/** The control group mounts of a mountinfo file. */
export function parseMountInfo(text: string): CgroupMount[] {
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "/", point = ""] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    if (type !== "cgroup" && type !== "cgroup2") return [];
    return [{ type, root, point, options: options.split(",") }];
  });
}

/** Controller -> our group, for v1 hierarchies. */
export function parseOwnGroups(text: string): Map<string, string> {
  const groups = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, controllers = "", path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    for (const controller of controllers.split(",")) groups.set(controller, path);
  }
  return groups;
}

/** Returns the folder of our own group below a mount. */
export function below(mount: CgroupMount, own: string | undefined): string {
  const inside = own !== undefined && (mount.root === "/" || own.startsWith(`${mount.root}/`));
  const relative = inside ? (mount.root === "/" ? own : own.slice(mount.root.length)) : "";
  const folder = (mount.point + relative).replace(/\/+$/, "");
  // A container shows another part of the tree than the one /proc speaks of.
  return isReachableDirectorySync(folder) ? folder : mount.point;
}

function enable(root: string, controller: string): boolean {
  const file = `${root}/cgroup.subtree_control`;
  try {
    if (Deno.readTextFileSync(file).trim().split(/\s+/).includes(controller)) return true;
    Deno.writeTextFileSync(file, `+${controller}`, { create: false });
    return true;
  } catch {
    // Not ours to enable, or the kernel has no such controller.
    return false;
  }
}
