import type { EntryPoint } from "../entry_points/entry_point.ts";
import type { FailedModule } from "./entry_collection.ts";
import { namesGroup } from "./module_text.ts";

/** What a command does about plugins that can't be loaded. */
export interface UnloadableRules {
  /**
   * `refuse`: it ends where a module may hold what nothing is done without, or where nothing can be
   * known of it. `warn`: it goes on.
   */
  readonly unloadable: "refuse" | "warn";
  /** It hands variables over to the student: one may be a secret that a plugin would have named. */
  readonly handsVariablesOver: boolean;
}

/** Why nothing is done without a plugin. */
export interface Refusal {
  readonly reason?: string;
  readonly hint: string;
}

/** What it means that a module can't be loaded. */
export interface Loss {
  /** Undefined: the command may go on. */
  readonly refusal: Refusal | undefined;
  readonly consequence: string;
  /** It may offer what was not recorded and whose loss changes what a run means. */
  readonly isUnrecorded: boolean;
}

const MEND = "mend the plugin, or leave it out: karotte plugins remove, or --no-plugins";

/** Nothing is done without it, whatever it is. */
export const NEEDED: Refusal = { hint: MEND };

const SECRET: Refusal = {
  reason: "a variable of --env may be a secret that it would keep from the student",
  hint: "mend the plugin, leave out --env, or leave out the plugin: karotte plugins remove, or " +
    "--no-plugins",
};

const UNKNOWN: Refusal = {
  reason: "what it adds is not known, and may be secrets or preprocessors",
  hint: `${MEND}; karotte plugins check, where it works, records what it adds in the lock file`,
};

/** Says why nothing is done without an entry that can't be used; undefined: it is skipped. */
export function refusalOfEntry(
  token: Pick<EntryPoint<unknown, unknown>, "isFatal" | "isFatalWithVariables">,
  { handsVariablesOver }: UnloadableRules,
): Refusal | undefined {
  if (token.isFatal === true) return NEEDED;
  return token.isFatalWithVariables === true && handsVariablesOver ? SECRET : undefined;
}

/**
 * Says what it means that a module can't be loaded, by what it is known to have offered, and by
 * what its text says now. What was recorded is out of date, or nobody would have tried to load it:
 * where packages may have a part in what it offers now, that is not known.
 */
export async function lossOf(
  { past, text }: Pick<FailedModule, "past" | "text">,
  rules: UnloadableRules,
): Promise<Loss> {
  const { ALL_ENTRY_POINTS } = await import("../entry_points/all.ts");
  const said = await text();
  const lost = ALL_ENTRY_POINTS.filter(({ group }) =>
    past?.groups[group] !== undefined || namesGroup(said, group)
  );
  const isKnown = past === undefined ? lost.length > 0 && !said.hasMore : !said.isMixed;
  const consequences = lost.flatMap(({ whenSkipped }) => whenSkipped ?? []);
  return {
    refusal: refusalOfModule(lost, isKnown, rules),
    consequence: ["whatever it adds is missing", ...consequences].join("; "),
    isUnrecorded: lost.some(({ group, whenSkipped }) =>
      whenSkipped !== undefined && past?.groups[group] === undefined
    ),
  };
}

function refusalOfModule(
  lost: readonly EntryPoint<unknown, unknown>[],
  isKnown: boolean,
  rules: UnloadableRules,
): Refusal | undefined {
  const refuses = rules.unloadable === "refuse";
  const fatal = lost.find(({ isFatal }) => isFatal);
  if (refuses && fatal !== undefined) {
    return { ...NEEDED, reason: `it has entries of ${fatal.group}` };
  }
  if (refuses && !isKnown) return UNKNOWN;
  return lost.flatMap((token) => refusalOfEntry({ ...token, isFatal: false }, rules) ?? [])[0];
}
