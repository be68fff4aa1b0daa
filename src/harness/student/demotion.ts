import { KarotteError } from "../../base/errors.ts";
import { isFileSync } from "../../base/files.ts";

/** The folders of programs that root starts; never the PATH of the student. */
const TRUSTED_DIRECTORIES = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/**
 * The start of an argv that gives up root for good: the student's ids, no other group, no
 * capability, none to be had again. The program to run follows. Throws a `KarotteError` if
 * `setpriv` is missing.
 */
export function demotion(ids: { uid: number; gid: number }): string[] {
  return [
    trustedProgram("setpriv", 'install "util-linux" in the image'),
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    "--clear-groups",
    "--no-new-privs",
    "--inh-caps=-all",
    "--bounding-set=-all",
    "--",
  ];
}

/** Returns the absolute path of a program. Throws a `KarotteError` with `hint` if there is none. */
export function trustedProgram(name: string, hint: string): string {
  for (const directory of TRUSTED_DIRECTORIES) {
    const path = `${directory}/${name}`;
    if (isFileSync(path)) return path;
  }
  throw new KarotteError("runtime", `Cannot find "${name}": not in ${TRUSTED_DIRECTORIES}`, {
    hint,
  });
}
