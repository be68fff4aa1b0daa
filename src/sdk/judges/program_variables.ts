import { type TempDir, tempDir } from "../../base/temp_dir.ts";
import { isGuardOn } from "../../protocol/guards.ts";
import type { RunContext } from "../run_context.ts";

/** The options of a judge that say which variables its program has. */
export interface ProgramVariables {
  readonly env?: Readonly<Record<string, string>>;
  readonly inherit?: readonly string[];
}

/**
 * Returns a program's variables besides those of this process, which in a sandbox are listed ones.
 */
export function programVariables(
  { env = {}, inherit = [] }: ProgramVariables,
  { variables }: RunContext,
): Record<string, string> {
  const inherited = Object.entries(variables).filter(([name]) => inherit.includes(name));
  return { ...Object.fromEntries(inherited), ...env };
}

/**
 * Returns what a program may have missed of the image, in one line that says what to set;
 * undefined: it had all.
 */
export function variablesHint(
  { env = {}, inherit = [] }: ProgramVariables,
  { variables }: RunContext,
): string | undefined {
  const has = (name: string) =>
    inherit.includes(name) || Object.hasOwn(env, name) || Deno.env.has(name);
  const missed = Object.keys(variables).filter((name) => !has(name)).sort();
  const path = env.PATH ?? (inherit.includes("PATH") ? variables.PATH : Deno.env.get("PATH"));
  const kept = new Set(foldersOf(path));
  const leftOut = foldersOf(variables.PATH).filter((folder) => !kept.has(folder));
  const hints = [
    ...(missed.length === 0 ? [] : [`name in inherit what it needs of ${missed.join(", ")}`]),
    ...(leftOut.length === 0
      ? []
      : [`its PATH is without ${leftOut.join(", ")}, which others than root can change`]),
  ];
  return hints.length === 0 ? undefined : hints.join("; ");
}

function foldersOf(path = ""): string[] {
  return path.split(":").filter((folder) => folder !== "");
}

/**
 * Makes the folder for a program's temporary files: in the harness's own, or beside the verdict
 * where the student has filled the disk that it is on. Undefined: the guard is off.
 */
export async function temporaryFolder(verdicts: TempDir): Promise<TempDir | undefined> {
  if (!isGuardOn("allow_list")) return undefined;
  try {
    return await tempDir("karotte-judge-");
  } catch {
    return await tempDir("tmp-", verdicts.path);
  }
}
