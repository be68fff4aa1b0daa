import { ifThere } from "../base/files.ts";

/**
 * Copies as root and through links, as a careless environment would: only where the trick suite has
 * switched the guard off, to show what it is good for.
 */
export async function copyAsRoot(path: string, copy: string): Promise<void> {
  const info = await ifThere(Deno.stat(path));
  if (info === undefined) return;
  if (!info.isDirectory) return await Deno.copyFile(path, copy);
  await Deno.mkdir(copy);
  for await (const { name } of Deno.readDir(path)) {
    await copyAsRoot(`${path}/${name}`, `${copy}/${name}`);
  }
}
