import { KarotteError } from "../base/errors.ts";

/** Signs that would break the one-line places where the name is shown. */
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Throws a `KarotteError` for a folder name that an environment can't have. */
export function checkEnvironmentName(name: string): void {
  const action = `Cannot create environment ${JSON.stringify(name)}`;
  if (name.startsWith("-")) {
    throw new KarotteError("usage", `${action}: its name begins with "-"`, {
      hint: "Programs would take it for an option; choose another name.",
    });
  }
  if (CONTROL.test(name)) {
    throw new KarotteError("usage", `${action}: its name has control characters`, {
      hint: "Use letters, digits, '-', '_' and '.'.",
    });
  }
}

/** A name for `deno.json` that is close to the folder's: a-z, 0-9 and inner hyphens. */
export function packageName(environmentName: string): string {
  const name = environmentName
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name === "" ? "environment" : name;
}
