import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../base/temp_dir.ts";
import { treeText } from "../base/tree_text.ts";
import { createHash } from "node:crypto";
import { BundleReceiver } from "./bundle_receiver.ts";

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const FILES = [
  { path: "bundle/environment.js", executable: false, digest: HELLO },
  { path: "bundle/a/tool.sh", executable: true, digest: HELLO },
];

const DIGEST = createHash("sha256").update(treeText(FILES)).digest("hex");

const about = (path: string, executable = false) => ({
  bundle: { path: path.split("/"), executable },
});

async function receive(bundle: BundleReceiver, path: string, executable: boolean): Promise<void> {
  const sink = await bundle.open(about(path, executable));
  for (const text of ["hel", "lo"]) await sink.write(new TextEncoder().encode(text));
  await sink.close();
}

Deno.test("a bundle replaces all that is there once it is complete", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/bundle/old`, { recursive: true });
  const bundle = new BundleReceiver(dir.path);
  await bundle.expect({ digest: DIGEST, files: 2 });
  for (const { path, executable } of FILES) await receive(bundle, path, executable);
  await bundle.complete;
  const names = [...Deno.readDirSync(`${dir.path}/bundle`)].map(({ name }) => name).sort();
  assertEquals(names, ["a", "environment.js"]);
  assertEquals(Deno.readTextFileSync(`${dir.path}/bundle/a/tool.sh`), "hello");
  const modes = FILES.map(({ path }) => (Deno.statSync(`${dir.path}/${path}`).mode ?? 0) & 0o777);
  assertEquals(modes, [0o644, 0o755]);
});

Deno.test("a bundle that is not the announced one is refused and never complete", async () => {
  await using dir = await tempDir();
  const bundle = new BundleReceiver(dir.path);
  await bundle.expect({ digest: DIGEST, files: 2 });
  let complete = false;
  bundle.complete.then(() => complete = true);
  await receive(bundle, "bundle/environment.js", false);
  const last = await bundle.open(about("bundle/a/tool.sh"));
  await assertRejects(async () => await last.close(), Error, "was announced");
  await Promise.resolve();
  assertEquals(complete, false);
});

Deno.test("a file that was not announced, is there already or has a bad name is refused", async () => {
  await using dir = await tempDir();
  const bundle = new BundleReceiver(dir.path);
  await assertRejects(() => bundle.open(about("a")), Error, "no bundle was announced");
  await bundle.expect({ digest: "", files: 9 });
  await receive(bundle, "a", false);
  await assertRejects(() => bundle.open(about("a")), Deno.errors.AlreadyExists);
  for (const path of ["../a", "a/..", ".", "b//c", "b\0"]) {
    await assertRejects(() => bundle.open(about(path)), Error, path.includes("//") ? "" : "unsafe");
  }
});

Deno.test("without an announcement what is there stays", async () => {
  await using dir = await tempDir();
  await Deno.writeTextFile(`${dir.path}/bundle`, "");
  const bundle = new BundleReceiver(dir.path);
  await bundle.expect(undefined);
  await bundle.complete;
  assertEquals([...Deno.readDirSync(dir.path)].length, 1);
});
