import { dirname } from "node:path";
import type {
  BuildOptions,
  Message,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  Plugin,
} from "esbuild-wasm";
import { KarotteError } from "../base/errors.ts";
import { digestOf } from "./digest.ts";
import { withEsbuild } from "./esbuild.ts";
import { fileResolver, type ResolveFile } from "./file_resolver.ts";
import { sourceKind, withoutSourceMapLink } from "./module_source.ts";

export interface ProgramBuild {
  readonly code: string;
  /** Digest of each file that went in, by path. */
  readonly inputs: Record<string, string>;
}

/** Bundles a module of our own and all it imports, `node:` apart, into one ES module. */
export async function buildProgram(entry: string): Promise<ProgramBuild> {
  const inputs: Record<string, string> = {};
  try {
    const plugin = sourcesPlugin(await fileResolver(), inputs);
    const options: BuildOptions = {
      entryPoints: [entry],
      plugins: [plugin],
      bundle: true,
      write: false,
      format: "esm",
      platform: "neutral",
      target: "es2022",
      absWorkingDir: "/",
      outdir: "/",
      // No source map: reading it would add 60 ms to the start of each sandbox.
      sourcemap: false,
      keepNames: true,
      charset: "utf8",
      logLevel: "silent",
    };
    const result = await withEsbuild(({ build }) => build(options));
    return { code: result.outputFiles?.[0]?.text ?? "", inputs };
  } catch (error) {
    const [first] = (error as { errors?: Message[] }).errors ?? [];
    if (first === undefined) throw error;
    const { file, line } = first.location ?? { file: entry.slice(1), line: 0 };
    throw new KarotteError("runtime", `Cannot bundle "${entry}": /${file}:${line}: ${first.text}`);
  }
}

function sourcesPlugin(resolveFile: ResolveFile, inputs: Record<string, string>): Plugin {
  return {
    name: "karotte-program",
    setup(build) {
      build.onResolve({ filter: /.*/ }, resolve);
      build.onLoad({ filter: /.*/ }, ({ path, with: attributes }) => load(path, attributes));
    },
  };

  function resolve({ path, importer, kind }: OnResolveArgs): OnResolveResult {
    if (kind === "entry-point") return { path, namespace: "file" };
    if (path.startsWith("node:")) return { path, external: true };
    const found = resolveFile(dirname(importer), path, "import");
    if (found === undefined) return { errors: [{ text: `Cannot import "${path}": not found` }] };
    return { path: found, namespace: "file" };
  }

  async function load(path: string, attributes: Record<string, string>): Promise<OnLoadResult> {
    const kind = sourceKind(path, attributes);
    if ("refused" in kind) {
      return { errors: [{ text: `Cannot import "${path}": ${kind.refused}` }] };
    }
    const bytes = await Deno.readFile(path);
    inputs[path] = digestOf(bytes);
    if (kind.loader === "binary") return { contents: bytes, loader: kind.loader };
    const text = new TextDecoder().decode(bytes);
    return { contents: withoutSourceMapLink(text), loader: kind.loader };
  }
}
