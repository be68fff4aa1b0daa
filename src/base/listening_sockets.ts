import { concat } from "./bounded_bytes.ts";
import { ifThereSync } from "./files.ts";

/** A socket of this network namespace that waits for others. */
export interface ListeningSocket {
  /** The number by which `/proc/<pid>/fd` names it: `socket:[12345]`. */
  readonly inode: string;
  /** The user that made it; undefined: the kernel does not say. */
  readonly uid: number | undefined;
  /** `127.0.0.1:8000`, `udp 0.0.0.0:53`, `unix:/tmp/x`. */
  readonly address: string;
}

/** Bytes that are read of each table: some 25,000 sockets. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024;

/** Lists the sockets that listen, those of UDP that wait for anybody among them. */
export function listeningSockets(): ListeningSocket[] {
  return [
    ...inetSockets("tcp", LISTEN, ""),
    ...inetSockets("tcp6", LISTEN, ""),
    ...inetSockets("udp", UNCONNECTED, "udp "),
    ...inetSockets("udp6", UNCONNECTED, "udp "),
    ...unixSockets(rowsOf("unix")),
  ];
}

/** States of sockets in the kernel's tables (net/tcp_states.h). */
const LISTEN = "0A";
const UNCONNECTED = "07";

function inetSockets(table: string, state: string, prefix: string): ListeningSocket[] {
  return rowsOf(table).flatMap((row) => {
    const [, local = "", , found, , , , uid, , inode] = row.trim().split(/\s+/);
    if (found !== state || inode === undefined) return [];
    return [{ inode, uid: Number(uid), address: `${prefix}${addressOf(local)}` }];
  });
}

/** Returns the sockets of `/proc/net/unix` that listen: flag `__SO_ACCEPTCON`. */
function unixSockets(rows: readonly string[]): ListeningSocket[] {
  return rows.flatMap((row) => {
    const [, flags, inode, path] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +(\d+) ?(.*)$/.exec(row) ?? [];
    if (flags !== "00010000" || inode === undefined) return [];
    return [{ inode, uid: undefined, address: `unix:${path === "" ? "(unnamed)" : path}` }];
  });
}

function rowsOf(table: string): string[] {
  using file = ifThereSync(() => Deno.openSync(`/proc/net/${table}`));
  if (file === undefined) return []; // a kernel without IPv6 has no table of it
  const chunks: Uint8Array[] = [];
  for (let left = MAX_TABLE_BYTES; left > 0;) {
    const buffer = new Uint8Array(Math.min(left, 64 * 1024));
    const count = file.readSync(buffer);
    if (count === null) break;
    chunks.push(buffer.subarray(0, count));
    left -= count;
  }
  return new TextDecoder().decode(concat(chunks)).split("\n").slice(1).filter(Boolean);
}

/** `0100007F:1F90` -> `127.0.0.1:8000`: words of 32 bits in the processor's order. */
function addressOf(local: string): string {
  const [hex = "", port = ""] = local.split(":");
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).reverse());
  const number = Number.parseInt(port, 16);
  if (bytes.length === 4) {
    return `${bytes.map((byte) => Number.parseInt(byte, 16)).join(".")}:${number}`;
  }
  const groups = bytes.join("").match(/.{4}/g) ?? [];
  // The shortest form, as RFC 5952 has it.
  return `${new URL(`http://[${groups.join(":")}]/`).hostname}:${number}`;
}
