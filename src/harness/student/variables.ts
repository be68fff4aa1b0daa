/** The variables that each process of the student has beside the run's own. */
const BASE: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  KAROTTE_CONTAINERIZED: "1",
  KAROTTE_WORKDIR: "/workdir",
};

/** Returns the student's variables: a listed few and the run's, without those that are withheld. */
export function studentVariables(
  variables: Readonly<Record<string, string>>,
  withheld: readonly string[],
): Record<string, string> {
  const names = new Set(withheld);
  return Object.fromEntries(
    Object.entries({ ...BASE, ...variables }).filter(([name]) => !names.has(name)),
  );
}
