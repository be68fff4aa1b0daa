/** The only place that calls into the C library; all of it needs Linux with glibc. */
import { KarotteError } from "./errors.ts";
import { folderCalls } from "./folder_calls.ts";

/** What a failed call left in `errno`: `code` is its name (`EPIPE`), or `E` and the number. */
export interface LibcError extends Error {
  readonly code: string;
}

/** Whether an error is a failed C library call with this `errno`. */
export function isErrno(error: unknown, name: string): error is LibcError {
  return error instanceof Error && (error as Partial<LibcError>).code === name;
}

/**
 * Makes every open descriptor from `firstFd` up close-on-exec, so that no child inherits it.
 * Throws if one can't be set.
 */
export function closeOnExecFrom(firstFd: number): void {
  const { setCloseOnExec } = libc();
  for (const { name } of [...Deno.readDirSync("/proc/self/fd")]) {
    const fd = Number(name);
    if (fd < firstFd) continue;
    try {
      setCloseOnExec(fd);
    } catch (error) {
      // The descriptor that listed the folder is closed by now.
      if (!isErrno(error, "EBADF")) throw error;
    }
  }
}

/** Gives a file another owner; of a symbolic link it is the link itself. Throws a `LibcError`. */
export function changeOwner(path: string, { uid, gid }: { uid: number; gid: number }): void {
  libc().changeOwner(path, uid, gid);
}

/**
 * A user that owns nothing: the real and saved id of a thread that acts with another's rights. It
 * differs between processes that see one another: a kill of all that a user has reaches whoever has
 * the caller's real id too, and for a moment that would be every process which does the same.
 * systemd's list of ids has no use for those from 60578 to 61183.
 */
export const NOBODY_OF_OURS = 60_578 + Deno.pid % 606;

export type Libc = ReturnType<typeof openLibc>;

/**
 * Opens the C library; `readFolders` is `folderCalls`. Self-contained: it uses nothing from outside
 * its own body, because its text is also the first part of the student thread (a Worker with rights
 * of its own has to make its calls itself). Every function but the two waiting ones is synchronous,
 * acts on the calling thread only, and throws a `LibcError`.
 */
