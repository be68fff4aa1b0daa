import { parse } from "node:path";
import type { BuildOptions, Message, Metafile } from "esbuild-wasm";
import { KarotteError } from "../../base/errors.ts";
import { withEsbuild } from "./esbuild.ts";
import { fileResolver } from "./file_resolver.ts";
import { sourcesPlugin } from "./sources_plugin.ts";

export interface ProgramBuildOptions {
  /** The module that is the program, an absolute path. */
  readonly entry: string;
  /** The modules that it starts in Workers, absolute paths. */
  readonly workers?: readonly string[];
  /**
   * Makes a file of each dynamic import, and of what several of them share; absent: one file has
   * everything.
   */
  readonly splitting?: boolean;
  /** Paths of the modules that bare names stand for, packages of `node_modules` apart. */
  readonly aliases?: ReadonlyMap<string, string>;
}

export interface ProgramBuild {
  /** Text of each file by its name; that of an entry or Worker is its own with `.js` at its end. */
  readonly files: ReadonlyMap<string, string>;
  /** What the bundler says of each file: its size, what it imports and how. */
  readonly outputs: Metafile["outputs"];
  /** Digest of each file that went in, by path. */
  readonly inputs: Record<string, string>;
}

/** Bundles a module of our own and all it imports, `node:` apart, into ES modules. */
export async function buildProgram(
  { entry, workers = [], splitting = false, aliases }: ProgramBuildOptions,
): Promise<ProgramBuild> {
  const inputs: Record<string, string> = {};
  try {
    const resolveFile = await fileResolver();
    const plugin = sourcesPlugin({ resolveFile, inputs, ...(aliases ? { aliases } : {}) });
    const options: BuildOptions = {
      entryPoints: [entry, ...workers].map((path) => ({ in: path, out: parse(path).name })),
      plugins: [plugin],
      bundle: true,
      splitting,
      write: false,
      metafile: true,
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
      logOverride: UNBUNDLED,
      define: NOWHERE,
    };
    const { outputFiles = [], metafile } = await withEsbuild(({ build }) => build(options));
    const files = outputFiles.map(({ path, text }) => [path.slice(1), withRequire(text)] as const);
    return { files: new Map(files), outputs: metafile?.outputs ?? {}, inputs };
  } catch (error) {
    const [first] = (error as { errors?: Message[] }).errors ?? [];
    if (first === undefined) throw error;
    const { file, line } = first.location ?? { file: entry.slice(1), line: 0 };
    throw new KarotteError("runtime", `Cannot bundle "${entry}": /${file}:${line}: ${first.text}`);
  }
}

/** Packages have no folder in a bundle; below this one nobody can put anything. */
const NOWHERE = { __dirname: '"/dev/null"', __filename: '"/dev/null/karotte.js"' };

/** What would be missing at run time is an error. */
const UNBUNDLED = {
  "indirect-require": "error",
  "unsupported-require-call": "error",
} as const satisfies BuildOptions["logOverride"];

/**
 * Gives the one output that asks for it a `require`, which packages call for modules of node. It
 * knows nothing else, so nothing is loaded from the disk.
 */
function withRequire(text: string): string {
  if (!/^var __require = /m.test(text)) return text;
  return `const require=process.getBuiltinModule;\n${text}`;
}
