/** e_machine of an ELF file, by the first part of a Rust target. */
const MACHINES: Readonly<Record<string, number>> = { x86_64: 62, aarch64: 183 };

/**
 * Whether a compiled program can be one for the target: DENORT_BIN may be for another machine, and
 * the compiler does not look. Of other systems than Linux it knows only that they have no ELF
 * files.
 */
export async function isForTarget(path: string, target: string): Promise<boolean> {
  using file = await Deno.open(path);
  const header = new Uint8Array(20);
  await file.read(header);
  const isElf = new TextDecoder().decode(header.subarray(0, 4)) === "\x7fELF";
  if (!target.includes("linux")) return !isElf;
  const machine = new DataView(header.buffer).getUint16(18, true);
  return isElf && machine === MACHINES[target.split("-")[0] ?? ""];
}
