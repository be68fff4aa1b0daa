import { z } from "zod";
import { KarotteError } from "../../base/errors.ts";
import type { RunResult } from "../../base/process.ts";
import type { ImageFacts, ImageStore, TaggedImage } from "../image_store.ts";
import { buildImage, checkBuilder } from "./build.ts";
import type { EngineCaller } from "./caller.ts";
import { ENTRYPOINT_SCRIPT } from "./entrypoint.ts";

/** Returns the images of an engine. */
export function engineImages(caller: EngineCaller): ImageStore {
  const { name, builder } = caller.engine;
  const store: ImageStore = {
    name,
    // Podman's builder makes images without health checks, and complains of a word about them.
    healthchecks: builder !== "buildah",
    entrypoint: (argv) => ["/bin/sh", "-c", ENTRYPOINT_SCRIPT, "karotte", ...argv],
    find: (query) => findImages(caller, query),
    inspect: (reference) => inspectImage(caller, reference),
    async baseName(id) {
      // BuildKit takes an id for a name in a registry.
      if (builder !== "buildkit") return id;
      const tag = `karotte/base:${id.replace(/^sha256:/, "")}`;
      await store.tag({ id, tag });
      return tag;
    },
    checkBuild: (wanted) => checkBuilder(caller, wanted),
    build: (request, options) => buildImage(caller, request, options),
    async tag({ id, tag }) {
      const result = await caller.call(["tag", id, tag]);
      if (result.code !== 0) throw engineFailed(caller, `tag the image as "${tag}"`, result);
    },
    async pull(reference, options = {}) {
      const argv = [...caller.engine.command, "pull", "--", reference];
      const result = await caller.run(argv, options);
      options.signal?.throwIfAborted();
      if (result.code !== 0) throw engineFailed(caller, `pull image "${reference}"`, result);
    },
  };
  return store;
}

const inspectedSchema = z.array(z.object({
  Id: z.string().min(1),
  Architecture: z.string(),
  Os: z.string(),
  Config: z.object({
    Labels: z.record(z.string(), z.string()).nullish(),
    Env: z.array(z.string()).nullish(),
    Volumes: z.record(z.string(), z.unknown()).nullish(),
    OnBuild: z.array(z.string()).nullish(),
  }).nullish(),
})).min(1);

async function inspectImage(
  caller: EngineCaller,
  reference: string,
): Promise<ImageFacts | undefined> {
  const result = await caller.call(["image", "inspect", "--", reference]);
  if (result.code === 0) return parseImageFacts(textOf(result.stdout));
  if (/no such (image|object)|image not known/i.test(textOf(result.stderr))) return undefined;
  throw engineFailed(caller, `look at image "${reference}"`, result);
}

/** Reads the facts of the first image that `image inspect` printed. */
export function parseImageFacts(printed: string): ImageFacts {
  const [image] = inspectedSchema.parse(JSON.parse(printed));
  if (image === undefined) throw new Error("image inspect printed an empty list");
  const { Labels, Env, Volumes, OnBuild } = image.Config ?? {};
  return {
    id: image.Id,
    architecture: image.Architecture,
    os: image.Os,
    labels: Labels ?? {},
    variables: Object.fromEntries((Env ?? []).map(pairOf)),
    volumes: Object.keys(Volumes ?? {}),
    onBuild: OnBuild ?? [],
  };
}

function pairOf(entry: string): [name: string, value: string] {
  const at = entry.indexOf("=");
  return at < 0 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
}

async function findImages(
  caller: EngineCaller,
  { label, repository }: { readonly label: string; readonly repository: string },
): Promise<TaggedImage[]> {
  const format = "{{.ID}} {{.Repository}} {{.Tag}}";
  const options = ["--no-trunc", "--filter", `label=${label}`, "--format", format];
  const result = await caller.call(["image", "ls", ...options]);
  if (result.code !== 0) throw engineFailed(caller, "list the images", result);
  return parseImageList(textOf(result.stdout), repository);
}

/** Reads what `image ls` prints: podman puts `localhost/` before names without a registry. */
export function parseImageList(printed: string, repository: string): TaggedImage[] {
  return printed.split("\n").flatMap((line) => {
    const [id = "", name = "", tag = ""] = line.trim().split(" ");
    if (name.replace(/^localhost\//, "") !== repository || tag === "<none>") return [];
    return [{ id, reference: `${repository}:${tag}` }];
  });
}

function engineFailed(
  { engine: { name, command } }: EngineCaller,
  action: string,
  { code, stderr, timedOut }: RunResult,
): KarotteError {
  const said = textOf(stderr).trim().split("\n").at(-1) || `status ${code}`;
  const found = timedOut ? "it does not answer" : said;
  return new KarotteError("runtime", `Cannot ${action}: ${name}: ${found}`, {
    hint: `See whether \`${command.join(" ")} info\` works.`,
  });
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
