import { KarotteError, messageOf } from "../base/errors.ts";
import type { ImageStore } from "../runtimes/image_store.ts";
import type { Runtime, RuntimeInfo } from "../runtimes/runtime.ts";
import {
  DEFAULTS,
  DEFAULTS_WITH_DEVICES,
  namesOfRuntimes,
  runtimeNamed,
} from "../runtimes/runtimes.ts";
import { passthroughRefusal, refuseUnable, type SandboxWishes } from "../runtimes/wishes.ts";

/** The runtime of a command. */
export interface RuntimeChoice {
  readonly runtime: Runtime;
  readonly info: RuntimeInfo;
  /** Which one and why, in one line for the user. */
  readonly told: string;
}

/** What a run needs of its runtime. */
export interface RuntimeNeeds {
  /** Whether an image can be made; without one no runtime that needs one is chosen by default. */
  readonly image: boolean;
  readonly wishes: SandboxWishes;
}

/** Names the runtime where no flag does. */
const VARIABLE = "KAROTTE_RUNTIME";

/**
 * Chooses the runtime of this name, or the first of the defaults that works, once it is called with
 * what is needed; with devices that are handed through it is docker and no other. Until then the
 * likely one has time to say what it is. Throws a usage error for a name that is none, and for
 * wishes that the chosen one can't fulfil; the choice throws a runtime error with every reason if
 * none works, and one that is named is never replaced by another.
 */
export function runtimeChooser(
  name: string | undefined,
): (needs: RuntimeNeeds) => Promise<RuntimeChoice> {
  const named = name ?? (Deno.env.get(VARIABLE) || undefined);
  const candidates = (named === undefined ? DEFAULTS : [named]).map(runtimeNamed);
  const [first] = candidates;
  // Asked again, it answers the same.
  if (first?.images !== undefined) first.probe().catch(() => {});
  return async (needs) =>
    named === undefined || first === undefined
      ? await firstThatWorks(candidates, needs)
      : await namedRuntime(first, needs, name === undefined);
}

async function firstThatWorks(
  defaults: readonly Runtime[],
  needs: RuntimeNeeds,
): Promise<RuntimeChoice> {
  const { passthrough } = needs.wishes;
  const candidates = defaults.filter(({ name }) =>
    passthrough === undefined || DEFAULTS_WITH_DEVICES.includes(name)
  );
  const reasons: string[] = [];
  for (const runtime of candidates) {
    const found = await probed(runtime, needs);
    if (typeof found !== "string") {
      refuseUnable(needs.wishes, runtime.abilities, runtime.name);
      const others = reasons.length === 0 ? "the first choice" : reasons.join("; ");
      return {
        runtime,
        info: found,
        told: `runtime: ${runtime.name} ${found.version} (${others})`,
      };
    }
    reasons.push(`${runtime.name}: ${found}`);
  }
  if (passthrough !== undefined) {
    const only = DEFAULTS_WITH_DEVICES.join(", ");
    const why = `hardware "${passthrough}" is passed through, and ${only} does not work here`;
    const others = namesOfRuntimes(({ abilities }) => abilities.passthrough);
    throw new KarotteError("runtime", `Cannot choose a runtime: ${why}`, {
      hint: `${reasons.join("; ")}; no other is taken unless you name it: --runtime ${others}`,
    });
  }
  throw new KarotteError("runtime", `Cannot choose a runtime: none works here`, {
    hint: reasons.join("; "),
  });
}

/** Chooses the images of the runtime of this name, or of the first default that works. */
export async function chooseImages(name: string | undefined): Promise<ImageStore> {
  const wishes: SandboxWishes = {
    ...{ runtime: name, mounts: [], network: "none", keep: false, dev: false, prepareOnly: false },
  };
  const { runtime, told } = await runtimeChooser(name)({ image: true, wishes });
  if (runtime.images !== undefined) return runtime.images;
  const engines = namesOfRuntimes(({ images }) => images !== undefined);
  throw new KarotteError("runtime", "Cannot build an image without a container engine", {
    hint: `${told}. Engines: ${engines}`,
  });
}

async function namedRuntime(
  runtime: Runtime,
  { wishes }: RuntimeNeeds,
  byVariable: boolean,
): Promise<RuntimeChoice> {
  const { name, abilities, setUp } = runtime;
  refuseUnable(wishes, abilities, name);
  const info = await runtime.probe();
  if (info === undefined) {
    throw new KarotteError("runtime", `Cannot use runtime "${name}": it is not installed`, {
      hint: setUp,
    });
  }
  const why = byVariable ? `named by ${VARIABLE}` : "named by --runtime";
  return { runtime, info, told: `runtime: ${name} ${info.version} (${why})` };
}

/** Returns what the probe says, or why the runtime is not for this run. */
async function probed(
  runtime: Runtime,
  { image, wishes }: RuntimeNeeds,
): Promise<RuntimeInfo | string> {
  const { abilities } = runtime;
  const refusal = passthroughRefusal(wishes, abilities);
  if (refusal !== undefined) return refusal;
  if (abilities.content === "image" && !image) return "the environment has no Containerfile";
  try {
    return await runtime.probe() ?? "not installed";
  } catch (error) {
    return messageOf(error);
  }
}
