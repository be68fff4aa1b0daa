import type { Engine } from "../../src/runtimes/engine/record.ts";
import { ALIKE, BASE_IMAGE, engineHere, engineTest } from "../conformance/engine_here.ts";
import { removeImages } from "../engines/environment.ts";
import type { TrickRuntime } from "./range.ts";
import { testTricks } from "./registered.ts";

/** An engine as tricks are played on it. */
export async function engineRuntime(engine: Engine): Promise<TrickRuntime> {
  const { caller } = await engineHere(engine);
  return {
    name: engine.name,
    variables: caller.variables,
    baseImage: BASE_IMAGE,
    removeImages: (path) => removeImages({ caller }, path),
  };
}

/** Registers the tricks on an engine. */
export async function testTricksOn(engine: Engine): Promise<void> {
  const here = await engineHere(engine);
  const runtime = await engineRuntime(engine);
  const name = "tricks earn nothing, and honest answers their score";
  engineTest(here, name, (test) => testTricks(test, { runtime, count: 3 }), ALIKE);
}
