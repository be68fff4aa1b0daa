import { ifThere } from "./files.ts";

/** The number of links that the kernel follows in one path. */
const MOST_LINKS = 40;

/** One name that the kernel looks up on its way along a path. */
export interface PathStep {
  readonly folder: string;
  readonly inside: Deno.FileInfo;
  /** The path of the name in its folder. */
  readonly entry: string;
  /** Undefined: there is nothing of this name, and the way ends. */
  readonly found: Deno.FileInfo | undefined;
}

/**
 * Goes along an absolute path as the kernel does, component by component and through links: these
 * are steps themselves, and so are the components of what they lead to. Ends early where nothing is
 * there, at a file, and after forty links.
 */
export async function* stepsOf(path: string): AsyncGenerator<PathStep> {
  const names = path.split("/").filter(Boolean);
  let folder = "/";
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === ".") continue;
    if (name === "..") {
      folder = folder.slice(0, folder.lastIndexOf("/")) || "/";
      continue;
    }
    const inside = await Deno.lstat(folder);
    const entry = folder === "/" ? `/${name}` : `${folder}/${name}`;
    const found = await ifThere(Deno.lstat(entry));
    yield { folder, inside, entry, found };
    if (found?.isSymlink) {
      links += 1;
      if (links > MOST_LINKS) return;
      const target = await Deno.readLink(entry);
      if (target.startsWith("/")) folder = "/";
      names.unshift(...target.split("/").filter(Boolean));
    } else if (found?.isDirectory) {
      folder = entry;
    } else {
      return;
    }
  }
}
