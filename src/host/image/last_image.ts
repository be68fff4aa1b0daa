import { KarotteError } from "../../base/errors.ts";
import type { ImageFacts, ImageStore } from "../../runtimes/image_store.ts";
import { CONTENT_LABEL, DATA_LABEL, SOURCE_LABEL } from "./containerfile.ts";
import { dataDigest, listDataFiles } from "./data_files.ts";
import { imageSource, sourceDigest } from "./image_source.ts";
import { lastReference } from "./repository.ts";

/** The image of an earlier build. */
export interface LastImage {
  readonly id: string;
  /** Its parts that are not the same any more, for the user. */
  readonly changed: readonly string[];
}

/**
 * Finds the image that was last built for the environment in a folder, or found to be up to date.
 * Throws a usage error if there is none.
 */
export async function lastImage(images: ImageStore, directory: string): Promise<LastImage> {
  const facts = await images.inspect(lastReference(directory));
  if (facts === undefined || !(CONTENT_LABEL in facts.labels)) {
    throw new KarotteError(
      "usage",
      `Cannot use the last image of "${directory}": ${images.name} has none`,
      { hint: `Build one: karotte build --runtime ${images.name}` },
    );
  }
  return { id: facts.id, changed: await changedParts(facts, directory) };
}

async function changedParts({ labels }: ImageFacts, directory: string): Promise<string[]> {
  const source = await imageSource(directory);
  const data = dataDigest(await listDataFiles(directory));
  const from = source?.kind === "image" ? "karotte.image of deno.json" : "the Containerfile";
  return [
    ...(source && sourceDigest(source) === labels[SOURCE_LABEL] ? [] : [from]),
    ...(data === labels[DATA_LABEL] ? [] : ["the data directories"]),
  ];
}
