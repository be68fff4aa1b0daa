import { assertEquals, assertStringIncludes } from "@std/assert";
import { dockerEngine } from "../../src/runtimes/engine/engines.ts";
import { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import { disturb } from "../cli/disturb.ts";
import { bashScript, probeTask } from "../cli/environment.ts";
import { karotte } from "../cli/karotte.ts";
import { engineHere, engineTest } from "../conformance/engine_here.ts";
import { engineEnvironment } from "./environment.ts";
import { ownDockerd } from "./own_dockerd.ts";

/** Registers the tests of what daemons do to runs: one of the tests' own, never the machine's. */
export async function testDaemonFaults(): Promise<void> {
  const here = await engineHere(dockerEngine);

  engineTest(here, "a daemon that ends, or has no addresses left, fails runs by name", async () => {
    await using daemon = await ownDockerd(here.caller.variables);
    const own = new EngineCaller(dockerEngine, { variables: daemon.variables });
    await using environment = await engineEnvironment({ ...here, caller: own }, {
      "fake_model.ts": bashScript("echo first", "echo second; sleep 600"),
      "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
    });
    await environment.writeContainerfile("");
    const options = { cwd: environment.path, env: daemon.variables };
    const left = () => own.ask("list", ["ps", "--all", "--quiet"]);
    const args = ["run", "--runtime", "docker", "--task", "probe", "--fake-model", "--run-id"];
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const { code, stderr } = await disturb([...args, signal], options, {
        until: ["stderr", "sleep 600"],
        meanwhile: () => daemon.stop(signal),
      });
      assertEquals(code, 1, stderr);
      const clean =
        `Cannot clean up after the run: Cannot remove container karotte_run_${signal}: `;
      assertStringIncludes(stderr, clean);
      assertStringIncludes(stderr, "(try again: karotte clean)\n");
      const events = await environment.events(signal);
      const [error, end] = events.slice(-2);
      assertStringIncludes(
        error?.type === "error" ? error.message : "",
        'The sandbox died while it ran tool "bash": its engine went away: ',
      );
      assertEquals(end?.type, "task_completed");
      assertEquals(events.filter(({ type }) => type === "tool_call_completed").length, 1);

      await daemon.start();
      assertEquals((await left()).trim().split("\n").length, 1);
      const cleaned = await karotte(["clean"], options);
      assertStringIncludes(cleaned.stdout, "docker: removed what 1 run(s) left\n");
      assertEquals(await left(), "");
    }

    // It has one network's addresses, and somebody has taken them.
    await environment.write("fake_model.ts", bashScript("echo first"));
    await own.ask("make a network", ["network", "create", "--internal", "taken"]);
    const many = await environment.karotte(
      "run",
      ...args.slice(3),
      "full",
      "--network",
      "internal",
    );
    assertEquals(many.code, 1, many.stderr);
    assertStringIncludes(many.stderr, "it has no network addresses left");
    const [error] = (await environment.events("full")).slice(-2);
    assertStringIncludes(error?.type === "error" ? error.message : "", "docker network prune");
    await own.ask("remove it", ["network", "rm", "taken"]);
    assertEquals(
      (await environment.karotte("run", ...args.slice(3), "fits", "--network", "internal")).code,
      0,
    );
    assertEquals(await left(), "");
    const networks = await own.ask("list", ["network", "ls", "--format", "{{.Name}}"]);
    assertEquals(networks.trim().split("\n").sort(), ["host", "none"]);
  });
}
