import { createHash } from "node:crypto";
import { fromFileUrl, join } from "@std/path";
import { run } from "../../src/base/process.ts";

const PACKAGES = fromFileUrl(new URL("../../node_modules/", import.meta.url));

/** An npm registry on loopback that has the packages which `deno.json` names, as installed here. */
export interface NpmRegistry extends AsyncDisposable {
  /** For `NPM_CONFIG_REGISTRY`. */
  readonly url: string;
  /** The names that it was asked for, each once. */
  readonly asked: readonly string[];
}

export function npmRegistry(): NpmRegistry {
  const asked: string[] = [];
  const archives = new Map<string, Uint8Array<ArrayBuffer>>();
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(options, async ({ url }) => {
    const { origin, pathname } = new URL(url);
    const path = decodeURIComponent(pathname).slice(1);
    const archive = archives.get(path);
    if (archive !== undefined) return new Response(archive);
    if (!asked.includes(path)) asked.push(path);
    const manifest = await manifestOf(path);
    if (manifest === undefined) return new Response("not found", { status: 404 });
    const { name, version } = manifest;
    const file = `${name}/-/${version}.tgz`;
    const packed = archives.get(file) ?? await packedAs(name);
    archives.set(file, packed);
    const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
    const dist = { tarball: `${origin}/${file}`, integrity };
    return Response.json({
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { ...manifest, dist } },
      time: { [version]: "2020-01-01T00:00:00.000Z" },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function manifestOf(name: string): Promise<{ name: string; version: string } | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(join(PACKAGES, name, "package.json")));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The archive of an installed package; npm has all files below `package/`. */
async function packedAs(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.realPath(join(PACKAGES, name));
  const argv = [
    "tar",
    "--create",
    "--gzip",
    "--directory",
    folder,
    "--transform",
    "s,^\\.,package,",
  ];
  const { code, stdout, stderr } = await run([...argv, "."], { maxOutputBytes: 100_000_000 });
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return stdout;
}
