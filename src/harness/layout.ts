import { KarotteError } from "../base/errors.ts";
import { exists, ifThere, readableMode } from "../base/files.ts";
import { changeOwner } from "../base/libc.ts";
import {
  DATA_DIRECTORIES,
  type DataDirectory,
  PREPARED_MARK,
  STATE_DIRECTORY,
  STUDENT,
  STUDENT_DATA_MODE,
  WORK_DIRECTORY,
} from "../protocol/layout.ts";

const ROOT = { uid: 0, gid: 0 };

/** True in an image: `prepareLayout` would only copy what is in its layers. */
export async function isLayoutPrepared(): Promise<boolean> {
  return await exists(PREPARED_MARK);
}

/**
 * Gives the places of a sandbox their owners and modes (design: data directories); what is not
 * there is left out, except the working directory and the state directory. Changes only what is not
 * right yet, and follows no link. Runs as the sandbox's root, before any process of the student.
 */
export async function prepareLayout(): Promise<void> {
  await makeFolder(WORK_DIRECTORY, 0o1777);
  await makeFolder(STATE_DIRECTORY, 0o700);
  for (const place of DATA_DIRECTORIES) {
    if ((await ifThere(Deno.lstat(place.target)))?.isDirectory) {
      await giveTree(place.target, place.access);
    }
  }
}

/** A folder of root's with this mode; throws if something else is in its place. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const found = await ifThere(Deno.lstat(path));
  if (found === undefined) await Deno.mkdir(path, { recursive: true });
  else if (!found.isDirectory) {
    throw new KarotteError("usage", `Cannot use "${path}" in the sandbox: it is not a folder`, {
      hint: "Karotte needs the place for itself: remove what the image has there.",
    });
  }
  const info = await Deno.lstat(path);
  own(path, info, ROOT);
  await setMode(path, info, mode);
}

async function giveTree(folder: string, access: DataDirectory["access"]): Promise<void> {
  const info = await Deno.lstat(folder);
  if (access === "student") {
    // What runs as root finds the folder, and not a link, in its place: the student can't move it.
    own(folder, info, { uid: ROOT.uid, gid: STUDENT.gid });
    await setMode(folder, await Deno.lstat(folder), STUDENT_DATA_MODE);
  } else {
    await give(folder, info, access);
    if (access === "root") await setMode(folder, await Deno.lstat(folder), 0o700);
  }
  await visit(folder, (path, info) => give(path, info, access));
}

async function give(
  path: string,
  info: Deno.FileInfo,
  access: DataDirectory["access"],
): Promise<void> {
  own(path, info, access === "student" ? STUDENT : ROOT);
  if (access !== "shared" || info.isSymlink) return;
  await setMode(path, info, readableMode(info));
}

/** Calls `each` for all that lies below a folder, and goes into folders but not through links. */
async function visit(
  folder: string,
  each: (path: string, info: Deno.FileInfo) => Promise<void>,
): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    const info = await Deno.lstat(path);
    await each(path, info);
    if (info.isDirectory) await visit(path, each);
  }
}

function own(path: string, info: Deno.FileInfo, owner: { uid: number; gid: number }): void {
  if (info.uid !== owner.uid || info.gid !== owner.gid) changeOwner(path, owner);
}

async function setMode(path: string, info: Deno.FileInfo, mode: number): Promise<void> {
  if (((info.mode ?? 0) & 0o7777) !== mode) await Deno.chmod(path, mode);
}
