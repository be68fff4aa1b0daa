/**
 * The regular files of a tar archive by path, without a leading `./`; long names as ustar has them.
 */
export function tarFiles(archive: Uint8Array<ArrayBuffer>): Map<string, Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let offset = 0;
  while (archive[offset]) {
    const header = archive.subarray(offset, offset + BLOCK);
    const size = parseInt(text(header, 124, 12), 8);
    const type = text(header, 156, 1);
    const prefix = text(header, 345, 155);
    const name = (prefix === "" ? "" : `${prefix}/`) + text(header, 0, 100);
    const start = offset + BLOCK;
    if (type !== "0" && type !== "") {
      throw new Error(`Archive entry "${name}" is of type "${type}"`);
    }
    files.set(name.replace(/^\.\//, ""), archive.slice(start, start + size));
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

const BLOCK = 512;

/** A field of a header: text up to its first NUL. */
function text(header: Uint8Array, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}
