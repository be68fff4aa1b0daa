import { ifThere } from "../../base/files.ts";
import { PROGRAM_ROOTS } from "../mounts.ts";

export interface ProgramRoots {
  /** Path in the sandbox -> what the link says. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** Folders of the host that are shown at the same path, read-only. */
  readonly folders: readonly string[];
}

/** /usr, and the top folders beside it as this host has them. */
export async function programRoots(): Promise<ProgramRoots> {
  const links: [string, string][] = [];
  const folders = ["/usr"];
  for (const path of PROGRAM_ROOTS.map((name) => `/${name}`)) {
    const info = await ifThere(Deno.lstat(path));
    if (info?.isSymlink) links.push([path, await Deno.readLink(path)]);
    else if (info?.isDirectory) folders.push(path);
  }
  return { links, folders };
}
