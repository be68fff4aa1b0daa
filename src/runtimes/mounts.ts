import { isAbsolute, normalize } from "node:path";
import { KarotteError } from "../base/errors.ts";
import {
  DATA_DIRECTORIES,
  KAROTTE_DIRECTORY,
  STATE_DIRECTORY,
  WORK_DIRECTORY,
} from "../protocol/layout.ts";
import type { Mount } from "./runtime.ts";
import { realPathIfThere } from "./host_files.ts";

/** Top folders with programs, as links into /usr or, on older systems, as folders. */
export const PROGRAM_ROOTS = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];
/** Paths which, with all that is in or around them, can't be a mount's target. */
const RESERVED = [
  KAROTTE_DIRECTORY,
  STATE_DIRECTORY,
  ...["/usr", "/etc", "/proc", "/dev", "/sys", "/root"],
  ...PROGRAM_ROOTS.map((name) => `/${name}`),
];
/** Paths which, with all that is around them, can't be a mount's target either. */
const KEPT = [WORK_DIRECTORY, "/tmp", "/run", ...DATA_DIRECTORIES.map(({ target }) => target)];

/**
 * Returns the mounts with their sources' real paths. Throws where a source or a target can't be; a
 * source that only another machine has is left as it is.
 */
export async function checkMounts(
  mounts: readonly Mount[],
  { sourcesAreHere = true }: { sourcesAreHere?: boolean } = {},
): Promise<Mount[]> {
  const checked: Mount[] = [];
  for (const { source, target, readOnly } of mounts) {
    checkTarget(target);
    const real = await realPathIfThere(source);
    if (real === undefined && sourcesAreHere) {
      throw refuseMount(target, `nothing is at "${source}"`);
    }
    checked.push({ source: real ?? source, target, readOnly });
  }
  return checked;
}

function checkTarget(target: string): void {
  const plain = isAbsolute(target) && normalize(target) === target && !target.endsWith("/");
  if (!plain) throw refuseMount(target, "the target must be a plain absolute path");
  const taken = RESERVED.some((path) => isWithin(target, path) || isWithin(path, target)) ||
    KEPT.some((path) => isWithin(path, target));
  if (taken) throw refuseMount(target, "that place is the sandbox's own");
}

/** A place in the sandbox that is to be covered. */
export interface Cover {
  /** Path in the sandbox. */
  readonly path: string;
  readonly isDirectory: boolean;
}

/**
 * Lists the places in the sandbox where a hidden folder would show. One that is hidden as a whole
 * but visible as a whole too is refused.
 */
export async function covers(
  hidden: readonly string[],
  visible: readonly { readonly source: string; readonly target: string }[],
): Promise<Cover[]> {
  const found = new Map<string, Cover>();
  for (const path of hidden) {
    const real = await realPathIfThere(path);
    if (real === undefined) continue;
    const { isDirectory } = await Deno.stat(real);
    for (const { source, target } of visible) {
      if (real === source) throw refuseMount(target, `"${path}" must not be seen in a sandbox`);
      if (!isWithin(real, source)) continue;
      const shown = target + real.slice(source === "/" ? 0 : source.length);
      found.set(shown, { path: shown, isDirectory });
    }
  }
  // Outer ones first: what lies in a covered folder needs no cover of its own.
  const all = [...found.values()].sort((a, b) => a.path.length - b.path.length);
  return all.filter(({ path }) =>
    !all.some((other) => other.path !== path && isWithin(path, other.path))
  );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}

function refuseMount(target: string, why: string): KarotteError {
  return new KarotteError("usage", `Cannot mount "${target}" in the sandbox: ${why}`);
}
