import { basename, join } from "node:path";
import { KarotteError } from "../../base/errors.ts";
import { readTextIfThere } from "../../base/files.ts";
import { digestOf } from "../../cache/digest.ts";
import { isWithin } from "../../cache/file_tree.ts";
import { environmentSettings } from "../environment/environment_settings.ts";

/** The text that an environment's image is made from. */
export type ImageSource =
  | { readonly kind: "containerfile"; readonly path: string; readonly text: string }
  | { readonly kind: "image"; readonly reference: string };

const NAMES = ["Containerfile", "Dockerfile"];

/**
 * Reads `"karotte": { "image": "debian:bookworm" }` of the environment's deno.json, else its
 * Containerfile; undefined: it has neither. Throws a usage error for a reference that is none.
 */
export async function imageSource(directory: string): Promise<ImageSource | undefined> {
  const { image } = await environmentSettings(directory);
  if (image !== undefined) return { kind: "image", reference: image };
  for (const name of NAMES) {
    const path = join(directory, name);
    const text = await readContainerfile(path, directory);
    if (text !== undefined) return { kind: "containerfile", path, text };
  }
  return undefined;
}

async function readContainerfile(path: string, directory: string): Promise<string | undefined> {
  try {
    const text = await readTextIfThere(path);
    if (text === undefined || await leadsInto(directory, path)) return text;
  } catch (error) {
    throw new KarotteError("usage", `Cannot read "${path}": ${String(error)}`, { cause: error });
  }
  throw new KarotteError("usage", `Cannot read "${path}": a link that leaves the environment`, {
    hint: "Put the file itself there.",
  });
}

async function leadsInto(directory: string, path: string): Promise<boolean> {
  return isWithin(await Deno.realPath(directory), await Deno.realPath(path));
}

/** Names what an image is made from, for the user. */
export function sourceName(source: ImageSource): string {
  return source.kind === "image" ? "karotte.image of deno.json" : `the ${basename(source.path)}`;
}

/**
 * Returns the SHA-256 in hex of what the source says; files that a Containerfile copies are not
 * looked at.
 */
export function sourceDigest(source: ImageSource): string {
  const text = source.kind === "image" ? source.reference : source.text;
  return digestOf(JSON.stringify([source.kind, text]));
}

/**
 * Tells whether what a build makes depends on more than this text and the image that it starts
 * from.
 */
export function usesContext(containerfile: string): boolean {
  return /\b(COPY|ADD|ONBUILD)\b|--mount/i.test(containerfile);
}
