import { type Guard, GUARDS } from "../../src/protocol/guards.ts";
import type { Findings } from "./findings.ts";
import type { Outcome } from "./outcome.ts";
import type { Skipped } from "./suite.ts";
import type { GroupedTrick } from "./trick.ts";

const PURPOSES: Readonly<Record<Guard, string>> = {
  kill: "the student's processes end before it is scored",
  links: "its links into root's places are found",
  submission: "submissions are collected with its rights",
  allow_list: "root's programs get listed variables only",
  filter: "system calls that no task needs are refused",
  fence: "each part that a rubric shows has a fence of its own",
  regex: "patterns are searched in what the student said",
};

/** Returns `docs/tricks.md`. */
export function tricksPage(tricks: readonly GroupedTrick[], findings: Findings): string {
  return `# Tricks

${countText(tricks)} of \`tests/tricks/\`. Each must earn nothing, an honest
answer in the same environment must earn its score, and none may end as an error or hang. What came
of them is below; it is written by \`deno task tricks\`, which plays all of them. The tests play a
sample.

## Runtimes

${runtimesTable(tricks, findings)}

As it must be: the trick earned nothing, and neither failed nor hung; an honest answer earned 1.
What was added to the suite after that day was not played.

${deviationsText(findings)}## Guards

Tricks that pay on bubblewrap, or on docker where they need an image, as soon as the one guard is
switched off (\`KAROTTE_TEST_WITHOUT\`). Known deviations are not played here, and what takes all of
the machine only without the guard against it. Those that the guard is meant for are played first,
and where fewer were played than the suite has, the rest was left out for time.

${guardsTable(findings)}

${groupsText(tricks)}`;
}

/** Returns an earlier page with the list of tricks as it is now; what was played stays. */
export function withList(page: string, tricks: readonly GroupedTrick[]): string {
  const start = page.indexOf(GROUPS_TITLE);
  const counted = /^[0-9]+ tricks of a scripted student,/m;
  if (start < 0 || !counted.test(page)) throw new Error("the page of tricks has no list");
  return page.slice(0, start).replace(counted, countText(tricks)) + groupsText(tricks);
}

const GROUPS_TITLE = "## Groups";

function countText(tricks: readonly GroupedTrick[]): string {
  return `${tricks.length} tricks of a scripted student,`;
}

function groupsText(tricks: readonly GroupedTrick[]): string {
  const rows = [...Map.groupBy(tricks, ({ group }) => group)].map(([group, members]) => [
    group.replaceAll("_", " "),
    `${members.length}`,
    codes(members.map(({ name }) => name)),
  ]);
  return `${GROUPS_TITLE}\n\n${table(["group", "tricks", "which"], rows)}\n`;
}

function runtimesTable(tricks: readonly GroupedTrick[], { runtimes }: Findings): string {
  return table(
    ["runtime", "played on", "played", "as it must be", "known deviations", "failed", "left out"],
    runtimes.map(({ name, date, results }) => {
      const played = results.flatMap((result) => "skipped" in result ? [] : [result]);
      const bad = played.filter(({ failure }) => failure !== undefined);
      const known = deviating(played);
      const good = played.length - bad.length - known.length;
      return [
        name,
        date,
        `${played.length}`,
        `${good}`,
        codes(known.map(({ trick }) => trick.name)),
        codes(bad.map(({ trick }) => trick.name)),
        leftOutText(tricks, results),
      ];
    }),
  );
}

/** What is known to come otherwise, as long as it does. */
function deviating(played: readonly Outcome[]): Outcome[] {
  return played.filter(({ trick, failure }) =>
    trick.deviation !== undefined && failure === undefined
  );
}

/** What each known deviation is, with the reason; nothing where there is none. */
function deviationsText({ runtimes }: Findings): string {
  const lines = new Map<string, string[]>();
  for (const { name, results } of runtimes) {
    for (const outcome of deviating(results.flatMap((r) => "skipped" in r ? [] : [r]))) {
      const { trick, isPaid } = outcome;
      const line = `\`${trick.name}\` ${isPaid ? "pays" : "does not pay, but"}: ${trick.deviation}`;
      lines.set(line, [...lines.get(line) ?? [], name]);
    }
  }
  if (lines.size === 0) return "";
  const items = [...lines].map(([line, names]) => `- ${line} (${names.join(", ")}).`);
  return `## Known deviations\n\n${items.join("\n")}\n\n`;
}

function guardsTable({ guards }: Findings): string {
  return table(
    ["guard", "what it does", "played on", "played", "pay without it", "which"],
    GUARDS.map((guard) => {
      const found = guards[guard];
      const name = `\`${guard}\``;
      if (found === undefined) return [name, PURPOSES[guard], "not played", "0", "", ""];
      const { date, played, paid } = found;
      return [name, PURPOSES[guard], date, `${played}`, `${paid.length}`, codes(paid)];
    }),
  );
}

function codes(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map((name) => `\`${name}\``).join(", ");
}

/** What a runtime lacks something for, and what was not played on it. */
function leftOutText(
  tricks: readonly GroupedTrick[],
  results: readonly (Outcome | Skipped)[],
): string {
  const reasons = new Map<string, string[]>();
  const add = (reason: string, name: string) =>
    reasons.set(reason, [...reasons.get(reason) ?? [], name]);
  for (const result of results) {
    if ("skipped" in result) add(result.skipped, result.trick.name);
  }
  const seen = new Set(results.map(({ trick }) => trick.name));
  for (const { name } of tricks) if (!seen.has(name)) add("not played", name);
  return [...reasons].map(([reason, names]) => `${reason}: ${codes(names)}`).join("; ") || "none";
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
