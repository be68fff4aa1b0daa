import { KarotteError } from "../../base/errors.ts";
import { warn } from "../../base/log.ts";
import { isRedactable, NOT_REDACTABLE } from "../../records/redactor.ts";

/** The variables of a run's sandbox, and which of them its student must not see. */
export interface RunVariables {
  /** By name. */
  readonly values: Readonly<Record<string, string>>;
  /** Names of those that the student must not see, whether they are set or not. */
  readonly withheld: readonly string[];
  /** The values of the withheld ones, which are taken out of everything recorded. */
  readonly secrets: readonly string[];
}

/** Variables that decide how root's programs in the sandbox load, or that Karotte sets there. */
const REFUSED =
  /^(LD_.*|DENO_.*|NODE_OPTIONS|BASH_ENV|ENV|PATH|KAROTTE_(CONTAINERIZED|DEMOTE_ID|SANDBOX|WORKDIR))$/;

/**
 * Returns what `--env NAME=VALUE` and `--env NAME` (the caller's own value) amount to. Throws a
 * usage error for a bad name, a variable that is not set, or one that Karotte sets itself.
 */
export function runVariables(
  specs: readonly string[],
  withheld: Iterable<string>,
  readVariable: (name: string) => string | undefined = (name) => Deno.env.get(name),
): RunVariables {
  const values = Object.fromEntries(specs.map((spec) => variable(spec, readVariable)));
  const names = [...new Set(withheld)].sort();
  const given = names.filter((name) => Object.hasOwn(values, name));
  for (const name of given) {
    if (!isRedactable(values[name] ?? "")) warn(`the value of ${name} ${NOT_REDACTABLE}`);
  }
  return { values, withheld: names, secrets: given.map((name) => values[name] ?? "") };
}

function variable(
  spec: string,
  readVariable: (name: string) => string | undefined,
): [name: string, value: string] {
  const at = spec.indexOf("=");
  const name = at < 0 ? spec : spec.slice(0, at);
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new KarotteError("usage", `Cannot use --env "${name}": no name of a variable`, {
      hint: "--env takes NAME=VALUE, or NAME for a variable that is set here",
    });
  }
  if (REFUSED.test(name)) {
    throw new KarotteError("usage", `Cannot use --env "${name}": Karotte sets it itself`, {
      hint: "set it in a tool or a judge, for the program that needs it",
    });
  }
  const value = at < 0 ? readVariable(name) : spec.slice(at + 1);
  if (value === undefined) {
    throw new KarotteError("usage", `Cannot use --env "${name}": it is not set here`, {
      hint: `set it, or give its value: --env ${name}=VALUE`,
    });
  }
  return [name, value];
}
