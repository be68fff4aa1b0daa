import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { tarFiles } from "./tar_files.ts";

type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

interface Version {
  readonly files: Files;
  readonly exports: Readonly<Record<string, string>>;
}

/** A version of a package: its files by path from the package's root, and what it exports. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly files: Files;
  readonly exports: Readonly<Record<string, string>>;
}

/** What JSR takes of one package: all files together. */
const MAX_PACKAGE_BYTES = 20 * 1024 * 1024;

/**
 * A JSR registry on loopback, for a Deno with `JSR_URL` set to its address. It serves the packages
 * that `add` gave it and those that `deno publish` uploads, byte for byte.
 */
export class JsrRegistry implements AsyncDisposable {
  readonly url: string;
  /** Paths that were asked for and are not there. */
  readonly missing: string[] = [];
  readonly #packages = new Map<string, Map<string, Version>>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => this.#answer(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  add({ name, version, files, exports }: Package): void {
    const versions = this.#packages.get(name) ?? new Map<string, Version>();
    this.#packages.set(name, versions.set(version, { files, exports }));
  }

  /** Paths of a version's files; none if there is no such version. */
  filesOf(name: string, version: string): string[] {
    return [...this.#packages.get(name)?.get(version)?.files.keys() ?? []];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
    if (path.startsWith("api/")) return await this.#answerApi(request, path);
    const found = this.#serve(path);
    if (found !== undefined) return found;
    this.missing.push(path);
    return new Response("not found", { status: 404 });
  }

  #serve(path: string): Response | undefined {
    const [, name = "", rest = ""] = /^(@[^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
    const versions = this.#packages.get(name);
    if (versions === undefined) return undefined;
    if (rest === "meta.json") return Response.json(packageMeta(name, versions));
    const metaOf = versions.get(rest.replace(/_meta\.json$/, ""));
    if (metaOf !== undefined) return Response.json(versionMeta(metaOf));
    const slash = rest.indexOf("/");
    const file = versions.get(rest.slice(0, slash))?.files.get(rest.slice(slash + 1));
    if (file === undefined) return undefined;
    return new Response(file, { headers: { "content-type": contentType(rest) } });
  }

  /** What `deno publish` asks: does the package exist, and here is a version of it. */
  async #answerApi(request: Request, path: string): Promise<Response> {
    const [, scope, name, version] =
      /^api\/scopes\/([^/]+)\/packages\/([^/]+)(?:\/versions\/([^/]+))?$/.exec(path) ?? [];
    if (request.method === "GET" && version === undefined) return Response.json({ scope, name });
    if (request.method !== "POST" || version === undefined) {
      return Response.json({ code: "notFound", message: path }, { status: 404 });
    }
    const files = tarFiles(new Uint8Array(gunzipSync(await request.bytes())));
    const size = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    if (size > MAX_PACKAGE_BYTES) {
      return Response.json({ code: "tooLarge", message: `${size} bytes` }, { status: 400 });
    }
    const config = JSON.parse(new TextDecoder().decode(files.get("deno.json")));
    this.add({ name: `@${scope}/${name}`, version, files, exports: config.exports });
    return Response.json({ id: crypto.randomUUID(), status: "success", error: null });
  }
}

function packageMeta(name: string, versions: ReadonlyMap<string, Version>) {
  const [scope, shortName] = name.slice(1).split("/");
  const all = [...versions.keys()];
  return {
    scope,
    name: shortName,
    latest: all.at(-1),
    versions: Object.fromEntries(all.map((version) => [version, {}])),
  };
}

function versionMeta({ files, exports }: Version) {
  const manifest = [...files].map(([path, bytes]) => {
    const digest = createHash("sha256").update(bytes).digest("hex");
    return [`/${path}`, { size: bytes.length, checksum: `sha256-${digest}` }];
  });
  return { manifest: Object.fromEntries(manifest), exports };
}

function contentType(path: string): string {
  if (path.endsWith(".ts")) return "text/typescript";
  return path.endsWith(".json") ? "application/json" : "text/plain";
}
