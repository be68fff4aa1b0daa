import { KarotteError } from "../../base/errors.ts";
import { warn } from "../../base/log.ts";
import { isRedactable, NOT_REDACTABLE } from "../../records/redactor.ts";

/** Variables for a run's sandbox, and which of them its student must not see. */
export interface RunEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
  /** Values of the withheld ones, to be taken out of everything recorded. */
  readonly secrets: readonly string[];
}

/** Variables that decide how root's programs in the sandbox are loaded, or that Karotte sets there. */
const REFUSED =
  /^(LD_.*|DENO_.*|NODE_OPTIONS|BASH_ENV|ENV|PATH|KAROTTE_(CONTAINERIZED|DEMOTE_ID|SANDBOX|WORKDIR))$/;

/**
 * What `--env NAME=VALUE` and `--env NAME` (the caller's own value) amount to. Throws a usage error
 * for a bad name, a variable that is not set, or one that Karotte sets itself.
 */
export function runEnvironment(
  specs: readonly string[],
  secretNames: Iterable<string>,
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
): RunEnvironment {
  const variables = Object.fromEntries(specs.map((spec) => variable(spec, env)));
  const withheld = [...new Set(secretNames)].sort();
  const secrets = withheld.flatMap((name) => Object.hasOwn(variables, name) ? [name] : []);
  for (const name of secrets) {
    if (!isRedactable(variables[name] ?? "")) warn(`the value of ${name} ${NOT_REDACTABLE}`);
  }
  return { variables, withheld, secrets: secrets.map((name) => variables[name] ?? "") };
}

function variable(
  spec: string,
  env: (name: string) => string | undefined,
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
  const value = at < 0 ? env(name) : spec.slice(at + 1);
  if (value === undefined) {
    throw new KarotteError("usage", `Cannot use --env "${name}": it is not set here`, {
      hint: `set it, or give its value: --env ${name}=VALUE`,
    });
  }
  return [name, value];
}
