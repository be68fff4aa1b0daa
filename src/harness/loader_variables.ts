import { KarotteError } from "../base/errors.ts";
import { changeablePlace } from "./trusted_path.ts";

/** Variables that say where programs and libraries of root's processes are found. */
const VARIABLES = ["PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT"];

/**
 * Throws if one of the image's variables for the loader has a part that depends on the current
 * folder, or a library path that somebody else than root can put a library at. Of its PATH, which
 * the student gets whole, root's programs get no such part.
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
      const open = await changeablePlace(part);
      if (open !== undefined) throw refused(name, part, `others than root can change "${open}"`);
    }
  }
}

function refused(name: string, part: string, why: string): KarotteError {
  return new KarotteError("usage", `Cannot use the image's ${name}: it has "${part}", ${why}`, {
    hint: "Set it with ENV in the Containerfile to absolute paths that only root can change.",
  });
}
