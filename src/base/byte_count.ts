const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;

/** Writes a number of bytes for the user: `1.5 GiB`, `512 bytes`; rounded to two decimals. */
export function byteCount(bytes: number): string {
  let value = bytes;
  let unit = "bytes";
  for (const next of UNITS) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return `${Math.round(value * 100) / 100} ${unit}`;
}
