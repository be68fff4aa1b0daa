import { closeOnExecFrom, readDescriptor, writeDescriptor } from "../base/libc.ts";
import type { RpcTransport } from "../base/rpc_peer.ts";

const READ_FD = 3;
const WRITE_FD = 4;
const BUFFER_BYTES = 256 * 1024;

/**
 * The channel to the host, on descriptors 3 and 4. Closes them to every child first, so it must be
 * called before anything is started. Throws if they are not there: on 0 and 1 any child with
 * default stdio could forge events.
 */
export function openChannel(): RpcTransport {
  closeOnExecFrom(READ_FD);
  const buffer = new Uint8Array(BUFFER_BYTES);
  return {
    async read() {
      const count = await readDescriptor(READ_FD, buffer);
      return count === 0 ? null : buffer.subarray(0, count);
    },
    async write(bytes) {
      let rest = bytes;
      while (rest.length > 0) rest = rest.subarray(await writeDescriptor(WRITE_FD, rest));
    },
    close: () => Promise.resolve(), // the end of the process closes it
  };
}
