import { KarotteError } from "../../base/errors.ts";
import { type RpcPeer, RpcRefusal } from "../../base/rpc_peer.ts";
import type { EnvironmentBundle } from "../../loader/environment_bundle.ts";
import { listTree } from "../../cache/file_tree.ts";
import type { BundleAnnouncement } from "../../protocol/rpc.ts";

/** A bundle that goes into a sandbox in place of the one that is in its image. */
export interface BundleUpload {
  /** The part of `start` that tells of it. */
  readonly announcement: BundleAnnouncement;
  /**
   * Sends the files; to be called once `start` was answered. Resolves when the sandbox has found
   * them to be what was announced. Throws a runtime error if it refuses, or a `ChannelError`.
   */
  send(peer: Pick<RpcPeer, "sendBlob">): Promise<void>;
}

/** Returns the upload of a bundle that lies in the cache: all of its files. */
export function bundleUpload({ directory, digest }: EnvironmentBundle): BundleUpload {
  const files = listTree(directory, directory);
  return {
    announcement: { digest, files: files.length },
    async send(peer) {
      for (const { path, source, executable } of files) {
        const bundle = { path: path.split("/"), executable };
        try {
          await peer.sendBlob({ bundle }, contentOf(source));
        } catch (error) {
          if (!(error instanceof RpcRefusal)) throw error;
          throw new KarotteError(
            "runtime",
            `Cannot replace the image's bundle: the sandbox refuses "${path}": ${error.message}`,
            { hint: "Build the image again with `karotte build`.", cause: error },
          );
        }
      }
    },
  };
}

async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  // The stream closes the file at its end, and where the loop ends before.
  yield* (await Deno.open(path)).readable;
}
