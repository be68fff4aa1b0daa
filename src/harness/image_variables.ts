import { z } from "zod";
import { readTextIfThere } from "../base/files.ts";
import { IMAGE_VARIABLES } from "../protocol/layout.ts";

/** Variables by name. */
export type Variables = Readonly<Record<string, string>>;

const schema = z.record(z.string(), z.string());

/**
 * Returns the variables that the image sets for its programs, as they were when it was built: those
 * of this process may have been set by whoever started it, and may be secrets. None without an
 * image.
 */
export async function imageVariables(path = IMAGE_VARIABLES): Promise<Variables> {
  const text = await readTextIfThere(path);
  return text === undefined ? {} : schema.parse(JSON.parse(text));
}
