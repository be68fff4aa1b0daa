import { dirname } from "node:path";
import { ifThere } from "../base/files.ts";
import { isErrno, libc } from "../base/libc.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import type { TreePart } from "./student/tree_reader.ts";
import { writeTree } from "./submission_copy.ts";

/** The file system in memory that every runtime gives a sandbox. */
const MEMORY = "/dev/shm";
/** The magic number of tmpfs. */
const TMPFS = 0x01021994;
/** The most that is kept there: a part of the 64 MiB, which the student's programs use too. */
const SMALL_BYTES = 4 * 1024 * 1024;
/** What an entry costs beside its bytes. */
const ENTRY_BYTES = 1024;

/** Whole submissions, by their paths. */
export type Buffered = ReadonlyMap<string, Iterable<TreePart[]>>;

/** Reads submissions into memory; undefined if they are not small. Throws what `read` throws. */
export async function bufferTrees(
  paths: readonly string[],
  read: (path: string) => AsyncIterable<TreePart[]>,
): Promise<Buffered | undefined> {
  const buffered = new Map<string, TreePart[][]>();
  let bytes = 0;
  for (const path of paths) {
    const batches: TreePart[][] = [];
    for await (const parts of read(path)) {
      for (const part of parts) bytes += ENTRY_BYTES + ("bytes" in part ? part.bytes.length : 0);
      if (bytes > SMALL_BYTES) return undefined;
      batches.push(parts);
    }
    buffered.set(path, batches);
  }
  return buffered;
}

/**
 * Writes submissions to a new folder in memory, which only root can enter, and returns its path.
 * Undefined if there is no such file system, if the student could move what root has there, or if
 * it is full: it is the student's too.
 */
export async function folderInMemory(submissions: Buffered): Promise<string | undefined> {
  if (!await isRootsMemory()) return undefined;
  const folder = await Deno.makeTempDir({ dir: MEMORY, prefix: "karotte-" }).catch(undefinedIfFull);
  if (folder === undefined) return undefined;
  try {
    for (const [path, batches] of submissions) {
      await Deno.mkdir(dirname(folder + path), { recursive: true, mode: 0o700 });
      await writeTree(folder + path, batches);
    }
    return folder;
  } catch (error) {
    await removeIfThere(folder);
    return undefinedIfFull(error);
  }
}

async function isRootsMemory(): Promise<boolean> {
  const info = await ifThere(Deno.lstat(MEMORY));
  if (!info?.isDirectory || info.uid !== 0 || ((info.mode ?? 0) & 0o1000) === 0) return false;
  const { open, close, fileSystemOf } = libc();
  const closeOnExec = 0o2000000;
  const fd = open(MEMORY, closeOnExec, 0, true);
  try {
    return fileSystemOf(fd) === TMPFS;
  } finally {
    close(fd);
  }
}

function undefinedIfFull(error: unknown): undefined {
  const isFull = ["ENOSPC", "EDQUOT", "ENAMETOOLONG"].some((code) => isErrno(error, code));
  if (!isFull) throw error;
}
