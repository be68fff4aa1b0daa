/**
 * Plays all tricks on all runtimes that are here, and on the first ones without each guard, and
 * writes `docs/tricks.md`. Takes an hour or so.
 *
 * Usage: deno task tricks [--list] [--only bubblewrap,docker,podman,guards] [--groups links,shell]
 *     [--minutes N] [--findings FILE]
 *
 * --only and --groups play a part; after --minutes of a part (of a guard, too) no trick begins;
 * --findings keeps what was found in a file, after each part, of which a later run takes what it
 * does not play (`--only ""` plays nothing and writes the page). The page says what was not played.
 */
import { parseArgs } from "@std/cli";
import { KarotteError } from "../../src/base/errors.ts";
import { readTextIfThereSync } from "../../src/base/files.ts";
import { printLine } from "../../src/base/log.ts";
import { run } from "../../src/base/process.ts";
import { type Guard, GUARDS } from "../../src/protocol/guards.ts";
import { dockerEngine, podmanEngine } from "../../src/runtimes/engine/engines.ts";
import { BUBBLEWRAP } from "./bubblewrap.ts";
import { engineRuntime } from "./engine.ts";
import { type GuardFindings, type RuntimeFindings, withLater } from "./findings.ts";
import type { Outcome } from "./outcome.ts";
import { TrickRange, type TrickRuntime } from "./range.ts";
import { playAll, type Skipped } from "./suite.ts";
import { tricksPage, withList } from "./table.ts";
import type { GroupedTrick } from "./trick.ts";
import { CONTROLS, TRICKS } from "./tricks.ts";

const PAGE = new URL("../../docs/tricks.md", import.meta.url);
const ENGINES = { docker: dockerEngine, podman: podmanEngine };
const PARTS = ["bubblewrap", "docker", "podman", "guards"] as const;
type Part = typeof PARTS[number];
const NAMES: ReadonlySet<string> = new Set([...CONTROLS, ...TRICKS].map(({ name }) => name));

/** What is kept of the parts that were played. */
interface Kept {
  runtimes: Record<string, RuntimeFindings>;
  guards: Partial<Record<Guard, GuardFindings>>;
}

/** Which tricks are played, for how long, and where what was found is kept. */
interface Playing {
  readonly isAsked: (trick: GroupedTrick) => boolean;
  /** Milliseconds of a part after which no trick begins. */
  readonly timeMs: number;
  readonly keep: (kept: Kept) => Promise<void>;
}

async function playParts(
  parts: readonly Part[],
  playing: Playing,
  kept: Kept,
): Promise<void> {
  for (const part of parts) {
    if (part === "guards") {
      await playWithoutGuards(playing, kept);
      continue;
    }
    const tricks = [...CONTROLS, ...TRICKS.filter(playing.isAsked)];
    const results = await play({ part, tricks, without: [], until: untilOf(playing) });
    const found = { name: part, date: today(), results };
    kept.runtimes[part] = withLater(kept.runtimes[part], found, NAMES);
    await playing.keep(kept);
  }
}

/**
 * What needs an image is played on docker, all else on bubblewrap; bombs where they belong; what
 * the guard is against first.
 */
async function playWithoutGuards(playing: Playing, kept: Kept): Promise<void> {
  for (const guard of GUARDS) {
    const until = untilOf(playing);
    const results: (Outcome | Skipped)[] = [];
    for (const part of ["docker", "bubblewrap"] as const) {
      const tricks = TRICKS.filter((trick) =>
        playing.isAsked(trick) && (trick.inImages === true) === (part === "docker") &&
        trick.deviation === undefined && (trick.heavy !== true || trick.guard === guard)
      );
      const ordered = tricks.toSorted((a, b) =>
        Number(b.guard === guard) - Number(a.guard === guard)
      );
      results.push(...await play({ part, tricks: ordered, without: [guard], until }));
    }
    const played = results.flatMap((result) => "skipped" in result ? [] : [result]);
    kept.guards[guard] = {
      date: today(),
      played: played.length,
      paid: played.flatMap(({ isPaid, trick }) => isPaid ? [trick.name] : []),
    };
    await playing.keep(kept);
  }
}

