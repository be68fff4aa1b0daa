import { dirname } from "node:path";
import { KarotteError } from "../../base/errors.ts";
import { removeIfThere } from "../../base/temp_dir.ts";
import { stagingDirectory } from "../../cache/cache_store.ts";
import { digestOf, fileDigest } from "../../cache/digest.ts";
import { listTree } from "../../cache/file_tree.ts";
import type { DescribedEnvironment } from "../environment/describe_environment.ts";
import type { ImageFacts, ImageStore } from "../../runtimes/image_store.ts";
import { layerContainerfile, type LayerOptions } from "./containerfile.ts";
import { copyDataFiles, type DataFile, dataStamp, listDataFiles } from "./data_files.ts";
import { fileStamp } from "../../cache/stamps.ts";
import type { ImageProgram } from "./image_program.ts";

/** The layer that Karotte puts on top of the user's image. */
export interface Layer {
  readonly environment: DescribedEnvironment;
  readonly program: ImageProgram;
  /** The store that the image is for. */
  readonly images: ImageStore;
  readonly data: readonly DataFile[];
}

/** A folder that a build is sent; gone when it is disposed. */
export interface BuildContext extends AsyncDisposable {
  readonly path: string;
  readonly file: string;
}

/** Looks at all that goes into the layer. Throws a usage error for data that can't go into it. */
export async function describeLayer(
  environment: DescribedEnvironment,
  { program, images }: { program: ImageProgram; images: ImageStore },
): Promise<Layer> {
  const data = await listDataFiles(environment.directory);
  return { environment, program, images, data };
}

/**
 * Returns the SHA-256 in hex of all that the layer consists of, without the image that it goes on;
 * `data` is the digest of its data.
 */
export function layerDigest(layer: Layer, data: string): string {
  const program = layer.program.files.map(({ name, source }) => [name, fileDigest(source)]);
  return digestOf(JSON.stringify([...fixedParts(layer), program, data]));
}

/**
 * Returns the like of the digest, without reading a file: a new one too where files were only
 * copied.
 */
export function layerStamp(layer: Layer): string {
  const program = layer.program.files.map(({ name, source }) => [
    name,
    fileStamp(Deno.statSync(source)),
  ]);
  return digestOf(JSON.stringify([...fixedParts(layer), program, dataStamp(layer.data)]));
}

function fixedParts(layer: Layer): string[] {
  return [textOf(layer, { base: "base", labels: {} }), layer.environment.bundle.digest];
}

function textOf({ program, images }: Layer, from: Pick<LayerOptions, "base" | "labels">): string {
  const { healthchecks, entrypoint } = images;
  return layerContainerfile({ ...from, program: program.command, entrypoint, healthchecks });
}

/** Writes the layer's build context into the cache. */
export async function layerContext(
  layer: Layer,
  from: Pick<LayerOptions, "base" | "labels"> & Pick<ImageFacts, "variables">,
): Promise<BuildContext> {
  const { environment, program, data } = layer;
  const path = await stagingDirectory(environment.cacheDirectory);
  try {
    await Deno.mkdir(`${path}/bin`);
    for (const { name, source } of program.files) {
      await copyWithMode(source, `${path}/bin/${name}`, 0o755);
    }
    const bundle = environment.bundle.directory;
    for (const file of listTree(bundle, bundle)) {
      const target = `${path}/private/${file.path}`;
      await Deno.mkdir(dirname(target), { recursive: true });
      await copyWithMode(file.source, target, file.executable ? 0o755 : 0o644);
    }
    const variables = JSON.stringify(from.variables);
    await Deno.writeTextFile(`${path}/variables.json`, variables, { mode: 0o600 });
    await copyDataFiles(data, `${path}/data`);
    // A podman that serves others takes a file of this name from its own current folder, if there.
    const file = `${path}/karotte.Containerfile`;
    await Deno.writeTextFile(file, textOf(layer, from));
    return { path, file, [Symbol.asyncDispose]: () => removeIfThere(path) };
  } catch (error) {
    await removeIfThere(path);
    if (error instanceof Deno.errors.NotFound) throw changed(environment, error);
    throw error;
  }
}

async function copyWithMode(source: string, target: string, mode: number): Promise<void> {
  await Deno.copyFile(source, target);
  await Deno.chmod(target, mode);
}

function changed({ directory }: DescribedEnvironment, cause: unknown): KarotteError {
  return new KarotteError(
    "usage",
    `Cannot build the image of "${directory}": its files change while they are read`,
    { cause },
  );
}
