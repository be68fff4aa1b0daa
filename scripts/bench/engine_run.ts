import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { dockerEngine } from "../../src/runtimes/engine/engines.ts";
import { BASE_IMAGE, engineHere } from "../../tests/conformance/engine_here.ts";
import { removeImages } from "../../tests/engines/environment.ts";
import type { Measured } from "./measured.ts";
import { median, significant, spread, timesOf } from "./samples.ts";
import { failure, successful } from "./successful.ts";

/** What a run may take, in terms of the engine's own start and removal of a container. */
const FACTOR = 2.5;
const EXTRA_SECONDS = 0.3;
const ENGINE_RUN = ["docker", "run", "--rm", BASE_IMAGE, "true"];

/**
 * A whole `karotte run` of the default template's example on docker; the image is there already.
 */
export async function measureEngineRun(signal: AbortSignal): Promise<Measured> {
  const what = "karotte run of the example on docker, scripted model, warm image";
  const here = await engineHere(dockerEngine);
  if (here.missing !== undefined) return { what, reason: here.missing };
  await using dir = await tempDir();
  const cwd = `${dir.path}/environment ${crypto.randomUUID().slice(0, 8)}`;
  await successful(["create-env", cwd], { cwd: dir.path });
  await Deno.writeTextFile(`${cwd}/Containerfile`, `FROM ${BASE_IMAGE}\n`);
  const args = ["run", "--task", "example_task", "--fake-model", "--runtime", "docker"];
  try {
    const bodies = [() => successful(args, { cwd }), startAndRemove];
    const times = await timesOf(bodies, { rounds: 9, signal });
    const [ours = [], theirs = []] = times.map((ofOne) => ofOne.map((time) => time / 1000));
    const engine = median(theirs);
    return {
      what,
      value: median(ours),
      unit: "s",
      target: FACTOR * engine + EXTRA_SECONDS,
      detail: `${spread(ours, "s")}; ${ENGINE_RUN.slice(0, 3).join(" ")} IMAGE true: ${
        significant(engine)
      } s`,
    };
  } finally {
    await removeImages(here, cwd);
  }
}

async function startAndRemove(): Promise<void> {
  const { code, stderr } = await run(ENGINE_RUN);
  if (code === 0) return;
  const said = { code, stdout: "", stderr: new TextDecoder().decode(stderr) };
  throw failure(ENGINE_RUN.join(" "), said);
}
