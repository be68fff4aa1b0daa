import { STUDENT_DATA } from "../../protocol/layout.ts";

/** The variables that each process of the student has besides the image's and the run's. */
const BASE: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
};
/** Karotte's own, whatever the image says. */
const OWN: Readonly<Record<string, string>> = {
  KAROTTE_CONTAINERIZED: "1",
  KAROTTE_WORKDIR: "/workdir",
};

/**
 * Returns the student's variables: a listed few, the image's without Karotte's, and the run's; none
 * that is withheld.
 */
export function studentVariables({ image, run, withheld }: {
  readonly image: Readonly<Record<string, string>>;
  readonly run: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
}): Record<string, string> {
  const ofImage = Object.entries(image).filter(([name]) => !name.startsWith("KAROTTE_"));
  const names = new Set(withheld);
  const seen = [...Object.entries(BASE), ...ofImage, ...Object.entries({ ...OWN, ...run })]
    .filter(([name]) => !names.has(name));
  return withSafeData(Object.fromEntries(seen));
}

/**
 * Lets git work in the student's data folder, which is root's so that it can't be moved; git
 * refuses a repository in a folder of somebody else. Root's git is not told: it goes on refusing
 * one that the student may have written.
 */
function withSafeData(variables: Readonly<Record<string, string>>): Record<string, string> {
  const count = variables.GIT_CONFIG_COUNT ?? "0";
  // What git would refuse itself is left to it.
  if (!/^\d+$/.test(count)) return { ...variables };
  return {
    ...variables,
    GIT_CONFIG_COUNT: String(Number(count) + 1),
    [`GIT_CONFIG_KEY_${Number(count)}`]: "safe.directory",
    [`GIT_CONFIG_VALUE_${Number(count)}`]: STUDENT_DATA,
  };
}
