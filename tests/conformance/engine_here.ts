import { KarotteError } from "../../src/base/errors.ts";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import { type EngineInformation, readInformation } from "../../src/runtimes/engine/information.ts";

/** What `scripts/engines.sh` loads into each engine. */
export const BASE_IMAGE = "localhost/karotte-test-base:bookworm";

/** An engine as the tests call it, and whether they can. */
export interface EngineHere {
  readonly caller: EngineCaller;
  /** What it says about itself, if it can be asked. */
  readonly information: EngineInformation | undefined;
  /** Why it can't be tested here; undefined: it can. */
  readonly missing: string | undefined;
  /** `KAROTTE_ENGINES` names it: its absence is a failure. */
  readonly wanted: boolean;
}

export async function engineHere(engine: Engine): Promise<EngineHere> {
  const caller = new EngineCaller(engine, { environment: configuration() });
  const names = (Deno.env.get("KAROTTE_ENGINES") ?? "").split(",").map((name) => name.trim());
  return { caller, wanted: names.includes(engine.name), ...await lookAt(caller) };
}

/** A test that is visibly ignored where the engine is absent, unless it has to be there. */
export function engineTest(here: EngineHere, name: string, fn: () => Promise<void>): void {
  const { caller, missing, wanted } = here;
  const shown = `${caller.engine.name}: ${name}`;
  if (missing === undefined) return Deno.test(shown, fn);
  if (!wanted) return Deno.test({ name: `${shown} (ignored: ${missing})`, ignore: true, fn });
  Deno.test(shown, () => {
    throw new Error(`KAROTTE_ENGINES names ${caller.engine.name}: ${missing}`);
  });
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
