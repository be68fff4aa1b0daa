import { KarotteError } from "../../src/base/errors.ts";
import { dockerEngine, podmanEngine } from "../../src/runtimes/engine/engines.ts";
import { testUnless } from "../support/whole.ts";
import { type Behaviour, leavesOut, type Variation } from "./behaviour.ts";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import { type EngineInformation, readInformation } from "../../src/runtimes/engine/information.ts";

/** What `scripts/engines.sh` loads into each engine. */
export const BASE_IMAGE = "localhost/karotte-test-base:bookworm";

/** Set in the inner runs of these tests, on a daemon that looks as if it were elsewhere. */
export const ELSEWHERE_VARIABLE = "KAROTTE_TEST_ELSEWHERE";

/** For tests of what is on every engine as it is on docker. */
export const ALIKE = { differs: [] } as const;

/** An engine as the tests call it, and whether they can. */
export interface EngineHere {
  readonly caller: EngineCaller;
  /** What it says about itself, if it can be asked. */
  readonly information: EngineInformation | undefined;
  /** Why it can't be tested here; undefined: it can. */
  readonly missing: string | undefined;
  /** `KAROTTE_ENGINES` names it: its absence is a failure. */
  readonly wanted: boolean;
  /** In what it varies what is tried whole here. */
  readonly variation: Variation | undefined;
}

export async function engineHere(engine: Engine): Promise<EngineHere> {
  const caller = new EngineCaller(engine, { variables: configuration() });
  const names = (Deno.env.get("KAROTTE_ENGINES") ?? "").split(",").map((name) => name.trim());
  const found = await lookAt(caller);
  const variation = await variationOf(engine);
  return { caller, wanted: names.includes(engine.name), variation, ...found };
}

/**
 * A test that is visibly ignored where the engine is absent, unless it has to be there, and left
 * out on a variation of what is tried whole if it is said to be alike there.
 */
export function engineTest(
  here: EngineHere,
  name: string,
  fn: (test: Deno.TestContext) => Promise<void>,
  { differs }: Pick<Behaviour, "differs"> = { differs: ["remote", "product"] },
): void {
  const { caller, missing, wanted, variation } = here;
  const shown = `${caller.engine.name}: ${name}`;
  if (missing === undefined) {
    return testUnless(leavesOut({ differs: differs ?? [] }, variation), shown, fn);
  }
  if (!wanted) return Deno.test({ name: `${shown} (ignored: ${missing})`, ignore: true, fn });
  Deno.test(shown, () => {
    throw new Error(`KAROTTE_ENGINES names ${caller.engine.name}: ${missing}`);
  });
}

/** Docker is tried whole, and podman where there is no docker. */
async function variationOf(engine: Engine): Promise<Variation | undefined> {
  if (Deno.env.get(ELSEWHERE_VARIABLE) === "1") return "remote";
  if (engine.name !== podmanEngine.name) return undefined;
  const docker = new EngineCaller(dockerEngine, { variables: {} });
  return (await lookAt(docker)).missing === undefined ? "product" : undefined;
}

async function lookAt(caller: EngineCaller): Promise<Pick<EngineHere, "information" | "missing">> {
  const { name } = caller.engine;
  let information: EngineInformation | undefined;
  try {
    information = await readInformation(caller);
  } catch (error) {
    if (error instanceof KarotteError) return { information, missing: error.message };
    throw error;
  }
  if (information === undefined) return { information, missing: `${name} is not installed` };
  const { code } = await caller.call(["image", "inspect", BASE_IMAGE]);
  const missing = code === 0 ? undefined : `no base image: run sh scripts/engines.sh ${name}`;
  return { information, missing };
}

/** Where podman does not work as it comes, `scripts/engines.sh` wrote how it does. */
function configuration(): Record<string, string> {
  const home = Deno.env.get("HOME") ?? "";
  const cache = Deno.env.get("XDG_CACHE_HOME") || `${home}/.cache`;
  const tools = Deno.env.get("KAROTTE_TOOLS") || `${cache}/karotte/tools`;
  const file = `${tools}/engines/containers.conf`;
  try {
    Deno.statSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
  return { CONTAINERS_CONF: file };
}
