import { assertEquals, assertStringIncludes } from "@std/assert";
import { run } from "../../src/base/process.ts";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { probeTask } from "../cli/environment.ts";
import { ROOT, textOf } from "../cli/karotte.ts";
import { ALIKE, engineHere, engineTest } from "../conformance/engine_here.ts";
import { engineEnvironment } from "./environment.ts";

/** As `sh scripts/deno run`, for a script of these tests. */
const DENO = ["sh", `${ROOT}scripts/deno`, "run", "--allow-all", "--no-check", "--quiet"];

/** Registers the test of images for machines that this program does not fit, on one engine. */
export async function testOtherPlatform(engine: Engine): Promise<void> {
  const here = await engineHere(engine);
  const { caller } = here;

  engineTest(
    here,
    "where this program does not fit, an image gets a Deno and the bundle",
    async () => {
      await using environment = await engineEnvironment(here, {
        "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
      });
      await environment.writeContainerfile("");
      const script = new URL("foreign_image.ts", import.meta.url).pathname;
      const built = await run([...DENO, script, environment.path, engine.name], {
        env: {
          ...caller.variables,
          KAROTTE_DENO: Deno.execPath(),
          KAROTTE_CACHE: `${ROOT}node_modules/.karotte/test_cache`,
        },
      });
      assertEquals(built.code, 0, textOf(built.stderr));
      const id = textOf(built.stdout).trim();
      const start = ["run", "--rm", "--network", "none"];
      const deno = [...start, "--entrypoint", "/opt/karotte/bin/deno", id, "--version"];
      assertStringIncludes(await caller.ask("start it", deno), `deno ${Deno.version.deno}`);
      // Without a host the harness has nobody to run for.
      const { code, stderr } = await caller.call([...start, "--interactive", id], { stdin: "" });
      assertEquals([code, textOf(stderr)], [1, ""]);
    },
    ALIKE,
  );
}