export function openLibc(readFolders: typeof folderCalls) {
  const number = Deno.build.arch === "x86_64"
    ? {
      ...{ setgroups: 116, setresuid: 117, setresgid: 119, getdents64: 217 },
      ...{ openat2: 437, keyctl: 250, seccomp: 317 },
    }
    : {
      ...{ setgroups: 159, setresuid: 147, setresgid: 149, getdents64: 61 },
      ...{ openat2: 437, keyctl: 219, seccomp: 277 },
    };
  const folderOnly = Deno.build.arch === "x86_64" ? 0o200000 : 0o40000;
  const { symbols } = Deno.dlopen("libc.so.6", {
    __errno_location: { parameters: [], result: "pointer" },
    _exit: { parameters: ["i32"], result: "void" },
    prctl: { parameters: ["i32", "usize", "usize", "usize", "usize"], result: "i32" },
    fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
    kill: { parameters: ["i32", "i32"], result: "i32" },
    setsid: { parameters: [], result: "i32" },
    pollLater: {
      name: "poll",
      parameters: ["buffer", "usize", "i32"],
      result: "i32",
      nonblocking: true,
    },
    read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "isize" },
    readLater: {
      name: "read",
      parameters: ["i32", "buffer", "usize"],
      result: "isize",
      nonblocking: true,
    },
    write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    pwrite: { parameters: ["i32", "buffer", "usize", "i64"], result: "isize" },
    writeLater: {
      name: "write",
      parameters: ["i32", "buffer", "usize"],
      result: "isize",
      nonblocking: true,
    },
    close: { parameters: ["i32"], result: "i32" },
    lchown: { parameters: ["buffer", "u32", "u32"], result: "i32" },
    mkdir: { parameters: ["buffer", "u32"], result: "i32" },
    readlinkat: { parameters: ["i32", "buffer", "buffer", "usize"], result: "isize" },
    unlinkat: { parameters: ["i32", "buffer", "i32"], result: "i32" },
    lseek: { parameters: ["i32", "i64", "i32"], result: "i64" },
    ftruncate: { parameters: ["i32", "i64"], result: "i32" },
    statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
    fstatfs: { parameters: ["i32", "buffer"], result: "i32" },
    openat2: {
      name: "syscall",
      parameters: ["isize", "i32", "buffer", "buffer", "usize"],
      result: "isize",
    },
    getdents64: {
      name: "syscall",
      parameters: ["isize", "i32", "buffer", "usize"],
      result: "isize",
    },
    setgroups: { name: "syscall", parameters: ["isize", "usize", "usize"], result: "isize" },
    keyctl: { name: "syscall", parameters: ["isize", "i32", "usize"], result: "isize" },
    seccomp: { name: "syscall", parameters: ["isize", "u32", "u32", "buffer"], result: "isize" },
    setIds: { name: "syscall", parameters: ["isize", "u32", "u32", "u32"], result: "isize" },
    createRuleset: {
      name: "syscall",
      parameters: ["isize", "buffer", "usize", "u32"],
      result: "isize",
    },
    addRule: {
      name: "syscall",
      parameters: ["isize", "i32", "u32", "buffer", "u32"],
      result: "isize",
    },
    restrictSelf: { name: "syscall", parameters: ["isize", "i32", "u32"], result: "isize" },
    execve: { parameters: ["buffer", "buffer", "buffer"], result: "i32" },
  });

  const errnoNames: Record<number, string> = {
    1: "EPERM",
    2: "ENOENT",
    3: "ESRCH",
    4: "EINTR",
    5: "EIO",
    6: "ENXIO",
    9: "EBADF",
    11: "EAGAIN",
    13: "EACCES",
    16: "EBUSY",
    17: "EEXIST",
    18: "EXDEV",
    20: "ENOTDIR",
    21: "EISDIR",
    22: "EINVAL",
    24: "EMFILE",
    26: "ETXTBSY",
    27: "EFBIG",
    28: "ENOSPC",
    30: "EROFS",
    32: "EPIPE",
    36: "ENAMETOOLONG",
    38: "ENOSYS",
    39: "ENOTEMPTY",
    40: "ELOOP",
    122: "EDQUOT",
  };

  function lastErrno(): string {
    const location = symbols.__errno_location();
    const errno = location === null ? 0 : new Deno.UnsafePointerView(location).getInt32();
    return errnoNames[errno] ?? `E${errno}`;
  }

  function checked(call: string, result: number | bigint): number {
    if (Number(result) >= 0) return Number(result);
    const code = lastErrno();
    throw Object.assign(new Error(`${call} failed: ${code}`), { code });
  }

  function openAt(
    folder: number,
    name: Uint8Array<ArrayBuffer>,
    how: { flags: number; mode: number; resolve: number },
  ): number {
    const values = new BigUint64Array([how.flags, how.mode, how.resolve].map(BigInt));
    const bytes = new Uint8Array(values.buffer);
    return checked(
      "openat2",
      symbols.openat2(BigInt(number.openat2), folder, name, bytes, BigInt(bytes.length)),
    );
  }

  return {
    ...symbols,
    checked,
    ...readFolders({ ...symbols, checked, lastErrno, getdents64Number: number.getdents64 }),
    read: (fd: number, buffer: Uint8Array<ArrayBuffer>) =>
      checked("read", symbols.read(fd, buffer, BigInt(buffer.length))),
    write: (fd: number, bytes: Uint8Array<ArrayBuffer>) =>
      checked("write", symbols.write(fd, bytes, BigInt(bytes.length))),
    readAt: (fd: number, buffer: Uint8Array<ArrayBuffer>, offset: number) =>
      checked("pread", symbols.pread(fd, buffer, BigInt(buffer.length), BigInt(offset))),
    writeAt: (fd: number, bytes: Uint8Array<ArrayBuffer>, offset: number) =>
      checked("pwrite", symbols.pwrite(fd, bytes, BigInt(bytes.length), BigInt(offset))),
    close: (fd: number) => checked("close", symbols.close(fd)),
    /** Finds the next data, or the next hole, of a sparse file; `ENXIO`: there is none. */
    seek: (fd: number, from: number, kind: "data" | "hole") =>
      checked("lseek", symbols.lseek(fd, BigInt(from), kind === "data" ? 3 : 4)),
    truncate: (fd: number, length: number) =>
      checked("ftruncate", symbols.ftruncate(fd, BigInt(length))),
    changeOwner: (path: string, uid: number, gid: number) =>
      checked("lchown", symbols.lchown(new TextEncoder().encode(`${path}\0`), uid, gid)),
    kill: (pid: number, signal: number) => checked("kill", symbols.kill(pid, signal)),
    /** Like `kill`, but a process that is gone or may not be signalled is passed over. */
    signal: (pid: number, signal: number) => void symbols.kill(pid, signal),
    exitNow: (code: number) => symbols._exit(code),
    /** F_SETFD with FD_CLOEXEC. */
    setCloseOnExec: (fd: number) => checked("fcntl", symbols.fcntl(fd, 2, 1)),
    setUserIds: (real: number, effective: number, saved: number) =>
      checked("setresuid", symbols.setIds(BigInt(number.setresuid), real, effective, saved)),
    setGroupIds: (real: number, effective: number, saved: number) =>
      checked("setresgid", symbols.setIds(BigInt(number.setresgid), real, effective, saved)),
    leaveSession: () => checked("setsid", symbols.setsid()),
    setProcessOption: (option: number, value: number) =>
      checked("prctl", symbols.prctl(option, BigInt(value), 0n, 0n, 0n)),
    joinSessionKeyring: () => checked("keyctl", symbols.keyctl(BigInt(number.keyctl), 1, 0n)),
    clearGroups: () => checked("setgroups", symbols.setgroups(BigInt(number.setgroups), 0n, 0n)),
    /** PR_SET_NO_NEW_PRIVS. */
    forbidNewPrivileges: () => checked("prctl", symbols.prctl(38, 1n, 0n, 0n, 0n)),
    /** SECCOMP_SET_MODE_FILTER for all threads; `filter` is an array of `struct sock_filter`. */
    filterCalls(filter: Uint8Array<ArrayBuffer>): void {
      const program = new DataView(new ArrayBuffer(16));
      program.setUint16(0, filter.length / 8, true);
      const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(filter));
      program.setBigUint64(8, BigInt(address), true);
      const { buffer } = program;
      const bytes = new Uint8Array(buffer);
      const thread = checked("seccomp", symbols.seccomp(BigInt(number.seccomp), 1, 1, bytes));
      if (thread === 0) return;
      throw new Error(`seccomp failed: thread ${thread} has filters of its own`);
    },
    /** Version of Landlock in this kernel; fails with `ENOSYS` or `E95` where it is not there. */
    landlockVersion: () =>
      checked("landlock_create_ruleset", symbols.createRuleset(444n, null, 0n, 1)),
    /** Makes a Landlock ruleset of a `struct landlock_ruleset_attr`; returns its descriptor. */
    createRuleset: (attributes: Uint8Array<ArrayBuffer>) =>
      checked(
        "landlock_create_ruleset",
        symbols.createRuleset(444n, attributes, BigInt(attributes.length), 0),
      ),
    /** Adds a `struct landlock_path_beneath_attr` to a ruleset. */
    addPathRule: (ruleset: number, rule: Uint8Array<ArrayBuffer>) =>
      checked("landlock_add_rule", symbols.addRule(445n, ruleset, 1, rule, 0)),
    /** Puts the calling thread, and all that it starts, under a Landlock ruleset for good. */
    restrictSelf: (ruleset: number) =>
      checked("landlock_restrict_self", symbols.restrictSelf(446n, ruleset, 0)),
    /** Replaces this program by another one; returns only if it fails, by throwing. */
    execve(argv: readonly string[], variables: readonly string[]): void {
      const texts = (list: readonly string[]) =>
        list.map((text) => new TextEncoder().encode(`${text}\0`));
      const pointers = (list: readonly Uint8Array<ArrayBuffer>[]) =>
        new Uint8Array(
          BigUint64Array.from([
            ...list.map((text) => Deno.UnsafePointer.value(Deno.UnsafePointer.of(text))),
            0n,
          ]).buffer,
        );
      const [args, environment] = [texts(argv), texts(variables)];
      const [program = new Uint8Array(1)] = args;
      checked("execve", symbols.execve(program, pointers(args), pointers(environment)));
    },
    /** PR_SET_DUMPABLE 0: nothing of this process under /proc belongs to another user than root. */
    hideFromOthers: () => checked("prctl", symbols.prctl(4, 0n, 0n, 0n, 0n)),
    /**
     * Opens a path for this thread's user without following a magic link (`/proc/self/fd/3` would
     * reach what this process has open), or with `noLinks` without following any link.
     */
    open(path: string, flags: number, mode: number, noLinks = false): number {
      const resolveNoMagicLinks = 2;
      const resolveNoLinks = 4;
      const currentDirectory = -100;
      return openAt(currentDirectory, new TextEncoder().encode(`${path}\0`), {
        flags,
        mode,
        resolve: noLinks ? resolveNoLinks : resolveNoMagicLinks,
      });
    },
    /**
     * Opens what has a name in an open folder without following any link; `name` is bytes that end
     * with a NUL and may be a path: an absolute one is taken from the root, whatever the folder.
     * With `sameMount` it throws `EXDEV` for what another file system is mounted on, and with
     * `isFolder` `ENOTDIR` for what is no folder: it wakes no writer of a pipe and breaks no lease.
     */
    openIn(
      folder: number,
      name: Uint8Array<ArrayBuffer>,
      how: { flags: number; mode?: number; sameMount?: boolean; isFolder?: boolean },
    ): number {
      const resolveNoLinks = 4;
      const resolveSameMount = 1;
      const resolve = resolveNoLinks | (how.sameMount ? resolveSameMount : 0);
      const flags = how.flags | (how.isFolder ? folderOnly : 0);
      return openAt(folder, name, { flags, mode: how.mode ?? 0, resolve });
    },
    /** Makes a folder at a path, which is bytes that end with a NUL. */
    makeFolder: (path: Uint8Array<ArrayBuffer>, mode: number) =>
      checked("mkdir", symbols.mkdir(path, mode)),
    /** Removes a file, a link or an empty folder from an open folder; `name` ends with a NUL. */
    removeIn(folder: number, name: Uint8Array<ArrayBuffer>, isFolder: boolean): void {
      const removeFolder = 0x200;
      checked("unlinkat", symbols.unlinkat(folder, name, isFolder ? removeFolder : 0));
    },
  };
}

let opened: Libc | undefined;

/** The library, opened once. Throws a runtime error where there is none that fits. */
export function libc(): Libc {
  if (opened !== undefined) return opened;
  const { os, arch } = Deno.build;
  const hint = "the harness runs on Linux with glibc, x64 or arm64";
  if (os !== "linux") {
    throw new KarotteError("runtime", `Cannot use the C library: this is ${os} ${arch}`, { hint });
  }
  try {
    return opened = openLibc(folderCalls);
  } catch (cause) {
    throw new KarotteError("runtime", `Cannot open "libc.so.6" on ${os} ${arch}: ${cause}`, {
      hint,
      cause,
    });
  }
}
