import type { Libc } from "../../base/libc.ts";
import type { openTreeReader, TreeLimits, TreePart, TreeReader } from "./tree_reader.ts";

/** What the thread is asked to do; all of it with the student's rights. */
export type FileRequest =
  | { operation: "read"; path: string; offset: number; maxBytes: number }
  | { operation: "write"; path: string; bytes: Uint8Array<ArrayBuffer>; create: boolean }
  | { operation: "open_tree"; path: string; tree: number; limits: TreeLimits }
  | { operation: "read_tree"; tree: number }
  | { operation: "close_tree"; tree: number }
  | { operation: "kill"; pids: number[]; signal: number }
  | { operation: "sockets"; pids: number[]; maxDescriptors: number };

export type FileReply =
  /** `size` is the file's, whatever part of it was asked for. */
  | { bytes: Uint8Array<ArrayBuffer>; size: number }
  /** None: the tree was read to its end. */
  | { parts: TreePart[] }
  /** The inodes of sockets that each process has open. */
  | { sockets: [pid: number, inodes: string[]][] }
  | { error: { code: string; message: string } };

/** The thread's first message: nothing, or why it can't act as the student. */
export type ThreadStart = { failed?: string };

/**
 * The body of the student thread: a Worker whose thread has the student as its effective user, so
 * that the kernel refuses what the student may not do, while the main thread stays root. Real and
 * saved ids belong to nobody, so the student can't signal it. Only synchronous calls are made: an
 * asynchronous one would run on another thread, as root.
 *
 * Self-contained, since its text is what the Worker runs.
 */