function untilOf({ timeMs }: Playing): number {
  return performance.now() + timeMs;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function runtimeOf(part: Exclude<Part, "guards">): Promise<TrickRuntime> {
  return part === "bubblewrap" ? BUBBLEWRAP : await engineRuntime(ENGINES[part]);
}

interface PartPlay {
  readonly part: Exclude<Part, "guards">;
  readonly tricks: readonly GroupedTrick[];
  readonly without: readonly Guard[];
  readonly until: number;
}

async function play(
  { part, tricks, without, until }: PartPlay,
): Promise<(Outcome | Skipped)[]> {
  if (tricks.length === 0) return [];
  await using range = await TrickRange.create(await runtimeOf(part));
  const where = without.length === 0 ? part : `${part} without ${without}`;
  return await playAll(range, tricks, {
    without,
    isOver: () => performance.now() > until,
    onOutcome: ({ trick, isPaid, failure, seconds }) => {
      const came = isPaid ? "PAYS" : failure === undefined ? "ok" : "FAILS";
      printLine(
        `${where}: ${came}: ${trick.name}, ${Math.round(seconds)} s ${failure?.slice(0, 300) ?? ""}`
          .trimEnd(),
      );
    },
  });
}

function partsOf(only: string | undefined): Part[] {
  const names = only === undefined ? PARTS : only.split(",").filter(Boolean);
  return names.map((name) => {
    const part = PARTS.find((each) => each === name);
    if (part !== undefined) return part;
    throw new KarotteError("usage", `Cannot play "${name}": parts are ${PARTS.join(", ")}`);
  });
}

/** Writes the page; returns whether all that was played is as it must be. */
async function finish({ runtimes, guards }: Kept): Promise<boolean> {
  const found = PARTS.flatMap((part) => runtimes[part] ?? []);
  await writePage(tricksPage(TRICKS, { runtimes: found, guards }));
  const failures = found.flatMap(({ results }) => results.filter((each) => "failure" in each));
  const needless = GUARDS.filter((guard) => guards[guard]?.paid.length === 0);
  printLine(`${failures.length} failed; no trick pays without: ${needless.join(", ") || "-"}`);
  return failures.length + needless.length === 0;
}

async function writePage(page: string): Promise<void> {
  await Deno.writeTextFile(PAGE, page);
  await run([Deno.execPath(), "fmt", "--quiet", PAGE.pathname]);
}

/** What an earlier run left in a file. */
function keptIn(file: string | undefined): Kept {
  const text = file === undefined ? undefined : readTextIfThereSync(file);
  return text === undefined ? { runtimes: {}, guards: {} } : JSON.parse(text);
}

async function main(): Promise<void> {
  const flags = parseArgs(Deno.args, {
    boolean: ["list"],
    string: ["only", "groups", "minutes", "findings"],
  });
  if (flags.list === true) return await writePage(withList(await Deno.readTextFile(PAGE), TRICKS));
  const textOf = (flag: unknown) => typeof flag === "string" ? flag : undefined;
  const [only, file] = [textOf(flags.only), textOf(flags.findings)];
  const groups = textOf(flags.groups)?.split(",");
  const kept = keptIn(file);
  const playing: Playing = {
    isAsked: ({ group }) => groups === undefined || groups.includes(group),
    timeMs: Number(textOf(flags.minutes) ?? Infinity) * 60_000,
    keep: async (found) => {
      if (file !== undefined) await Deno.writeTextFile(file, JSON.stringify(found));
    },
  };
  await playParts(partsOf(only), playing, kept);
  Deno.exitCode = await finish(kept) ? 0 : 1;
}

if (import.meta.main) await main();
