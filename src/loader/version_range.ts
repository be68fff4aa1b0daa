/**
 * Whether a version is in a range as npm and JSR write them: exact, `^`, `~`, comparisons, partial
 * versions and `x`, joined by spaces and `||`. A range it can't read is satisfied by nothing. Own
 * code since the package `semver` would be one more dependency for these lines; pre-releases are
 * not told from their release.
 */
export function satisfies(version: string, range: string): boolean {
  const actual = parse(version);
  if (actual === undefined) return false;
  return range.split("||").some((part) => {
    // `>= 1` and `>=1` are the same.
    const comparators = part.trim().replace(/([<>=^~])\s+/g, "$1").split(/\s+/);
    return comparators.every((comparator) => holds(actual, comparator));
  });
}

type Numbers = readonly [major: number, minor?: number, patch?: number];

function holds(actual: Numbers, comparator: string): boolean {
  if (/^[v=]*[*xX]?$/.test(comparator)) return true;
  const match = /^([<>]=?|\^|~|=)?(.+)$/.exec(comparator);
  const wanted = parse(match?.[2] ?? "");
  if (wanted === undefined) return false;
  switch (match?.[1]) {
    case ">=":
      return compare(actual, wanted) >= 0;
    case "<":
      return compare(actual, wanted) < 0;
    case ">":
      return compare(actual, next(wanted, wanted.length - 1)) >= 0;
    case "<=":
      return compare(actual, next(wanted, wanted.length - 1)) < 0;
    case "^":
      return isBetween(actual, wanted, caretPosition(wanted));
    case "~":
      return isBetween(actual, wanted, Math.min(1, wanted.length - 1));
    default:
      return isBetween(actual, wanted, wanted.length - 1);
  }
}

function parse(text: string): Numbers | undefined {
  const match = /^[v=]*(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.?[xX*])*(?:[-+][\w.+-]*)?$/.exec(text);
  if (match === null) return undefined;
  const [major, minor, patch] = match.slice(1).filter(Boolean).map(Number);
  if (major === undefined) return undefined;
  if (minor === undefined) return [major];
  return patch === undefined ? [major, minor] : [major, minor, patch];
}

/** `^` allows changes to the right of the leftmost number that is not zero. */
function caretPosition(wanted: Numbers): number {
  const position = wanted.findIndex((number) => number !== 0);
  return position === -1 ? wanted.length - 1 : position;
}

function isBetween(actual: Numbers, lowest: Numbers, position: number): boolean {
  return compare(actual, lowest) >= 0 && compare(actual, next(lowest, position)) < 0;
}

/** The first version that differs at `position`. */
function next(version: Numbers, position: number): Numbers {
  const [major, minor = 0, patch = 0] = version;
  if (position === 0) return [major + 1];
  return position === 1 ? [major, minor + 1] : [major, minor, patch + 1];
}

function compare(a: Numbers, b: Numbers): number {
  return a[0] - b[0] || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0);
}
