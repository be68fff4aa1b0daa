import { removeIfThere } from "../../base/temp_dir.ts";
import { VERSION } from "../../base/version.ts";
import {
  type EnvironmentDescription,
  environmentDescriptionSchema,
} from "../../schemas/task_description.ts";

/** Returns the description of the bundle with this digest; undefined: there is none to be read. */
export async function readCached(
  cacheDirectory: string,
  digest: string,
): Promise<EnvironmentDescription | undefined> {
  try {
    const text = await Deno.readTextFile(pathOf(cacheDirectory, digest));
    return environmentDescriptionSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Keeps the description of the bundle with this digest. */
export async function writeCached(
  cacheDirectory: string,
  digest: string,
  description: EnvironmentDescription,
): Promise<void> {
  const path = pathOf(cacheDirectory, digest);
  const partial = `${path}.${crypto.randomUUID()}`;
  await Deno.mkdir(`${cacheDirectory}/descriptions`, { recursive: true, mode: 0o700 });
  try {
    await Deno.writeTextFile(partial, JSON.stringify(description), { createNew: true });
    await Deno.rename(partial, path);
  } finally {
    await removeIfThere(partial);
  }
}

function pathOf(cacheDirectory: string, digest: string): string {
  return `${cacheDirectory}/descriptions/${VERSION}-${digest}.json`;
}
