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
  return Object.fromEntries(
    [...Object.entries(BASE), ...ofImage, ...Object.entries({ ...OWN, ...run })]
      .filter(([name]) => !names.has(name)),
  );
}