export function runFileThread(
  c: Libc,
  ids: { uid: number; gid: number; nobody: number },
  openTree: typeof openTreeReader,
): void {
  const scope = self as unknown as {
    onmessage: (event: MessageEvent<{ id: number; request: FileRequest }>) => void;
    postMessage(message: unknown, transfer?: Transferable[]): void;
    close(): void;
  };
  const flags = { write: 0o1, create: 0o100, noTerminal: 0o400, nonBlocking: 0o4000 };
  const closeOnExec = 0o2000000;
  const procFileSystem = 0x9fa0;
  const trees = new Map<number, TreeReader>();

  function becomeStudent(): void {
    const { uid, gid, nobody } = ids;
    c.clearGroups();
    c.setGroupIds(nobody, gid, nobody);
    c.setUserIds(nobody, uid, nobody);
    c.hideFromOthers();
    const status = Deno.readTextFileSync("/proc/thread-self/status");
    const field = (name: string) =>
      status.split(`\n${name}:`)[1]?.split("\n")[0]?.trim().replace(/\s+/g, " ");
    const expected: Record<string, string> = {
      Uid: `${nobody} ${uid} ${nobody} ${uid}`,
      Gid: `${nobody} ${gid} ${nobody} ${gid}`,
      Groups: "",
      CapEff: "0000000000000000",
      CapPrm: "0000000000000000",
    };
    for (const [name, value] of Object.entries(expected)) {
      if (field(name) !== value) throw new Error(`${name} is "${field(name)}", not "${value}"`);
    }
    c.close(c.open("/", closeOnExec, 0));
  }

  function refuse(code: string, message: string): never {
    throw Object.assign(new Error(message), { code });
  }

  /** Never waits for a FIFO's other end, and lets nothing through but a regular file. */
  function withFile<T>(
    path: string,
    how: { flags: number; mode: number },
    use: (fd: number, size: number) => T,
  ): T {
    const fd = c.open(
      path,
      how.flags | flags.nonBlocking | flags.noTerminal | closeOnExec,
      how.mode,
    );
    try {
      const { mode, size } = c.stat(fd);
      if ((mode & 0o170000) !== 0o100000) refuse("NOT_REGULAR", "not a regular file");
      // Files of /proc describe whoever opens them, which is the harness.
      if (c.fileSystemOf(fd) === procFileSystem) refuse("NOT_REGULAR", "a file of /proc");
      return use(fd, size);
    } finally {
      c.close(fd);
    }
  }

  function read(path: string, offset: number, maxBytes: number): FileReply {
    return withFile(path, { flags: 0, mode: 0 }, (fd, size) => {
      // One byte more than expected, so that a file that grows meanwhile is noticed.
      let buffer = new Uint8Array(Math.max(0, Math.min(maxBytes, size - offset + 1)));
      let length = 0;
      for (;;) {
        if (length === buffer.length) {
          if (length >= maxBytes) break;
          const larger = new Uint8Array(Math.min(maxBytes, length * 2 + 65536));
          larger.set(buffer);
          buffer = larger;
        }
        const count = c.readAt(fd, buffer.subarray(length), offset + length);
        if (count === 0) break;
        length += count;
      }
      return { bytes: buffer.subarray(0, length), size };
    });
  }

  function write(path: string, bytes: Uint8Array<ArrayBuffer>, create: boolean): FileReply {
    const how = { flags: flags.write | (create ? flags.create : 0), mode: create ? 0o644 : 0 };
    return withFile(path, how, (fd) => {
      c.truncate(fd, 0);
      for (let done = 0; done < bytes.length;) done += c.write(fd, bytes.subarray(done));
      return { bytes: new Uint8Array(0), size: bytes.length };
    });
  }

  /** A process that has ended, or is not the student's, is passed over. */
  function kill(pids: number[], signal: number): FileReply {
    for (const pid of pids) c.signal(pid, signal);
    return { bytes: new Uint8Array(0), size: 0 };
  }

  /**
   * Only with these rights: root without CAP_SYS_PTRACE may not look. Passes over what it can't.
   */
  function sockets(pids: number[], maxDescriptors: number): FileReply {
    let left = maxDescriptors;
    const found = pids.map((pid): [number, string[]] => {
      const inodes: string[] = [];
      try {
        for (const { name } of Deno.readDirSync(`/proc/${pid}/fd`)) {
          if (left-- <= 0) break;
          const inode = /^socket:\[(\d+)\]$/.exec(Deno.readLinkSync(`/proc/${pid}/fd/${name}`))
            ?.[1];
          if (inode !== undefined) inodes.push(inode);
        }
      } catch { /* it has ended, or has made itself unreadable: this is for people to read */ }
      return [pid, inodes];
    });
    return { sockets: found };
  }

  function answer(request: FileRequest): FileReply {
    switch (request.operation) {
      case "read":
        return read(request.path, request.offset, request.maxBytes);
      case "write":
        return write(request.path, request.bytes, request.create);
      case "open_tree":
        trees.set(request.tree, openTree(c, request.path, request.limits));
        return { parts: [] };
      case "read_tree":
        return { parts: trees.get(request.tree)?.next() ?? [] };
      case "close_tree":
        trees.get(request.tree)?.close();
        trees.delete(request.tree);
        return { parts: [] };
      case "kill":
        return kill(request.pids, request.signal);
      case "sockets":
        return sockets(request.pids, request.maxDescriptors);
    }
  }

  /** Lists what changes hands instead of being copied. */
  function buffersOf(reply: FileReply): ArrayBuffer[] {
    if ("bytes" in reply) return [reply.bytes.buffer];
    if (!("parts" in reply)) return [];
    return reply.parts.flatMap((part) => part.kind === "bytes" ? [part.bytes.buffer] : []);
  }

  scope.onmessage = ({ data: { id, request } }) => {
    try {
      const reply = answer(request);
      scope.postMessage({ id, reply }, buffersOf(reply));
    } catch (error) {
      const { code = "other", message } = error as Error & { code?: string };
      scope.postMessage({ id, reply: { error: { code, message } } });
    }
  };
  try {
    becomeStudent();
    scope.postMessage({} satisfies ThreadStart);
  } catch (error) {
    scope.postMessage({ failed: String(error) } satisfies ThreadStart);
    scope.close();
  }
}
