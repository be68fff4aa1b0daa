import type { BuildOptions, BuildResult, Message, OutputFile } from "esbuild-wasm";
import { buildError, type BuildSubject } from "./build_errors.ts";
import { withEsbuild } from "./esbuild.ts";
import { BANNER, META_NAME } from "./import_meta.ts";

const OPTIONS = {
  bundle: true,
  write: false,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  supported: { decorators: false },
  absWorkingDir: "/",
  // Relative to the bundle, so that traces name the files beside it wherever it is put.
  sourcemap: "inline",
  sourcesContent: false,
  keepNames: true,
  charset: "utf8",
  define: { "import.meta": META_NAME },
  banner: { js: BANNER },
  logLevel: "silent",
  logLimit: 0,
  logOverride: { "unsupported-dynamic-import": "warning" },
} as const satisfies BuildOptions;

/** Bundles with the options that all bundles share. Throws one error for all that is wrong. */
export async function runBundler(
  options: BuildOptions,
  subject: BuildSubject,
): Promise<OutputFile[]> {
  let result: BuildResult;
  try {
    result = await withEsbuild(({ build }) => build({ ...OPTIONS, ...options }));
  } catch (error) {
    const errors = (error as { errors?: Message[] }).errors;
    throw errors === undefined ? error : buildError(errors, subject);
  }
  const { places } = subject;
  const unbundled = result.warnings.filter(({ id, location }) =>
    id === "unsupported-dynamic-import" && location !== null &&
    places.isOwn(places.pathOf(`/${location.file}`))
  );
  if (unbundled.length > 0) throw buildError(unbundled, subject);
  return result.outputFiles ?? [];
}
