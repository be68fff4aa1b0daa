/** What a process of the student finds in its environment beside the run's own variables. */
const BASE: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  KAROTTE_CONTAINERIZED: "1",
  KAROTTE_WORKDIR: "/workdir",
};

/** The student's variables: a listed few and the run's, without what plugins declare secret. */
export function studentEnvironment(
  environment: Readonly<Record<string, string>>,
  secretNames: readonly string[],
): Record<string, string> {
  const withheld = new Set(secretNames);
  return Object.fromEntries(
    Object.entries({ ...BASE, ...environment }).filter(([name]) => !withheld.has(name)),
  );
}
