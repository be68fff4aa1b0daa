import { KarotteError } from "../../base/errors.ts";
import type { EngineClient } from "../../runtimes/engine/client.ts";
import { type ImageFacts, inspectImage, pullImage } from "../../runtimes/engine/inspect.ts";
import {
  DATA_DIRECTORIES,
  KAROTTE_DIRECTORY,
  STATE_DIRECTORY,
  WORK_DIRECTORY,
} from "../../protocol/layout.ts";
import { CONTENT_LABEL } from "./containerfile.ts";

/** The facts of an image that an environment names; gets it if it is not there. */
export async function namedImage(
  engine: EngineClient,
  reference: string,
  { onPull, signal }: { onPull(): void; signal?: AbortSignal },
): Promise<ImageFacts> {
  const here = await inspectImage(engine, reference);
  if (here !== undefined) return here;
  onPull();
  await pullImage(engine, reference, signal ? { signal } : {});
  return await imageFacts(engine, reference);
}

/** The facts of an image that must be there. */
export async function imageFacts(engine: EngineClient, reference: string): Promise<ImageFacts> {
  const facts = await inspectImage(engine, reference);
  if (facts !== undefined) return facts;
  throw new KarotteError("runtime", `Cannot find the built image "${reference}": it is not there`, {
    hint: "The engine's builder keeps its images elsewhere: `docker buildx use default` helps.",
  });
}

const OUR_PLACES = [
  KAROTTE_DIRECTORY,
  STATE_DIRECTORY,
  WORK_DIRECTORY,
  ...DATA_DIRECTORIES.map(({ target }) => target),
];

/** Throws a usage error for an image that nothing can be put into as it has to be. */
export function checkUserImage({ labels, volumes, onBuild }: ImageFacts): void {
  if (CONTENT_LABEL in labels) {
    throw new KarotteError("usage", "Cannot start from this image: `karotte build` made it", {
      hint: "Start from the image that it was made from.",
    });
  }
  if (onBuild.length > 0) {
    throw new KarotteError(
      "usage",
      `Cannot start from this image: it has ONBUILD steps ("${onBuild[0]}")`,
      { hint: "They would run on Karotte's files: start from an image without them." },
    );
  }
  const volume = volumes.find((path) =>
    OUR_PLACES.some((place) => covers(path, place) || covers(place, path))
  );
  if (volume === undefined) return;
  throw new KarotteError("usage", `Cannot start from this image: "${volume}" is a volume in it`, {
    hint: "What Karotte puts there would be lost: take the VOLUME out of the Containerfile.",
  });
}

function covers(folder: string, path: string): boolean {
  return `${path}/`.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
