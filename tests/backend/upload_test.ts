import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { tempDir } from "../../src/base/temp_dir.ts";
import { uploadArtifacts } from "../../src/host/backend/artifact_upload.ts";
import { BackendClient } from "../../src/host/backend/client.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { StubBackend } from "./stub.ts";

interface Given {
  readonly folder: string;
  readonly signal?: AbortSignal;
  readonly stallMs?: number;
}

/** Uploads a folder; returns the warnings. */
async function upload(backend: StubBackend, given: Given): Promise<string[]> {
  const { folder, signal = new AbortController().signal, stallMs = 20_000 } = given;
  const warnings: string[] = [];
  const clock = new FakeClock();
  using client = new BackendClient({
    uri: backend.uri,
    runId: "r1",
    signal,
    tokenPath: `${folder}/../token`,
    clock,
  });
  await uploadArtifacts(folder, {
    client,
    signal,
    clock,
    times: { stallMs, budgetMs: 2_000 },
    warn: (message) => {
      warnings.push(message);
    },
  });
  return warnings;
}

async function folderWith(parent: string, files: Record<string, string>): Promise<string> {
  const folder = `${parent}/r1_artifacts`;
  for (const [name, text] of Object.entries(files)) {
    const path = `${folder}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  return folder;
}

Deno.test("every regular file is uploaded by its path below the folder, and no link is followed", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend({ token: "some-token" });
  await Deno.writeTextFile(`${dir.path}/token`, "some-token");
  await Deno.writeTextFile(`${dir.path}/private`, "not an artifact");
  const big = "0123456789".repeat(500_000);
  const folder = await folderWith(dir.path, {
    "a.txt": "hello",
    "empty": "",
    "results/deep/big": big,
    "results/n\u00e4me with #?%.txt": "odd",
    ".3f1f2a34-9d1c-4b8e-8d2e-0123456789ab.partial": "half",
  });
  await Deno.symlink(`${dir.path}/private`, `${folder}/link`);
  await Deno.symlink(dir.path, `${folder}/results/up`);
  assertEquals(await upload(backend, { folder }), []);
  assertEquals(backend.problems, []);
  assertEquals([...backend.artifacts.keys()].sort(), [
    "a.txt",
    "empty",
    "results/deep/big",
    "results/n\u00e4me with #?%.txt",
  ]);
  assertEquals(backend.artifacts.get("a.txt"), "hello");
  assertEquals(backend.artifacts.get("empty"), "");
  assert(backend.artifacts.get("results/deep/big") === big);
});

Deno.test("addresses are asked for in batches", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  const names = Array.from({ length: 201 }, (_, n) => [`f${n}`, `${n}`]);
  const folder = await folderWith(dir.path, Object.fromEntries(names));
  assertEquals(await upload(backend, { folder }), []);
  assertEquals([backend.count("presign"), backend.artifacts.size], [3, 201]);
});

Deno.test("a file without an address, and one that is refused, are warnings; the rest is uploaded", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  const folder = await folderWith(dir.path, { a: "1", b: "2", c: "3" });
  backend.withoutAddress.add("a");
  const body = "<Error><Code>SignatureDoesNotMatch</Code><Sts>very-secret</Sts></Error>";
  backend.fail("put", { status: 403, body });
  const warnings = await upload(backend, { folder });
  assertEquals(warnings.length, 2);
  assertEquals(warnings[0], 'Cannot upload artifact "a": the backend gave no address for it');
  assert(/"[bc]": the storage answered 403 \(SignatureDoesNotMatch\)$/.test(warnings[1] ?? ""));
  assertEquals(backend.artifacts.size, 1);
});

Deno.test("an upload that breaks or stalls is begun again, and no warning holds the address", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  const folder = await folderWith(dir.path, { a: "1" });
  backend.fail("put", "break", { status: 503 });
  assertEquals(await upload(backend, { folder }), []);
  assertEquals(backend.artifacts.get("a"), "1");
  backend.fail("put", ...Array(20).fill("break"));
  const warnings = await upload(backend, { folder });
  assertEquals(warnings.length, 1);
  assert(!warnings.join().includes("very-secret"), warnings.join());
  await using slow = new StubBackend();
  slow.fail("put", "hang");
  assertEquals(await upload(slow, { folder, stallMs: 300 }), []);
  assertEquals(slow.count("put"), 2);
});

Deno.test("without addresses or a storage the upload ends soon, with warnings", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  const names = Array.from({ length: 60 }, (_, n) => [`f${n}`, `${n}`]);
  const folder = await folderWith(dir.path, Object.fromEntries(names));
  backend.fail("presign", { status: 500 }, { status: 403 });
  const [refused] = await upload(backend, { folder });
  assertStringIncludes(refused ?? "", `Cannot upload all artifacts of "${folder}": `);
  assertStringIncludes(refused ?? "", 'Cannot call "presign"');
  backend.fail("put", ...Array(60).fill({ status: 403 }));
  const warnings = await upload(backend, { folder });
  assert(backend.count("put") < 20);
  assertStringIncludes(warnings[0] ?? "", "one upload after the other failed");
  assert(warnings.length <= 12);
});

Deno.test("a storage that answers before it has read everything is no trouble", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  const folder = await folderWith(dir.path, {});
  await Deno.mkdir(folder, { recursive: true });
  const noise = new Uint8Array(65_536);
  using file = await Deno.open(`${folder}/noise`, { write: true, create: true });
  for (let n = 0; n < 256; n++) await file.write(crypto.getRandomValues(noise));
  backend.fail("put", ...Array(20).fill({ status: 403 }));
  const warnings = await upload(backend, { folder });
  assertEquals(warnings.length, 1);
  assertStringIncludes(warnings[0] ?? "", 'Cannot upload artifact "noise": ');
});

Deno.test("an interrupt ends the upload with a warning; a folder that is gone is one too", async () => {
  await using dir = await tempDir();
  await using backend = new StubBackend();
  const folder = await folderWith(dir.path, { a: "1" });
  const controller = new AbortController();
  backend.fail("put", "hang");
  const uploading = upload(backend, { folder, signal: controller.signal });
  for (let n = 0; n < 500 && backend.count("put") === 0; n++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  controller.abort(new Error("Interrupted by SIGINT"));
  assertStringIncludes((await uploading).join(), "Interrupted by SIGINT");
  const missing = await upload(backend, { folder: `${dir.path}/missing` });
  assertStringIncludes(missing.join(), "Cannot upload all artifacts of");
});
