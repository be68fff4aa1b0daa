import { KarotteError } from "../../base/errors.ts";
import type { ImageFacts, ImageStore } from "../../runtimes/image_store.ts";
import {
  DATA_DIRECTORIES,
  KAROTTE_DIRECTORY,
  STATE_DIRECTORY,
  WORK_DIRECTORY,
} from "../../protocol/layout.ts";
import { CONTENT_LABEL } from "./containerfile.ts";

/** Returns the facts of an image that an environment names; gets it if it is not there. */
export async function namedImage(
  images: ImageStore,
  reference: string,
  { onPull, signal }: { onPull(): void; signal?: AbortSignal },
): Promise<ImageFacts> {
  const here = await images.inspect(reference);
  if (here !== undefined) return here;
  onPull();
  await images.pull(reference, signal ? { signal } : {});
  return await imageFacts(images, reference);
}

/** Returns the facts of an image. Throws a runtime error if it is not there. */
export async function imageFacts(images: ImageStore, reference: string): Promise<ImageFacts> {
  const facts = await images.inspect(reference);
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
