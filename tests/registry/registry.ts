import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { run, spawn } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";

export interface PublishedPackage {
  name: string;
  version: string;
  /** Content by path; absent: an `index.js` that exports the version. */
  files?: Readonly<Record<string, string>>;
  /** Further fields of its `package.json`. */
  manifest?: Readonly<Record<string, unknown>>;
  /** When it was published; absent: years ago. */
  time?: string;
}

/** A registry on loopback that has what a test publishes, and asks no other one. */
export interface Registry extends AsyncDisposable {
  /** Ends in a slash. */
  readonly url: string;
  /** Opens packages of the scope `@private`. */
  readonly token: string;
  publish(package_: PublishedPackage): Promise<void>;
  /** Changes the bytes of an archive, and nothing else. */
  tamper(name: string, version: string): Promise<void>;
}

const LONG_AGO = "2020-01-01T00:00:00.000Z";

/** Starts a server whose code is in `verdaccio`. */
export async function startRegistry(verdaccio: string): Promise<Registry> {
  const folder = await tempDir();
  const storage = join(folder.path, "storage");
  const script = join(import.meta.dirname ?? ".", "server.cjs");
  const child = spawn(["node", script, verdaccio, folder.path], { stdin: "piped" });
  const lines = textOf(child.stdout);
  const errors = textOf(child.stderr);
  const port = await portIn(lines);
  if (port === undefined) throw new Error(`The registry does not start: ${await errors.all}`);
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    token: await createToken(url),
    publish: (package_) => publish(package_, url, storage),
    async tamper(name, version) {
      const path = join(storage, name, archiveName(name, version));
      const bytes = await archive({ name, version, files: { "index.js": "'tampered'" } });
      await Deno.writeFile(path, bytes);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.stdin?.close().catch(() => {/* it is gone */});
      await Promise.all([child.status, lines.all, errors.all]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

function textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const output = { text: "", all: Promise.resolve("") };
  const changed = { notify: () => {} };
  output.all = (async () => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      output.text += chunk;
      changed.notify();
    }
    changed.notify();
    return output.text;
  })();
  return { ...output, current: () => output.text, changed };
}

/** Undefined: it ended before it said one. */
async function portIn(lines: ReturnType<typeof textOf>): Promise<string | undefined> {
  for (;;) {
    const port = /^port (\d+)$/m.exec(lines.current())?.[1];
    if (port !== undefined) return port;
    const more = new Promise<"more">((resolve) => lines.changed.notify = () => resolve("more"));
    const ended = await Promise.race([more, lines.all]);
    if (ended !== "more") return /^port (\d+)$/m.exec(lines.current())?.[1];
  }
}

async function createToken(url: string): Promise<string> {
  const response = await fetch(`${url}-/user/org.couchdb.user:tester`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "tester", password: "a password of tests" }),
  });
  return (await response.json()).token;
}

/** Writes what the server keeps, since a client can't choose when it published something. */
async function publish(package_: PublishedPackage, url: string, storage: string): Promise<void> {
  const { name, version, manifest = {}, time = LONG_AGO } = package_;
  const bytes = await archive(package_);
  const file = archiveName(name, version);
  const folder = join(storage, name);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeFile(join(folder, file), bytes);
  const path = join(folder, "package.json");
  const known = await Deno.readTextFile(path).then(JSON.parse, () => ({}));
  const sha1 = createHash("sha1").update(bytes).digest("hex");
  const dist = {
    integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
    shasum: sha1,
    tarball: `${url}${name}/-/${file}`,
  };
  const packument = {
    name,
    versions: { ...known.versions, [version]: { ...manifest, name, version, dist } },
    time: { created: LONG_AGO, modified: time, ...known.time, [version]: time },
    users: {},
    "dist-tags": { latest: version },
    _uplinks: {},
    _distfiles: {},
    _attachments: { ...known._attachments, [file]: { shasum: sha1, version } },
    _rev: `${Object.keys(known.versions ?? {}).length + 1}-0`,
    _id: name,
    readme: "",
  };
  await Deno.writeTextFile(path, JSON.stringify(packument));
}

async function archive(package_: PublishedPackage): Promise<Uint8Array<ArrayBuffer>> {
  const { name, version, manifest = {} } = package_;
  const { files = { "index.js": `exports.version = ${JSON.stringify(version)};` } } = package_;
  await using folder = await tempDir();
  const root = join(folder.path, "package");
  const all = { "package.json": JSON.stringify({ ...manifest, name, version }), ...files };
  for (const [path, content] of Object.entries(all)) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), content);
  }
  const { code, stdout } = await run(["tar", "-cz", "-C", folder.path, "package"]);
  if (code !== 0) throw new Error("tar failed");
  return stdout;
}

function archiveName(name: string, version: string): string {
  return `${name.replace(/^.*\//, "")}-${version}.tgz`;
}
