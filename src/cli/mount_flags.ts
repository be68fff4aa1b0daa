import { isAbsolute, resolve } from "node:path";
import { KarotteError, messageOf } from "../base/errors.ts";
import type { Mount } from "../runtimes/runtime.ts";

/**
 * Reads `--mount SOURCE:TARGET[:ro]` and `--mount @FILE`, a file with one of these a line.
 * Sources are relative to `directory`. Throws a usage error for what is none.
 */
export async function mountFlags(specs: readonly string[], directory: string): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const spec of specs) {
    if (!spec.startsWith("@")) mounts.push(mountFlag(spec, directory));
    else {
      const lines = await linesOf(resolve(directory, spec.slice(1)));
      mounts.push(...lines.map((line) => mountFlag(line, directory)));
    }
  }
  return mounts;
}

/** Reads one of them; a source may have colons in it, a target not. */
function mountFlag(spec: string, directory: string): Mount {
  const [, source, target, mode] = /^(.+?):([^:]+)(?::(ro|rw))?$/.exec(spec) ?? [];
  if (source !== undefined && target !== undefined && isAbsolute(target)) {
    return { source: resolve(directory, source), target, readOnly: mode === "ro" };
  }
  throw new KarotteError("usage", `Cannot use --mount "${spec}": expected SOURCE:TARGET[:ro]`, {
    hint: "SOURCE is a path here, TARGET an absolute path in the sandbox",
  });
}

async function linesOf(path: string): Promise<string[]> {
  try {
    const lines = (await Deno.readTextFile(path)).split("\n").map((line) => line.trim());
    return lines.filter((line) => line !== "" && !line.startsWith("#"));
  } catch (cause) {
    throw new KarotteError("usage", `Cannot read "${path}": ${messageOf(cause)}`, { cause });
  }
}
