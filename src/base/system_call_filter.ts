import { type Abi, ABIS, type Machine, type SystemCall, X32_BIT } from "./system_calls.ts";

/** Offsets in what a seccomp filter sees of a system call (`struct seccomp_data`). */
const NUMBER = 0;
const ABI = 4;
/** The lower half: both ABIs of a machine are little-endian. */
const FIRST_ARGUMENT = 16;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** All flags of clone(2) that ask for a namespace which a plain user can have. */
const NAMESPACE_FLAGS = 0x7e020000;

/** The address families that sockets may have: UNIX, INET, INET6 and NETLINK. */
const FAMILIES = [1, 2, 10, 16];

/** The number with which a tracer says that no call is to be made. */
const NO_CALL = 0xffffffff;

/**
 * Calls that are refused whatever their arguments, because they reach parts of the kernel that know
 * no namespace (keys), go round filters (io_uring) or are mostly of use to attacks on it. `EPERM`
 * is what docker's profile and the kernel's own switches (`io_uring_disabled`,
 * `unprivileged_bpf_disabled`, ...) answer, so programs that can do without are used to it.
 */
const REFUSED: readonly SystemCall[] = [
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "add_key",
  "request_key",
  "keyctl",
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "open_by_handle_at",
  "fanotify_init",
  "setns",
];

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

const ALLOW: Instruction = [0x06, 0, 0, 0x7fff0000];

/**
 * A seccomp filter, in the kernel's form, for all that runs in a sandbox: it refuses to make and to
 * enter namespaces, sockets of unusual families, and the calls in `REFUSED`. Threads and processes
 * are made as ever: the C library does without clone3.
 */
export function systemCallFilter(machine: Machine): Uint8Array<ArrayBuffer> {
  return encode([
    load(ABI),
    ...ABIS[machine].flatMap((abi) => {
      const section = decisions(abi);
      return [jumpIfEqual(abi.id, 0, section.length), ...section];
    }),
    // There is no third way in.
    refuse(ENOSYS),
  ]);
}

/** Ends each call of this ABI. A call's number stays loaded until one is found that it equals. */
function decisions({ numbers, socketcall, hasX32 }: Abi): readonly Instruction[] {
  return [
    load(NUMBER),
    ...(hasX32 ? REFUSE_X32 : []),
    // Its flags can't be seen; without it the C library takes clone.
    ...refuseCall(numbers.clone3, ENOSYS),
    // Programs that know the calls of their own for sockets take these then.
    ...(socketcall === undefined ? [] : refuseCall(socketcall, ENOSYS)),
    ...REFUSED.flatMap((name) => refuseCall(numbers[name], EPERM)),
    ...[numbers.clone, numbers.unshare].flatMap((call) => byFirstArgument(call, PLAIN_FLAGS)),
    ...[numbers.socket, numbers.socketpair].flatMap((call) => byFirstArgument(call, USUAL_FAMILY)),
    ALLOW,
  ];
}

/** As by a kernel that is built without x32. */
const REFUSE_X32: readonly Instruction[] = [
  [0x35, 0, 2, X32_BIT], // jump if greater or equal
  jumpIfEqual(NO_CALL, 1, 0),
  refuse(ENOSYS),
];

const PLAIN_FLAGS: readonly Instruction[] = [
  [0x45, 0, 1, NAMESPACE_FLAGS], // jump if any bit is set
  refuse(EPERM),
  ALLOW,
];

/** `EAFNOSUPPORT`, as by a kernel that is built without the family. */
const USUAL_FAMILY: readonly Instruction[] = [
  ...FAMILIES.map((family, index) => jumpIfEqual(family, FAMILIES.length - index, 0)),
  refuse(EAFNOSUPPORT),
  ALLOW,
];

function refuseCall(number: number, errno: number): readonly Instruction[] {
  return [jumpIfEqual(number, 0, 1), refuse(errno)];
}

/**
 * `decision` ends the call by the lower half of its first argument; the kernel reads no more of it.
 */
function byFirstArgument(number: number, decision: readonly Instruction[]): readonly Instruction[] {
  return [jumpIfEqual(number, 0, decision.length + 1), load(FIRST_ARGUMENT), ...decision];
}

function load(offset: number): Instruction {
  return [0x20, 0, 0, offset];
}

/** Jumps are counted in instructions after the next one. */
function jumpIfEqual(value: number, whenTrue: number, whenFalse: number): Instruction {
  return [0x15, whenTrue, whenFalse, value];
}

function refuse(errno: number): Instruction {
  return [0x06, 0, 0, 0x00050000 | errno];
}

/** As an array of `struct sock_filter`. */
function encode(program: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(program.length * 8));
  program.forEach(([code, whenTrue, whenFalse, value], index) => {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, whenTrue);
    view.setUint8(index * 8 + 3, whenFalse);
    view.setUint32(index * 8 + 4, value, true);
  });
  return new Uint8Array(view.buffer);
}
