import { isErrno, libc } from "./libc.ts";

const POLLIN = 1;
const POLLOUT = 4;
/** What a pipe that polls as writable takes without blocking (PIPE_BUF). */
const ATOMIC_BYTES = 4096;

/** Reads what is there, waiting off the main thread; 0 is the end of the stream. */
export function readDescriptor(fd: number, buffer: Uint8Array<ArrayBuffer>): Promise<number> {
  return transfer("read", fd, buffer);
}

/**
 * Writes some of `bytes` (the count is returned), waiting off the main thread. Fails with code
 * `EPIPE` when nobody is left to read.
 */
export function writeDescriptor(fd: number, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  return transfer("write", fd, bytes);
}

/**
 * A call that waits runs on another thread, whose errno can't be read here. So after a failure
 * the descriptor is awaited with poll, and a call that can't block any more tells the reason.
 */
async function transfer(
  direction: "read" | "write",
  fd: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const c = libc();
  const later = direction === "read" ? c.readLater : c.writeLater;
  for (;;) {
    const count = Number(await later(fd, bytes, BigInt(bytes.length)));
    if (count >= 0) return count;
    await ready(fd, direction);
    try {
      return c[direction](fd, bytes.subarray(0, ATOMIC_BYTES));
    } catch (error) {
      if (!isErrno(error, "EINTR") && !isErrno(error, "EAGAIN")) throw error;
    }
  }
}

async function ready(fd: number, direction: "read" | "write"): Promise<void> {
  const request = new DataView(new ArrayBuffer(8));
  request.setInt32(0, fd, true);
  request.setInt16(4, direction === "read" ? POLLIN : POLLOUT, true);
  while (await libc().pollLater(new Uint8Array(request.buffer), 1n, -1) < 0) { /* EINTR */ }
}
