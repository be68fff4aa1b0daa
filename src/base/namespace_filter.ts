/** Offsets in what a seccomp filter sees of a system call (`struct seccomp_data`). */
const NUMBER = 0;
const ABI = 4;
/** The lower half: both ABIs of a machine are little-endian. */
const FIRST_ARGUMENT = 16;

const EPERM = 1;
const ENOSYS = 38;
/** All flags of clone(2) that ask for a namespace which a plain user can have. */
const NAMESPACE_FLAGS = 0x7e020000;
/** Marks calls of x32, which has the numbers of x86-64. */
const X32_BIT = 0x40000000;

/** A way of calling the kernel, and the numbers of the calls that make or enter namespaces. */
interface Abi {
  /** The kernel's name for it (`AUDIT_ARCH_...`). */
  readonly id: number;
  readonly clone: number;
  readonly unshare: number;
  readonly setns: number;
  readonly clone3: number;
}

/** Each machine has a second way in, for programs of 32 bits, that any program can take. */
const ABIS: Readonly<Record<"x86_64" | "aarch64", readonly Abi[]>> = {
  x86_64: [
    { id: 0xc000003e, clone: 56, unshare: 272, setns: 308, clone3: 435 },
    { id: 0x40000003, clone: 120, unshare: 310, setns: 346, clone3: 435 },
  ],
  aarch64: [
    { id: 0xc00000b7, clone: 220, unshare: 97, setns: 268, clone3: 435 },
    { id: 0x40000028, clone: 120, unshare: 337, setns: 375, clone3: 435 },
  ],
};

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/**
 * A seccomp filter, in the kernel's form, that refuses to make namespaces and to enter other ones.
 * Threads and processes are made as ever: the C library does without clone3.
 */
export function namespaceFilter(
  machine: keyof typeof ABIS,
): Uint8Array<ArrayBuffer> {
  const sections = ABIS[machine].map(refusals);
  return encode([
    load(ABI),
    ...ABIS[machine].flatMap(({ id }, index) => {
      const section = sections[index] ?? [];
      return [jumpIfEqual(id, 0, section.length), ...section];
    }),
    // There is no third way in.
    refuse(ENOSYS),
  ]);
}

/** Jumps are counted in instructions after the next one. */
function refusals({ clone, unshare, setns, clone3 }: Abi): readonly Instruction[] {
  return [
    load(NUMBER),
    [0x54, 0, 0, ~X32_BIT], // and
    jumpIfEqual(clone3, 6, 0), // its flags can't be seen: to ENOSYS
    jumpIfEqual(setns, 4, 0), // to EPERM
    jumpIfEqual(unshare, 1, 0), // to its flags
    jumpIfEqual(clone, 0, 4), // else allowed
    load(FIRST_ARGUMENT),
    [0x45, 0, 2, NAMESPACE_FLAGS], // jump if any bit is set
    refuse(EPERM),
    refuse(ENOSYS),
    [0x06, 0, 0, 0x7fff0000], // allow
  ];
}

function load(offset: number): Instruction {
  return [0x20, 0, 0, offset];
}

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
