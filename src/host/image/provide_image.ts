import { KarotteError } from "../../base/errors.ts";
import { logLine } from "../../base/log.ts";
import { printable } from "../../base/one_line.ts";
import { digestOf } from "../../cache/digest.ts";
import { installDeno, LINUX_DENO } from "../../loader/linux_deno.ts";
import { bundleProgram } from "../../loader/program.ts";
import type { DescribedEnvironment } from "../environment/describe_environment.ts";
import type { BuildRequest, ImageFacts, ImageStore } from "../../runtimes/image_store.ts";
import { buildFailure } from "./build_failure.ts";
import { type BuildLog, openBuildLog } from "./build_log.ts";
import { BuildProgress } from "./build_output.ts";
import { CONTENT_LABEL, DATA_LABEL, RECIPE_LABEL, SOURCE_LABEL } from "./containerfile.ts";
import { dataDigest } from "./data_files.ts";
import {
  type Architecture,
  imageProgram,
  type ImageProgramOptions,
  namedStamp,
} from "./image_program.ts";
import { type ImageSource, imageSource, sourceDigest, usesContext } from "./image_source.ts";
import { describeLayer, layerContext, layerDigest, layerStamp } from "./layer.ts";
import { isLastReference, lastReference, repositoryOf } from "./repository.ts";
import { checkUserImage, imageFacts, namedImage } from "./user_image.ts";

/** The characters of the content's digest in the default tag. */
const TAG_CHARS = 12;

/** How the image of an environment is provided. */
export interface ImageOptions {
  readonly environment: DescribedEnvironment;
  /** Where it is looked for, and built. */
  readonly images: ImageStore;
  /** Besides the default one. */
  readonly tag?: string;
  /** For the build of the user's Containerfile. */
  readonly build?: Pick<BuildRequest, "secrets" | "cacheFrom" | "cacheTo">;
  /** Have the builder look at every step, also where nothing of ours has changed. */
  readonly rebuild?: boolean;
  /** Get no program for another platform than this machine's: use what is there. */
  readonly offline?: boolean;
  /** Where the image's program comes from; found out if absent. */
  readonly program?: Partial<ImageProgramOptions>;
  /** Show what the steps say; otherwise only which one is under way. */
  readonly verbose?: boolean;
  readonly signal?: AbortSignal;
}

/** An image of an environment. */
export interface Image {
  readonly id: string;
  readonly tag: string;
  /** Undefined: it was there. */
  readonly logPath?: string;
}

interface FoundImage extends Image {
  /** Whether `lastReference` names it already. */
  readonly isLast: boolean;
}

/**
 * Provides the image of an environment: the one that was made of the same files, or a new one.
 * Throws a run error with the failed step if a build fails, and a usage error for an environment or
 * a base image that none can be made of.
 */
export async function provideImage(options: ImageOptions): Promise<Image> {
  const { environment, images } = options;
  const source = await imageSource(environment.directory);
  if (source === undefined) throw noSource(environment.directory);
  await images.checkBuild(options.build ?? {});
  const found = options.rebuild ? undefined : await findBuilt(options, source);
  const { isLast, ...image } = found ?? await buildOrFind(options, source);
  if (image.logPath !== undefined) return image; // it was built with its tags
  const tags = [
    ...(isLast ? [] : [lastReference(environment.directory)]),
    ...(options.tag === undefined ? [] : [options.tag]),
  ];
  for (const tag of tags) await images.tag({ id: image.id, tag });
  return image;
}

/**
 * Finds an image that an earlier build made of exactly these files. Only where the Containerfile's
 * text says all about what it builds; otherwise the builder has to look.
 */
async function findBuilt(
  options: ImageOptions,
  source: ImageSource,
): Promise<FoundImage | undefined> {
  if (source.kind === "image" || usesContext(source.text)) return undefined;
  const recipe = await recipeOf(options, source);
  return await findLabelled(options.images, options.environment, `${RECIPE_LABEL}=${recipe}`);
}

async function findLabelled(
  images: ImageStore,
  { directory }: DescribedEnvironment,
  label: string,
): Promise<FoundImage | undefined> {
  const found = await images.find({ label, repository: repositoryOf(directory) });
  const newest = found.find(({ reference }) => !isLastReference(reference));
  if (newest === undefined) return undefined;
  const last = lastReference(directory);
  const isLast = found.some(({ id, reference }) => id === newest.id && reference === last);
  return { id: newest.id, tag: newest.reference, isLast };
}

