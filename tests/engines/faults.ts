import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { tempDir } from "../../src/base/temp_dir.ts";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import { disturb } from "../cli/disturb.ts";
import { bashResults, bashScript, probeTask } from "../cli/environment.ts";
import { karotte } from "../cli/karotte.ts";
import { ALIKE, engineHere, engineTest } from "../conformance/engine_here.ts";
import { containersOf, newRunId } from "../conformance/engine_lab.ts";
import { engineEnvironment } from "./environment.ts";

const RUN = ["run", "--task", "probe", "--fake-model", "--run-id"];

/** Registers the tests of what can go wrong around a run on one engine. */
export async function testFaults(engine: Engine): Promise<void> {
  const here = await engineHere(engine);
  const { caller } = here;

  engineTest(
    here,
    "an image that is removed before its run, and a run that is killed",
    async () => {
      await using environment = await engineEnvironment(here, {
        "fake_model.ts": bashScript("echo first", "echo second; sleep 600"),
        "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
      });
      await environment.writeContainerfile("");
      await using dir = await tempDir();
      await Deno.writeTextFile(`${dir.path}/${engine.command[0]}`, REMOVES_IMAGE, { mode: 0o755 });
      const path = `${dir.path}:${Deno.env.get("PATH")}`;
      const [gone, killed] = [newRunId(), newRunId()];
      const args = [...RUN, gone, "--runtime", engine.name];
      const without = await karotte(args, {
        cwd: environment.path,
        env: { ...caller.variables, PATH: path },
      });
      assertEquals(without.code, 1, without.stderr);
      assertMatch(
        errorOf(await environment.events(gone)),
        /^Cannot start the sandbox with \w+: the image is not there: .*karotte build/,
      );
      assertEquals(await containersOf(caller, gone), []);

      const options = { cwd: environment.path, env: caller.variables };
      const { code, stderr } = await disturb([...RUN, killed, "--runtime", engine.name], options, {
        until: ["stderr", "sleep 600"],
        meanwhile: async () => void await caller.ask("kill", ["kill", `karotte_run_${killed}`]),
      });
      assertEquals(code, 1, stderr);
      const events = await environment.events(killed);
      assertMatch(errorOf(events), /died while it ran tool "bash": it was killed.*SIGKILL/);
      assertEquals(bashResults(events).length, 1);
      assertEquals(await containersOf(caller, killed), []);
    },
  );

  engineTest(
    here,
    "a full disk is told to the student, and is an error of the run elsewhere",
    async () => {
      await using environment = await engineEnvironment(here, {
        "fake_model.ts": bashScript("head -c 9000000 /dev/zero > big || rm big", "echo still here"),
        "tasks/probe.ts": probeTask("new Hoarder()", {
          before: `
        class Hoarder extends Judge {
          override async evaluate(_transcript, { store }) {
            await store.write("hoard", "x".repeat(9_000_000));
            return scoring(1);
          }
        }`,
        }),
        "/karotte.plugins.json": `{ "plugins": ["./small.ts"] }`,
        "/small.ts": `
        import { definePlugin } from "@karotte/cli/sdk";
        const tmpfs = (path) => ["--tmpfs", path + ":size=1m,mode=1777"];
        const small = () => [...tmpfs("/workdir"), ...tmpfs("/var/lib/karotte")];
        export default definePlugin({
          name: "small",
          entryPoints: { "karotte.container_run_args": { small } },
        });`,
      });
      await environment.writeContainerfile("");
      const { code, stderr } = await environment.karotte(...RUN, "full");
      assertEquals(code, 1, stderr);
      const events = await environment.events("full");
      const [full, after] = bashResults(events).map((result) => JSON.stringify(result));
      assertStringIncludes(full ?? "", "No space left on device");
      assertStringIncludes(after ?? "", "still here");
      assertMatch(errorOf(events), /No space left on device/);
      assert(!events.some(({ type }) => type === "scoring"), "it was scored");
    },
    ALIKE,
  );
}

/** An engine's client that removes the image of a container before it starts it. */
const REMOVES_IMAGE = `#!/bin/sh
PATH=\${PATH#*:}
if [ "$1" = run ]; then
  for image; do :; done
  \${0##*/} image rm --force "$image" >/dev/null </dev/null
fi
exec \${0##*/} "$@"
`;

/** The message of the event before the last, which is the end. */
function errorOf(events: readonly TranscriptEvent[]): string {
  const [error, end] = events.slice(-2);
  assertEquals(end?.type, "task_completed");
  return error?.type === "error" ? error.message : "";
}
