import { assert, assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { ChannelError, RpcRefusal } from "../../base/rpc_peer.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { bundleUpload } from "./bundle_upload.ts";

async function upload(sendBlob: (about: unknown, source: AsyncIterable<Uint8Array>) => void) {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/bundle`);
  await Deno.writeTextFile(`${dir.path}/bundle/environment.js`, "export {};");
  await Deno.writeTextFile(`${dir.path}/run.sh`, "exit", { mode: 0o755 });
  const { announcement, send } = bundleUpload({ directory: dir.path, digest: "d" });
  assertEquals(announcement, { digest: "d", files: 2 });
  await send({ sendBlob: async (about, source) => await sendBlob(about, source) });
}

Deno.test("bundleUpload() announces what it sends, each file with its place", async () => {
  const sent: unknown[] = [];
  await upload(async (about, source) => {
    const chunks = await Array.fromAsync(source);
    sent.push([about, chunks.map((chunk) => new TextDecoder().decode(chunk)).join("")]);
  });
  assertEquals(sent, [
    [{ bundle: { path: ["bundle", "environment.js"], executable: false } }, "export {};"],
    [{ bundle: { path: ["run.sh"], executable: true } }, "exit"],
  ]);
});

Deno.test("a sandbox that refuses the bundle is told as one whose image is too old", async () => {
  const refused = await assertRejects(
    () => upload(() => Promise.reject(new RpcRefusal("no blobs are taken here"))),
    KarotteError,
    'refuses "bundle/environment.js": no blobs are taken here',
  );
  assert(refused.hint?.includes("karotte build"), refused.hint);
  await assertRejects(() => upload(() => Promise.reject(new ChannelError("gone"))), ChannelError);
});
