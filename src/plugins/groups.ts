/** Returns the group as the tokens call it: `karotte.x` for `x`, `chalk.x` and `karotte.x`. */
export function canonicalGroup(group: string): string {
  return `karotte.${group.replace(/^(karotte|chalk)\./, "")}`;
}

/** Returns all ways to write a group: `karotte.x`, `chalk.x` and `x`. */
export function spellingsOf(group: string): string[] {
  const name = bareName(group);
  return [`karotte.${name}`, `chalk.${name}`, name];
}

/** A group as it is written, and where. */
export interface WrittenGroup {
  readonly written: string;
  readonly place: string;
}

/** Says what to tell about each group that this version does not have. */
export async function unknownGroups(groups: readonly WrittenGroup[]): Promise<string[]> {
  if (groups.length === 0) return [];
  const [{ ALL_ENTRY_POINTS }, { didYouMean }] = await Promise.all([
    import("../entry_points/all.ts"),
    import("../base/did_you_mean.ts"),
  ]);
  const known: readonly string[] = ALL_ENTRY_POINTS.map((token) => token.group);
  return groups.filter(({ written }) => !known.includes(canonicalGroup(written))).map(
    ({ written, place }) => {
      // Without the prefix, which may be the slip, and would hide how much the rest differs.
      const guess = didYouMean(bareName(written), known.map(bareName));
      const hint = guess === undefined
        ? `there are ${known.join(", ")}`
        : `did you mean "karotte.${guess}"?`;
      return `${place}: unknown entry point "${written}", ignored; ${hint}`;
    },
  );
}

/** Returns a group without whatever prefix it has. */
export function bareName(group: string): string {
  return group.replace(/^[^.]*\./, "");
}
