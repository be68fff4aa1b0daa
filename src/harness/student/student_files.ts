import { KarotteError } from "../../base/errors.ts";
import { folderCalls } from "../../base/folder_calls.ts";
import { NOBODY_OF_OURS, openLibc } from "../../base/libc.ts";
import { StudentFileError, type StudentFileErrorReason } from "../../sdk/student.ts";
import {
  type FileReply,
  type FileRequest,
  runFileThread,
  type ThreadStart,
} from "./file_thread.ts";
import { openTreeReader, type TreeLimits, type TreePart } from "./tree_reader.ts";

/** A local file answers in microseconds; a thread that is silent for so long is given up. */
const REPLY_TIMEOUT_MS = 30_000;

/** Descriptors of the student's processes that one look for sockets takes in at most. */
const MAX_DESCRIPTORS = 20_000;

/**
 * File access and signals with the student's rights, refused by the kernel and not by our checks.
 * The thread is started at once: later there may be no room for one under the pids limit.
 */
export class StudentFiles implements Disposable {
  readonly #ids: { uid: number; gid: number };
  #thread: Thread;
  #trees = 0;

  constructor(ids: { uid: number; gid: number }) {
    this.#ids = ids;
    this.#thread = new Thread(ids);
  }

  /**
   * Reads at most `maxBytes` of a regular file from `offset`; `size` is the whole file's. Throws a
   * `StudentFileError`, or a `KarotteError` if the student's rights can't be had here.
   */
  async read(
    path: string,
    range: { offset: number; maxBytes: number },
  ): Promise<{ bytes: Uint8Array<ArrayBuffer>; size: number }> {
    return await this.#fileRequest({ operation: "read", path, ...range });
  }

  /**
   * Overwrites a regular file; throws like `read`, and then has not touched the file if `open`
   * failed.
   */
  async write(
    path: string,
    bytes: Uint8Array<ArrayBuffer>,
    options: { create: boolean },
  ): Promise<void> {
    await this.#fileRequest({ operation: "write", path, bytes, ...options });
  }

  /**
   * Reads a file or a folder with all that is in it, a part after the other, without following any
   * link. Throws a `StudentFileError` for what is refused: `not_found` if nothing is there.
   */
  async *readTree(path: string, limits: TreeLimits): AsyncGenerator<TreePart[]> {
    const tree = ++this.#trees;
    await this.#treeRequest(path, { operation: "open_tree", path, tree, limits });
    try {
      for (;;) {
        const parts = await this.#treeRequest(path, { operation: "read_tree", tree });
        if (parts.length === 0) return;
        yield parts;
      }
    } finally {
      await this.#request({ operation: "close_tree", tree });
    }
  }

  /**
   * Signals those of the processes that are the student's; others and ended ones are passed over.
   */
  async kill(pids: readonly number[], signal: 9 | 15): Promise<void> {
    if (pids.length > 0) await this.#request({ operation: "kill", pids: [...pids], signal });
  }

  /**
   * Lists the inodes of the sockets that each of some processes of the student has open; those that
   * can't be looked at have none, and there are none where the thread does not answer.
   */
  async socketsOf(pids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> {
    const request = { pids: [...pids], maxDescriptors: MAX_DESCRIPTORS };
    const reply = await this.#request({ operation: "sockets", ...request });
    return new Map(reply !== undefined && "sockets" in reply ? reply.sockets : []);
  }

  [Symbol.dispose](): void {
    this.#thread[Symbol.dispose]();
  }

  async #treeRequest(path: string, request: FileRequest): Promise<TreePart[]> {
    const reply = await this.#request(request);
    if (reply === undefined) throw new Error(`${quoted(path)}: no answer from the file system`);
    if ("parts" in reply) return reply.parts;
    if (!("error" in reply)) throw new TypeError(`unexpected answer to ${request.operation}`);
    const { code, message } = reply.error;
    const reason = TREE_REASONS[code];
    // Anything else (too many open files, a disk's fault) is not the student's doing.
    if (reason === undefined) throw new Error(`${quoted(path)}: ${message}`);
    throw new StudentFileError(reason, `${quoted(path)}: ${message}`);
  }