async function buildOrFind(options: ImageOptions, source: ImageSource): Promise<FoundImage> {
  const { environment, images, tag: extraTag } = options;
  using log = await openBuildLog(environment.cacheDirectory, environment.directory);
  const base = await userImage(options, { source, log });
  checkUserImage(base);
  const program = await imageProgram(environment.program, base, {
    parts: (architecture) => partsFor(architecture, options),
    ...options.program,
  });
  const layer = await describeLayer(environment, { program, images });
  const data = dataDigest(layer.data);
  const content = digestOf(JSON.stringify([base.id, layerDigest(layer, data)]));
  const found = await findLabelled(images, environment, `${CONTENT_LABEL}=${content}`);
  if (found !== undefined) return found;
  const labels = {
    [CONTENT_LABEL]: content,
    [RECIPE_LABEL]: await recipeOf(options, source),
    [SOURCE_LABEL]: sourceDigest(source),
    [DATA_LABEL]: data,
  };
  const tag = `${repositoryOf(environment.directory)}:${content.slice(0, TAG_CHARS)}`;
  const from = await images.baseName(base.id);
  await using context = await layerContext(layer, {
    ...{ base: from, labels },
    variables: base.variables,
  });
  logLine("image: adding Karotte's layer");
  const tags = [
    ...[tag, lastReference(environment.directory)],
    ...(extraTag === undefined ? [] : [extraTag]),
  ];
  const request = { context: context.path, file: context.file, tags, network: false, own: true };
  const id = await build(options, { request, log });
  return { id, tag, logPath: log.path, isLast: true };
}

async function userImage(
  options: ImageOptions,
  { source, log }: { source: ImageSource; log: BuildLog },
): Promise<ImageFacts> {
  const { images, environment, signal } = options;
  if (source.kind === "image") {
    const onPull = () => logLine(`image: getting ${source.reference}`);
    return await namedImage(images, source.reference, { onPull, ...(signal ? { signal } : {}) });
  }
  const request = {
    context: environment.directory,
    file: source.path,
    tags: [],
    network: true,
    own: false,
    ...options.build,
  };
  return await imageFacts(images, await build(options, { request, log }));
}

/** Runs one build; what the builder says goes to the log, and to the user as far as wanted. */
async function build(
  { images, environment, verbose, signal }: ImageOptions,
  { request, log }: { request: BuildRequest; log: BuildLog },
): Promise<string> {
  const said = verbose && !request.own;
  const progress = new BuildProgress({
    onStep: (step) => request.own || logLine(`image: step ${printable(step)}`),
    onLine: (line) => said && logLine(`  | ${printable(line)}`),
  });
  const id = await images.build(request, {
    onOutput(chunk) {
      log.write(chunk);
      progress.push(chunk);
    },
    ...(signal ? { signal } : {}),
  });
  progress.finish();
  if (id !== undefined) return id;
  throw buildFailure({
    directory: environment.directory,
    step: progress.step,
    lastLines: progress.lastLines,
    logPath: log.path,
    own: request.own,
  });
}

/**
 * Gets a program for another machine: what a release is tested with, without a release for that
 * machine.
 */
async function partsFor(
  architecture: Architecture,
  { environment: { cacheDirectory }, offline = false, signal }: ImageOptions,
): Promise<{ deno: string; bundle: string }> {
  const [deno, bundle] = await Promise.all([
    installDeno(LINUX_DENO[architecture], { cacheDirectory, offline, signal }),
    bundleProgram({ cacheDirectory }),
  ]);
  return { deno, bundle };
}

/**
 * Returns a digest of what the image is made from, as far as that is known without building or
 * reading. The program counts as if the image had this one: another platform's changes with it.
 */
async function recipeOf({ environment, images }: ImageOptions, source: ImageSource) {
  const { inSandbox: { files }, command } = environment.program;
  const program = { files, command };
  const layer = await describeLayer(environment, { program, images });
  return digestOf(JSON.stringify([sourceDigest(source), layerStamp(layer), namedStamp()]));
}

function noSource(directory: string): KarotteError {
  return new KarotteError("usage", `Cannot build an image of "${directory}": no Containerfile`, {
    hint: 'Write one, or name an image in deno.json: "karotte": { "image": "debian:bookworm" }.',
  });
}
