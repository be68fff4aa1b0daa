/**
 * Builds an environment's image as if this machine were another one: `foreign_image.ts DIRECTORY
 * ENGINE`. The program that images get then is this process's Deno. Prints the image's id.
 */
import { printLine } from "../../src/base/log.ts";
import { describeEnvironment } from "../../src/host/environment/describe_environment.ts";
import { provideImage } from "../../src/host/image/provide_image.ts";
import { bundleProgram } from "../../src/loader/program.ts";
import { runtimeNamed } from "../../src/runtimes/runtimes.ts";

const [directory = "", name = ""] = Deno.args;
const { images } = runtimeNamed(name);
if (images === undefined) throw new Error(`"${name}" has no images`);

const environment = await describeEnvironment({ directory, offline: true });
const { cacheDirectory, program } = environment;
const { id } = await provideImage({
  environment: { ...environment, program: { ...program, inSandbox: unusable(program.inSandbox) } },
  images,
  program: {
    here: { os: "darwin", architecture: "arm64" },
    named: undefined,
    parts: async () => ({
      deno: Deno.execPath(),
      bundle: await bundleProgram({ cacheDirectory }),
    }),
  },
});
printLine(id);

/** What serves on this machine must not get into the image. */
function unusable<Program extends { files: readonly { name: string; source: string }[] }>(
  { files, ...others }: Program,
) {
  return {
    ...others,
    files: files.map((file) => ({ ...file, source: import.meta.filename ?? "" })),
  };
}