  async #fileRequest(request: Extract<FileRequest, { operation: "read" | "write" }>) {
    const { path } = request;
    if (path.includes("\0")) throw new StudentFileError("other", `${quoted(path)}: has a NUL`);
    if (!path.startsWith("/")) {
      throw new StudentFileError("other", `${quoted(path)}: not an absolute path`);
    }
    const reply = await this.#request(request);
    if (reply === undefined) {
      throw new StudentFileError("timeout", `${quoted(path)}: no answer from the file system`);
    }
    if ("error" in reply) throw fileError(path, reply.error);
    if (!("bytes" in reply)) throw new TypeError(`unexpected answer to ${request.operation}`);
    return reply;
  }

  async #request(request: FileRequest): Promise<FileReply | undefined> {
    const thread = this.#thread;
    const reply = await thread.request(request);
    if (reply === undefined && thread === this.#thread) {
      thread[Symbol.dispose]();
      this.#thread = new Thread(this.#ids);
    }
    return reply;
  }
}

/** One Worker and its open requests. */
class Thread implements Disposable {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (reply: FileReply | undefined) => void>();
  readonly #started: Promise<ThreadStart>;
  #nextId = 1;

  constructor(ids: { uid: number; gid: number }) {
    this.#worker = new Worker(threadUrl(ids), { type: "module", name: "student" });
    const { promise, resolve } = Promise.withResolvers<ThreadStart>();
    this.#started = promise;
    this.#worker.onerror = (event) => {
      event.preventDefault();
      resolve({ failed: event.message });
      this.#endAll();
    };
    this.#worker.onmessage = ({ data }) => {
      if (data.id === undefined) return resolve(data);
      this.#waiting.get(data.id)?.(data.reply);
    };
  }

  /** `undefined` if the thread does not answer. */
  async request(request: FileRequest): Promise<FileReply | undefined> {
    const { failed } = await this.#started;
    if (failed !== undefined) {
      throw new KarotteError("runtime", `Cannot act with the student's rights: ${failed}`, {
        hint: "the harness must be root, on Linux 5.6 or later with openat2 allowed",
      });
    }
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<FileReply | undefined>();
    const timer = setTimeout(() => resolve(undefined), REPLY_TIMEOUT_MS);
    this.#waiting.set(id, resolve);
    this.#worker.postMessage({ id, request });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
    this.#endAll();
  }

  #endAll(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }
}

/** The text of four self-contained functions: no file, so it works in a bundle and in a binary. */
function threadUrl(ids: { uid: number; gid: number }): string {
  // Bundlers that keep function names wrap inner functions in a call of `__name`. One that renames
  // this as well breaks the thread, which then refuses to work.
  const source = `const __name = (value) => value;
const ids = ${JSON.stringify({ ...ids, nobody: NOBODY_OF_OURS })};
(${runFileThread})((${openLibc})(${folderCalls}), ids, ${openTreeReader});`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

const REASONS: Readonly<Record<string, readonly [StudentFileErrorReason, string]>> = {
  ENOENT: ["not_found", "no such file or directory"],
  ENOTDIR: ["not_found", "a part of the path is not a directory"],
  EACCES: ["permission_denied", "permission denied"],
  EPERM: ["permission_denied", "operation not permitted"],
  EROFS: ["permission_denied", "read-only file system"],
  EISDIR: ["not_a_regular_file", "not a regular file"],
  ENXIO: ["not_a_regular_file", "not a regular file"],
  NOT_REGULAR: ["not_a_regular_file", "not a regular file"],
  ELOOP: ["other", "a loop of symbolic links, or a link of /proc"],
  ENOSPC: ["other", "no space left"],
  EDQUOT: ["other", "no space left"],
  ENAMETOOLONG: ["other", "the name is too long"],
};

const TREE_REASONS: Readonly<Record<string, StudentFileErrorReason>> = {
  ENOENT: "not_found",
  ENOTDIR: "not_found",
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  // A lease on the file, of a process that still runs.
  EAGAIN: "other",
  LINK: "not_a_regular_file",
  SPECIAL: "not_a_regular_file",
  LIMIT: "too_large",
};

function fileError(path: string, error: { code: string; message: string }): StudentFileError {
  const [reason, text] = REASONS[error.code] ?? ["other", error.message];
  return new StudentFileError(reason, `${quoted(path)}: ${text}`);
}

/** Quoted, so that a stray blank or quote in a path can be seen. */
function quoted(path: string): string {
  return JSON.stringify(path);
}
