import { KarotteError } from "../../base/errors.ts";
import { ifThere, readableMode } from "../../base/files.ts";
import { digestOf, fileDigest } from "../../cache/digest.ts";
import { fileStamp } from "../../cache/stamps.ts";
import { DATA_DIRECTORIES, type DataDirectory } from "../../protocol/layout.ts";
import { leavesDirectory } from "../../runtimes/data_links.ts";

/** A file, folder or link of a data directory. */
export interface DataFile {
  /** On this machine; undefined: a data directory that the environment does not have. */
  readonly source: string | undefined;
  /** In the sandbox, absolute. */
  readonly target: string;
  /** What it has in the sandbox; of a link it means nothing. */
  readonly mode: number;
  readonly content:
    | { readonly kind: "folder" }
    | { readonly kind: "file"; readonly stamp: string }
    | { readonly kind: "link"; readonly to: string };
}

/**
 * Lists all that an environment has in its data directories, folders before what is in them. Throws
 * a usage error naming any link that leaves its data directory, and what is neither file, folder
 * nor link.
 */
export async function listDataFiles(environmentDirectory: string): Promise<DataFile[]> {
  const files: DataFile[] = [];
  for (const directory of DATA_DIRECTORIES) {
    await list(`${environmentDirectory}/${directory.source}`, directory, files);
  }
  return files;
}

/** Returns one digest for all that is in them, wherever they lie. Reads every file. */
export function dataDigest(files: readonly DataFile[]): string {
  return digestOf(JSON.stringify(files.map(({ source, target, mode, content }) => {
    if (content.kind === "link") return [target, content];
    return [target, mode, content.kind === "file" ? fileDigest(source ?? "") : content.kind];
  })));
}

/** Returns the same from what the file system says: another digest for files that were copied. */
export function dataStamp(files: readonly DataFile[]): string {
  return digestOf(JSON.stringify(files));
}

/** Writes them below `folder`, each at its place in the sandbox. */
export async function copyDataFiles(files: readonly DataFile[], folder: string): Promise<void> {
  for (const { source, target, content } of files) {
    const place = folder + target;
    if (content.kind === "folder") await Deno.mkdir(place, { recursive: true });
    else if (content.kind === "link") await Deno.symlink(content.to, place);
    else await Deno.copyFile(source ?? "", place);
  }
  // Folders that nobody may write to get their modes when all is in them.
  for (const { target, mode, content } of files.toReversed()) {
    if (content.kind !== "link") await Deno.chmod(folder + target, mode);
  }
}

async function list(
  root: string,
  { target, access }: DataDirectory,
  files: DataFile[],
): Promise<void> {
  const rootMode = access === "root" ? 0o700 : 0o755;
  const found = await ifThere(Deno.lstat(root));
  if (found !== undefined && !found.isDirectory) throw refused(root, "it is not a folder");
  const source = found === undefined ? undefined : root;
  files.push({ source, target, mode: rootMode, content: { kind: "folder" } });
  if (found !== undefined) await visit("");

  async function visit(folder: string): Promise<void> {
    const names = (await Array.fromAsync(Deno.readDir(root + folder))).map(({ name }) => name);
    for (const name of names.sort()) {
      const path = `${folder}/${name}`;
      const info = await Deno.lstat(root + path);
      const content = await contentOf(root, path, info);
      const mode = access === "shared" ? readableMode(info) : (info.mode ?? 0) & 0o7777;
      files.push({ source: root + path, target: target + path, mode, content });
      if (info.isDirectory) await visit(path);
    }
  }
}

async function contentOf(
  root: string,
  path: string,
  info: Deno.FileInfo,
): Promise<DataFile["content"]> {
  if (info.isDirectory) return { kind: "folder" };
  if (info.isFile) return { kind: "file", stamp: fileStamp(info) };
  if (!info.isSymlink) throw refused(root + path, "it is neither file, folder nor link");
  const to = await Deno.readLink(root + path);
  if (!leavesDirectory(path.slice(1), to)) return { kind: "link", to };
  throw refused(root + path, `it links to "${to}", outside of the folder`);
}

function refused(path: string, why: string): KarotteError {
  return new KarotteError("usage", `Cannot put "${path}" into the image: ${why}`, {
    hint: "Put a file or a folder in its place, or a link that stays within its data directory.",
  });
}
