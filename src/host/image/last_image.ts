import { KarotteError } from "../../base/errors.ts";
import type { EngineClient } from "../../runtimes/engine/client.ts";
import { type ImageFacts, inspectImage } from "../../runtimes/engine/inspect.ts";
import { CONTENT_LABEL, DATA_LABEL, SOURCE_LABEL } from "./containerfile.ts";
import { dataDigest, listDataFiles } from "./data_files.ts";
import { imageSource, sourceDigest } from "./image_source.ts";
import { lastReference } from "./repository.ts";

export interface LastImage {
  readonly id: string;
  /** What it was made from that is not the same any more, for the user. */
  readonly changed: readonly string[];
}

/**
 * The image that was last built for the environment in a folder, or found to be up to date. Throws a
 * usage error if there is none.
 */
export async function lastImage(engine: EngineClient, directory: string): Promise<LastImage> {
  const facts = await inspectImage(engine, lastReference(directory));
  if (facts === undefined || !(CONTENT_LABEL in facts.labels)) {
    throw new KarotteError(
      "usage",
      `Cannot use the last image of "${directory}": ${engine.name} has none`,
      { hint: `Build one: karotte build --runtime ${engine.name}` },
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
