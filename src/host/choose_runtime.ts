import { KarotteError, messageOf } from "../base/errors.ts";
import type { Engine } from "../runtimes/engine.ts";
import type { Runtime, RuntimeInfo } from "../runtimes/runtime.ts";
import { DEFAULTS, runtimeNamed, RUNTIMES } from "../runtimes/runtimes.ts";

/** The runtime of a command. */
export interface RuntimeChoice {
  readonly runtime: Runtime;
  /** What builds its images; undefined: it needs none. */
  readonly engine: Engine | undefined;
  /** Which one and why, in one line for the user. */
  readonly told: string;
}

export interface RuntimeNeeds {
  /** Whether an image can be made; without one no engine is chosen by default. */
  readonly image: boolean;
  /** The name of the hardware whose devices are handed through; undefined: there is none. */
  readonly passthrough: string | undefined;
}

interface Candidate {
  readonly runtime: Runtime;
  readonly engine: Engine | undefined;
  readonly setUp: string;
}

/** Names the runtime where no flag does. */
const VARIABLE = "KAROTTE_RUNTIME";

/**
 * Chooses the runtime of this name, or the first of docker, podman and bubblewrap that works, once
 * it is called with what is needed. Until then the likely engine has time to say what it is. Throws
 * a usage error for a name that is none; the choice throws a runtime error with every reason if none
 * works, and one that is named is never replaced by another.
 */
export function runtimeChooser(
  name: string | undefined,
): (needs: RuntimeNeeds) => Promise<RuntimeChoice> {
  const named = name ?? (Deno.env.get(VARIABLE) || undefined);
  const candidates = (named === undefined ? DEFAULTS : [named]).map(candidateOf);
  const [first] = candidates;
  // Asked again, it answers the same.
  if (first?.engine !== undefined) first.runtime.probe().catch(() => {});
  return async (needs) =>
    named === undefined || first === undefined
      ? await firstThatWorks(candidates, needs)
      : await namedRuntime(first, needs, name === undefined);
}

async function firstThatWorks(
  candidates: readonly Candidate[],
  needs: RuntimeNeeds,
): Promise<RuntimeChoice> {
  const reasons: string[] = [];
  for (const candidate of candidates) {
    const { runtime, engine } = candidate;
    const found = await probed(candidate, needs);
    if (typeof found !== "string") {
      const others = reasons.length === 0 ? "the first choice" : reasons.join("; ");
      return { runtime, engine, told: `runtime: ${runtime.name} ${found.version} (${others})` };
    }
    reasons.push(`${runtime.name}: ${found}`);
  }
  throw new KarotteError("runtime", `Cannot choose a runtime: none works here`, {
    hint: reasons.join("; "),
  });
}

/** The engine of this name, or the first of docker and podman that works. */
export async function chooseEngine(name: string | undefined): Promise<Engine> {
  const { engine, told } = await runtimeChooser(name)({ image: true, passthrough: undefined });
  if (engine !== undefined) return engine;
  const engines = RUNTIMES.filter((each) => each.engine !== undefined).map((each) => each.name);
  throw new KarotteError("runtime", "Cannot build an image without a container engine", {
    hint: `${told}. Engines: ${engines.join(", ")}`,
  });
}

async function namedRuntime(
  candidate: Candidate,
  needs: RuntimeNeeds,
  byVariable: boolean,
): Promise<RuntimeChoice> {
  const { runtime, engine } = candidate;
  const { name } = runtime;
  const refusal = refusalOf(candidate, needs);
  if (refusal !== undefined) {
    throw new KarotteError("runtime", `Cannot run on "${name}": ${refusal}`, {
      hint: "Devices are passed through by container engines: use --runtime docker.",
    });
  }
  const info = await runtime.probe();
  if (info === undefined) {
    throw new KarotteError("runtime", `Cannot use runtime "${name}": it is not installed`, {
      hint: candidate.setUp,
    });
  }
  const why = byVariable ? `named by ${VARIABLE}` : "named by --runtime";
  return { runtime, engine, told: `runtime: ${name} ${info.version} (${why})` };
}

/** What the probe says, or why the runtime is not for this run. */
async function probed(candidate: Candidate, needs: RuntimeNeeds): Promise<RuntimeInfo | string> {
  const refusal = refusalOf(candidate, needs);
  if (refusal !== undefined) return refusal;
  if (candidate.engine !== undefined && !needs.image) return "the environment has no Containerfile";
  try {
    return await candidate.runtime.probe() ?? "not installed";
  } catch (error) {
    return messageOf(error);
  }
}

function refusalOf({ engine }: Candidate, { passthrough }: RuntimeNeeds): string | undefined {
  if (passthrough === undefined || engine !== undefined) return undefined;
  return `hardware "${passthrough}" is passed through`;
}

function candidateOf(name: string): Candidate {
  const { engine, setUp, make } = runtimeNamed(name);
  return { runtime: make(), engine, setUp };
}
