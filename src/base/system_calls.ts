/** The processors that the harness runs on, as Deno names them. */
export type Machine = "x86_64" | "aarch64";

/** A system call that the filter decides on and that every ABI has. */
export type SystemCall = keyof typeof X86_64;

/** A way of calling the kernel. */
export interface Abi {
  /** The kernel's name for it (`AUDIT_ARCH_...` in linux/audit.h). */
  readonly id: number;
  readonly numbers: Readonly<Record<SystemCall, number>>;
  /** The number of socketcall(2), whose arguments lie in memory, out of a filter's sight. */
  readonly socketcall?: number;
  /** True if x32 has the same id, with numbers of its own from `X32_BIT` up. */
  readonly hasX32?: true;
}

/** Set in the number of every call of x32. */
export const X32_BIT = 0x40000000;

/** The same everywhere: new calls got one number for all ABIs from Linux 5.1 on. */
const COMMON = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  clone3: 435,
} as const;

/** asm/unistd_64.h of x86. */
const X86_64 = {
  ...COMMON,
  socket: 41,
  socketpair: 53,
  clone: 56,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  unshare: 272,
  perf_event_open: 298,
  fanotify_init: 300,
  open_by_handle_at: 304,
  setns: 308,
  bpf: 321,
  userfaultfd: 323,
} as const;

/** asm/unistd_32.h of x86. */
const I386 = {
  ...COMMON,
  clone: 120,
  add_key: 286,
  request_key: 287,
  keyctl: 288,
  unshare: 310,
  perf_event_open: 336,
  fanotify_init: 338,
  open_by_handle_at: 342,
  setns: 346,
  bpf: 357,
  socket: 359,
  socketpair: 360,
  userfaultfd: 374,
} as const;

/** asm-generic/unistd.h. */
const AARCH64 = {
  ...COMMON,
  unshare: 97,
  socket: 198,
  socketpair: 199,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  clone: 220,
  perf_event_open: 241,
  fanotify_init: 262,
  open_by_handle_at: 265,
  setns: 268,
  bpf: 280,
  userfaultfd: 282,
} as const;

/** asm/unistd32.h of arm64; its socketcall went with the old ABI, which no 64-bit kernel has. */
const ARM = {
  ...COMMON,
  clone: 120,
  socket: 281,
  socketpair: 288,
  add_key: 309,
  request_key: 310,
  keyctl: 311,
  unshare: 337,
  perf_event_open: 364,
  fanotify_init: 367,
  open_by_handle_at: 371,
  setns: 375,
  bpf: 386,
  userfaultfd: 388,
} as const;

/** Each machine has a second way in, for programs of 32 bits, that any program can take. */
export const ABIS: Readonly<Record<Machine, readonly Abi[]>> = {
  x86_64: [
    { id: 0xc000003e, numbers: X86_64, hasX32: true },
    { id: 0x40000003, numbers: I386, socketcall: 102 },
  ],
  aarch64: [
    { id: 0xc00000b7, numbers: AARCH64 },
    { id: 0x40000028, numbers: ARM },
  ],
};
