/** How a program of x86-64 calls the kernel: as such, or as one of 32 bits does. */
export type Way = "syscall" | "int 0x80";

/**
 * The smallest program for x86-64: it makes one system call and exits with the errno that the call
 * failed with, or with 0 if it succeeded. At most three arguments; absent ones are 0.
 */
export function systemCallProgram(
  number: number,
  args: readonly number[] = [],
  way: Way = "syscall",
): Uint8Array<ArrayBuffer> {
  const [first, second, third] = REGISTERS[way];
  const call = [
    ...[first, second, third].flatMap((move, index) => [move, ...word(args[index] ?? 0)]),
    ...[EAX, ...word(number)],
    ...(way === "syscall" ? SYSCALL : INT_80),
  ];
  const exit = [...ERRNO_TO_EDI, EAX, ...word(EXIT), ...SYSCALL];
  return elf([...call, ...exit]);
}

/** Opcodes that load a register with the word that follows. */
const EAX = 0xb8;
const [ECX, EDX, EBX, ESI, EDI] = [0xb9, 0xba, 0xbb, 0xbe, 0xbf];
const REGISTERS = {
  "syscall": [EDI, ESI, EDX],
  "int 0x80": [EBX, ECX, EDX],
} as const;

const SYSCALL = [0x0f, 0x05];
const INT_80 = [0xcd, 0x80];
const EXIT = 60;

const ERRNO_TO_EDI = [
  ...[0x31, 0xff], // xor edi, edi
  ...[0xf7, 0xd8], // neg eax
  ...[0x0f, 0x4f, 0xf8], // cmovg edi, eax
];

/** Little-endian. */
function word(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
}

/** An ELF file with one segment. */
function elf(code: readonly number[]): Uint8Array<ArrayBuffer> {
  const headers = 64 + 56;
  const address = 0x400000n;
  const view = new DataView(new ArrayBuffer(headers + code.length));
  const size = BigInt(view.byteLength);
  const bytes = new Uint8Array(view.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  const half = (offset: number, value: number) => view.setUint16(offset, value, true);
  const long = (offset: number, value: bigint) => view.setBigUint64(offset, value, true);
  half(16, 2); // executable
  half(18, 62); // x86-64
  half(20, 1);
  long(24, address + BigInt(headers)); // entry
  long(32, 64n); // program headers
  half(52, 64);
  half(54, 56);
  half(56, 1);
  half(64, 1); // loaded
  half(68, 5); // to read and run
  long(80, address);
  long(88, address);
  long(96, size);
  long(104, size);
  long(112, 0x1000n);
  bytes.set(code, headers);
  return bytes;
}
