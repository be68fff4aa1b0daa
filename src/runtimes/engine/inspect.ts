import { z } from "zod";
import { KarotteError } from "../../base/errors.ts";
import { type Run, run, type RunResult } from "../../base/process.ts";
import type { EngineClient } from "./client.ts";

/** What is known of an image. */
export interface ImageFacts {
  /** As the engine names it; a build can start `FROM` it. */
  readonly id: string;
  /** `amd64`, `arm64` and so on. */
  readonly architecture: string;
  readonly os: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Paths that are volumes in every container. */
  readonly volumes: readonly string[];
  /** What a build that starts from it would do first. */
  readonly onBuild: readonly string[];
}

const inspectedSchema = z.array(z.object({
  Id: z.string().min(1),
  Architecture: z.string(),
  Os: z.string(),
  Config: z.object({
    Labels: z.record(z.string(), z.string()).nullish(),
    Volumes: z.record(z.string(), z.unknown()).nullish(),
    OnBuild: z.array(z.string()).nullish(),
  }).nullish(),
})).min(1);

const TIMEOUT_MS = 60_000;

/** The facts of a local image; undefined: there is no such image. Throws if the engine fails. */
export async function inspectImage(
  engine: EngineClient,
  reference: string,
  runProgram: Run = run,
): Promise<ImageFacts | undefined> {
  const argv = [...engine.command, "image", "inspect", "--", reference];
  const result = await runProgram(argv, { timeoutMs: TIMEOUT_MS });
  if (result.code === 0) return parseImageFacts(textOf(result.stdout));
  if (/no such (image|object)|image not known/i.test(textOf(result.stderr))) return undefined;
  throw engineFailed(engine, `look at image "${reference}"`, result);
}

/** Of the first image that `image inspect` printed. */
export function parseImageFacts(printed: string): ImageFacts {
  const [image] = inspectedSchema.parse(JSON.parse(printed));
  if (image === undefined) throw new Error("image inspect printed an empty list");
  const { Labels, Volumes, OnBuild } = image.Config ?? {};
  return {
    id: image.Id,
    architecture: image.Architecture,
    os: image.Os,
    labels: Labels ?? {},
    volumes: Object.keys(Volumes ?? {}),
    onBuild: OnBuild ?? [],
  };
}

/** An image under one of its names. */
export interface TaggedImage {
  readonly id: string;
  /** `karotte/example:1a2b3c4d5e6f` */
  readonly reference: string;
}

/**
 * The images with a label of this value that are tagged in `repository`, newest first. A label alone
 * says nothing: any Containerfile can set it.
 */
export async function findImages(
  engine: EngineClient,
  { label, repository }: { label: string; repository: string },
  runProgram: Run = run,
): Promise<TaggedImage[]> {
  const format = "{{.ID}} {{.Repository}} {{.Tag}}";
  const options = ["--no-trunc", "--filter", `label=${label}`, "--format", format];
  const argv = [...engine.command, "image", "ls", ...options];
  const result = await runProgram(argv, { timeoutMs: TIMEOUT_MS });
  if (result.code !== 0) throw engineFailed(engine, "list the images", result);
  return parseImageList(textOf(result.stdout), repository);
}

/** podman puts `localhost/` before names without a registry. */
export function parseImageList(printed: string, repository: string): TaggedImage[] {
  return printed.split("\n").flatMap((line) => {
    const [id = "", name = "", tag = ""] = line.trim().split(" ");
    if (name.replace(/^localhost\//, "") !== repository || tag === "<none>") return [];
    return [{ id, reference: `${repository}:${tag}` }];
  });
}

/** Gives an image one more name. */
export async function tagImage(
  engine: EngineClient,
  { id, tag }: { id: string; tag: string },
  runProgram: Run = run,
): Promise<void> {
  const result = await runProgram([...engine.command, "tag", id, tag], { timeoutMs: TIMEOUT_MS });
  if (result.code !== 0) throw engineFailed(engine, `tag the image as "${tag}"`, result);
}

/** Gets an image from its registry. */
export async function pullImage(
  engine: EngineClient,
  reference: string,
  options: { signal?: AbortSignal; runProgram?: Run } = {},
): Promise<void> {
  const { signal, runProgram = run } = options;
  const argv = [...engine.command, "pull", "--", reference];
  const result = await runProgram(argv, signal ? { signal } : {});
  signal?.throwIfAborted();
  if (result.code !== 0) throw engineFailed(engine, `pull image "${reference}"`, result);
}

/** An engine that did not do what it was asked to. */
export function engineFailed(
  { name }: EngineClient,
  action: string,
  { code, stderr, timedOut }: RunResult,
): KarotteError {
  const said = textOf(stderr).trim().split("\n").at(-1) || `status ${code}`;
  const found = timedOut ? "it does not answer" : said;
  return new KarotteError("runtime", `Cannot ${action}: ${name}: ${found}`, {
    hint: `See whether \`${name.split(":")[0]} info\` works.`,
  });
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
