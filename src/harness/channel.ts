import { readDescriptor, writeDescriptor } from "../base/descriptor_io.ts";
import { KarotteError } from "../base/errors.ts";
import { ifThereSync } from "../base/files.ts";
import { closeOnExecFrom } from "../base/libc.ts";
import type { RpcTransport } from "../base/rpc_peer.ts";

const READ_FD = 3;
const WRITE_FD = 4;
const BUFFER_BYTES = 256 * 1024;

/**
 * The channel to the host, on descriptors 3 and 4. Closes them to every child first, so it must be
 * called before anything is started. Throws if they are not there or not apart from 0 to 2: there
 * any child with default stdio could forge events.
 */
export function openChannel(): RpcTransport {
  checkSeparate();
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

function checkSeparate(): void {
  const standard = [0, 1, 2].map(streamOn);
  for (const fd of [READ_FD, WRITE_FD]) {
    const stream = streamOn(fd);
    const isChannel = stream !== undefined && /^(pipe|socket):/.test(stream);
    if (isChannel && !standard.includes(stream)) continue;
    throw new KarotteError(
      "runtime",
      `Cannot use descriptor ${fd} as the channel: it is ${stream}`,
      {
        hint:
          "the harness is started by `karotte run`, with the channel on 3 and 4 and nowhere else",
      },
    );
  }
}

/** What a descriptor leads to, like `pipe:[123]`; undefined if it is closed. */
function streamOn(fd: number): string | undefined {
  return ifThereSync(() => Deno.readLinkSync(`/proc/self/fd/${fd}`));
}
