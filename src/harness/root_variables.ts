import { isGuardOn } from "../protocol/guards.ts";
import { STATE_DIRECTORY } from "../protocol/layout.ts";
import { installAsStudent } from "./as_student/install.ts";
import type { Variables } from "./image_variables.ts";
import type { HarnessStudent } from "./student/student.ts";
import { trustedPath } from "./trusted_path.ts";

/** Where programs are found if the image names no folder that is root's alone. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/**
 * Variables that this program itself needs, as do scripts that it runs: its cache, which is root's,
 * how it prints, and, in a container without a host, the way to the models and the backend.
 */
const OF_THE_PROGRAM =
  /^(DENO_(DIR|NO_UPDATE_CHECK|CERT|TLS_CA_STORE)|NO_COLOR|CHALK_BACKEND_TOKEN_PATH)$/;
const PROXIES = /^(https?|no|all)_proxy$/i;
const OF_THE_HARNESS = [/^KAROTTE_/, OF_THE_PROGRAM, PROXIES];
/** Variables that Karotte, some runtime, or Deno itself, gives the first program. */
const SANDBOXS = /^(DENO_.*|PATH|HOME|LANG|LC_ALL|HOSTNAME|TERM|container|PWD|OLDPWD|SHLVL|_)$/;

/** The variables that a run has to do with. */
export interface VariableSources {
  /** What this process was started with. */
  readonly inherited: Variables;
  /** What the image sets. */
  readonly image: Variables;
  /** What `--env` gives. */
  readonly run: Variables;
  /** The names that the student must not see. */
  readonly withheld: readonly string[];
}

/**
 * Returns all variables of root's programs: judges, hooks and what they start. Nothing that the
 * image or `--env` sets is among them but a PATH without what the student could write, and the
 * withheld names, which are there for these programs: a folder of the student's in any other would
 * have root run the student's code.
 */
export async function rootVariables(
  { inherited, image, run, withheld }: VariableSources,
  own: { readonly temporaryFolder: string; readonly asStudent: string },
): Promise<Record<string, string>> {
  const names = new Set(withheld);
  const given = Object.entries({ ...inherited, ...image, ...run });
  const path = await trustedPath(image.PATH ?? inherited.PATH ?? DEFAULT_PATH);
  return {
    ...Object.fromEntries(given.filter(([name]) => names.has(name))),
    ...select(inherited, (name) => OF_THE_HARNESS.some((each) => each.test(name))),
    PATH: path === "" ? await trustedPath(DEFAULT_PATH) : path,
    HOME: "/root",
    LANG: "C.UTF-8",
    TMPDIR: own.temporaryFolder,
    // From 3.11 on: neither the current folder nor that of a script's user is searched for modules.
    PYTHONSAFEPATH: "1",
    PYTHONNOUSERSITE: "1",
    KAROTTE_AS_STUDENT: own.asStudent,
  };
}

/** Returns the variables that hooks and judges get as data, and that `inherit` takes from. */
export function variablesAsData(
  { inherited, image, run, withheld }: VariableSources,
): Record<string, string> {
  const names = new Set(withheld);
  const others = select(
    inherited,
    (name) => ![...OF_THE_HARNESS, SANDBOXS].some((each) => each.test(name)),
  );
  return select({ ...others, ...image, ...run }, (name) => !names.has(name));
}

/**
 * Gives this process, and all that it starts from now on, the variables of root's programs and no
 * others. Call it before anything of the environment is loaded.
 */
export async function giveRootVariables(
  sources: VariableSources,
  student: HarnessStudent,
): Promise<void> {
  const asStudent = await installAsStudent(`${STATE_DIRECTORY}/as_student`, student);
  if (!isGuardOn("allow_list")) {
    replaceVariables({ ...sources.inherited, ...sources.run, KAROTTE_AS_STUDENT: asStudent });
    return;
  }
  const temporaryFolder = `${STATE_DIRECTORY}/tmp`;
  await Deno.mkdir(temporaryFolder, { mode: 0o700 });
  replaceVariables(await rootVariables(sources, { temporaryFolder, asStudent }));
}

function replaceVariables(variables: Variables): void {
  for (const name of Object.keys(Deno.env.toObject())) {
    if (!Object.hasOwn(variables, name)) Deno.env.delete(name);
  }
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
}

function select(variables: Variables, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isWanted(name)));
}
