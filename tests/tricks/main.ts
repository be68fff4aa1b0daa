/**
 * Plays all tricks on all runtimes that are here, and on the first ones without each guard, and
 * writes `docs/tricks.md`. Takes an hour or so.
 *
 * Usage: deno task tricks [--only bubblewrap,docker,podman,guards] [--findings FILE]
 *
 * --only plays a part; --findings keeps what was found in a file, of which a later run takes the
 * parts that it does not play. The page is written once there are findings of all parts.
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
import type { Outcome } from "./outcome.ts";
import { TrickRange, type TrickRuntime } from "./range.ts";
import { playAll, type Skipped } from "./suite.ts";
import { tricksPage } from "./table.ts";
import type { GroupedTrick } from "./trick.ts";
import { CONTROLS, TRICKS } from "./tricks.ts";

const PAGE = new URL("../../docs/tricks.md", import.meta.url);
const ENGINES = { docker: dockerEngine, podman: podmanEngine };
const PARTS = ["bubblewrap", "docker", "podman", "guards"] as const;
type Part = typeof PARTS[number];

/** What is kept of the parts that were played. */
interface Kept {
  runtimes: Partial<Record<string, (Outcome | Skipped)[]>>;
  paidWithout: Partial<Record<Guard, string[]>>;
}

async function playParts(parts: readonly Part[], kept: Kept): Promise<void> {
  for (const part of parts) {
    if (part === "guards") await playWithoutGuards(kept);
    else kept.runtimes[part] = await play(await runtimeOf(part), [...CONTROLS, ...TRICKS], []);
  }
}

/** What needs an image is played on docker, all else on bubblewrap; bombs where they belong. */
async function playWithoutGuards(kept: Kept): Promise<void> {
  for (const guard of GUARDS) {
    const paid: string[] = [];
    for (const part of ["bubblewrap", "docker"] as const) {
      const tricks = TRICKS.filter((trick) =>
        (trick.inImages === true) === (part === "docker") && trick.deviation === undefined &&
        (trick.heavy !== true || trick.guard === guard)
      );
      const results = await play(await runtimeOf(part), tricks, [guard]);
      paid.push(...results.flatMap((r) => "isPaid" in r && r.isPaid ? [r.trick.name] : []));
    }
    kept.paidWithout[guard] = paid;
  }
}

async function runtimeOf(part: Exclude<Part, "guards">): Promise<TrickRuntime> {
  return part === "bubblewrap" ? BUBBLEWRAP : await engineRuntime(ENGINES[part]);
}

async function play(
  runtime: TrickRuntime,
  tricks: readonly GroupedTrick[],
  without: readonly Guard[],
): Promise<(Outcome | Skipped)[]> {
  await using range = await TrickRange.create(runtime);
  const where = without.length === 0 ? runtime.name : `${runtime.name} without ${without}`;
  return await playAll(range, tricks, {
    without,
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
  const names = only === undefined ? PARTS : only.split(",");
  return names.map((name) => {
    const part = PARTS.find((each) => each === name);
    if (part !== undefined) return part;
    throw new KarotteError("usage", `Cannot play "${name}": parts are ${PARTS.join(", ")}`);
  });
}

/** Returns whether every part was played, all is as it must be, and each guard is needed. */
async function finish({ runtimes, paidWithout }: Kept): Promise<boolean> {
  const found = PARTS.filter((part) => part !== "guards").flatMap((name) => {
    const results = runtimes[name];
    return results === undefined ? [] : [{ name, results }];
  });
  const isWhole = found.length === PARTS.length - 1 &&
    GUARDS.every((guard) => paidWithout[guard] !== undefined);
  if (isWhole) {
    await Deno.writeTextFile(PAGE, tricksPage(TRICKS, { runtimes: found, paidWithout }));
    await run([Deno.execPath(), "fmt", "--quiet", PAGE.pathname]);
  }
  const failures = found.flatMap(({ results }) => results.filter((each) => "failure" in each));
  const needless = GUARDS.filter((guard) => paidWithout[guard]?.length === 0);
  printLine(`${failures.length} failed; no trick pays without: ${needless.join(", ") || "-"}`);
  return failures.length + needless.length === 0;
}

if (import.meta.main) {
  const flags = parseArgs(Deno.args, { string: ["only", "findings"] });
  const [only, findings] = [flags.only, flags.findings].map((flag) =>
    typeof flag === "string" ? flag : undefined
  );
  const text = findings === undefined ? undefined : readTextIfThereSync(findings);
  const kept: Kept = text === undefined ? { runtimes: {}, paidWithout: {} } : JSON.parse(text);
  await playParts(partsOf(only), kept);
  if (findings !== undefined) await Deno.writeTextFile(findings, JSON.stringify(kept));
  Deno.exitCode = await finish(kept) ? 0 : 1;
}
