import { KarotteError } from "../base/errors.ts";
import { ifThere } from "../base/files.ts";

/** Variables that say where programs and libraries of root's processes are found. */
const VARIABLES = ["PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT"];

/**
 * Throws if one of the image's variables for the loader has a part that depends on the current
 * folder, or a library path that somebody else than root can put a library at. The sandbox's PATH
 * is Karotte's own.
 */
export async function checkLoaderVariables(
  variable: (name: string) => string | undefined,
): Promise<void> {
  for (const name of VARIABLES) {
    const value = variable(name) ?? "";
    const parts = value === "" ? [] : value.split(name === "LD_PRELOAD" ? /[: ]/ : ":");
    for (const part of parts) {
      if (!part.startsWith("/")) throw refused(name, part, "no absolute path");
      if (name === "PATH") continue;
      const open = await changeableFolder(part);
      if (open !== undefined) throw refused(name, part, `others than root can change "${open}"`);
    }
  }
}

/** A folder on the way to a path, links followed, that does not belong to root alone. */
async function changeableFolder(path: string): Promise<string | undefined> {
  const names = path.split("/").filter((name) => name !== "");
  for (let count = 1; count <= names.length; count++) {
    const real = await ifThere(Deno.realPath(`/${names.slice(0, count).join("/")}`));
    // Nobody can make it where all that lies above is root's.
    if (real === undefined) return undefined;
    const { uid, mode } = await Deno.stat(real);
    if (uid !== 0 || ((mode ?? 0) & 0o002) !== 0) return real;
  }
  return undefined;
}

function refused(name: string, part: string, why: string): KarotteError {
  return new KarotteError("usage", `Cannot use the image's ${name}: it has "${part}", ${why}`, {
    hint: "Set it with ENV in the Containerfile to absolute paths that only root can change.",
  });
}
