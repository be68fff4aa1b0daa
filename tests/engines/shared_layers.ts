import { probeTask, testEnvironment } from "../cli/environment.ts";
import { karotte } from "../cli/karotte.ts";
import { BASE_IMAGE, type EngineHere } from "../conformance/engine_here.ts";
import { removeImages } from "./environment.ts";

/**
 * Keeps the layer with Karotte's program in an engine's cache while this file's tests run: each of
 * their images has it, and copying it takes longer than all the others.
 */
export function shareLayers(here: EngineHere): void {
  if (here.missing !== undefined) return;
  const resources = new AsyncDisposableStack();
  Deno.test.beforeAll(async () => {
    const environment = resources.use(
      await testEnvironment({
        "/Containerfile": `FROM ${BASE_IMAGE}\n`,
        "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
      }),
    );
    resources.defer(() => removeImages(here, environment.path));
    const { code, stderr } = await karotte(["build", "--runtime", here.caller.engine.name], {
      cwd: environment.path,
      env: here.caller.variables,
    });
    if (code !== 0) throw new Error(stderr);
  });
  Deno.test.afterAll(() => resources.disposeAsync());
}
