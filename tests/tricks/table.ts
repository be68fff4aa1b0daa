import { type Guard, GUARDS } from "../../src/protocol/guards.ts";
import type { Outcome } from "./outcome.ts";
import type { Skipped } from "./suite.ts";
import type { GroupedTrick } from "./trick.ts";

/** What was found on one runtime, with all guards. */
export interface RuntimeFindings {
  readonly name: string;
  readonly results: readonly (Outcome | Skipped)[];
}

/** What a whole run of the suite found. */
export interface Findings {
  readonly runtimes: readonly RuntimeFindings[];
  /** The names of tricks that paid without a guard. */
  readonly paidWithout: Readonly<Partial<Record<Guard, readonly string[]>>>;
}

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
  const { runtimes, paidWithout } = findings;
  const groups = Map.groupBy(tricks, ({ group }) => group);
  const deviations = tricks.flatMap(({ name, deviation }) =>
    deviation === undefined ? [] : [`- \`${name}\`: ${deviation}.`]
  );
  return `# Tricks

${tricks.length} tricks of a scripted student, of \`tests/tricks/\`, are played on every runtime. Each
earns nothing, an honest answer in the same environment earns its score, and none ends as an error or
hangs. Written by \`deno task tricks\`, which plays all of them; the tests play a sample.

## Runtimes

${
    table(
      ["runtime", "played", "paid or failed", "left out"],
      runtimes.map(({ name, results }) => {
        const played = results.filter((result) => !("skipped" in result));
        const bad = played.filter((result) => "failure" in result);
        return [name, `${played.length}`, named(bad), skippedText(results)];
      }),
    )
  }

## Guards

Tricks that pay on bubblewrap, or on docker where they need an image, as soon as the one guard is
switched off (\`KAROTTE_TEST_WITHOUT\`).

${
    table(
      ["guard", "what it does", "pay without it", "which"],
      GUARDS.map((guard) => {
        const names = paidWithout[guard] ?? [];
        return [`\`${guard}\``, PURPOSES[guard], `${names.length}`, codes(names)];
      }),
    )
  }

## Groups

${
    table(
      ["group", "tricks", "which"],
      [...groups].map(([group, members]) => [
        group.replaceAll("_", " "),
        `${members.length}`,
        codes(members.map(({ name }) => name)),
      ]),
    )
  }
${deviations.length === 0 ? "" : `\n## What still pays\n\n${deviations.join("\n")}\n`}`;
}

function codes(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map((name) => `\`${name}\``).join(", ");
}

function named(results: readonly (Outcome | Skipped)[]): string {
  return codes(results.map(({ trick }) => trick.name));
}

function skippedText(results: readonly (Outcome | Skipped)[]): string {
  const reasons = new Map<string, number>();
  for (const result of results) {
    if ("skipped" in result) reasons.set(result.skipped, (reasons.get(result.skipped) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => `${count}: ${reason}`).join("; ") || "none";
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
