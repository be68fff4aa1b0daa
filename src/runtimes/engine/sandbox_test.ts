import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { type Child, type Run, run, spawn } from "../../base/process.ts";
import { dockerEngine } from "./engines.ts";
import { EngineCaller } from "./caller.ts";
import { parseInformation } from "./information.ts";
import { nameContainer } from "./labels.ts";
import { EngineSandbox } from "./sandbox.ts";

const INFORMATION = parseInformation(JSON.stringify({ ServerVersion: "27.0.0" }), dockerEngine);

/** A sandbox with this client, and an engine that answers as `fake` does. */
function sandboxWith(
  child: Child,
  fake: Run,
  naming = nameContainer("r1", { keep: false }),
): EngineSandbox {
  return new EngineSandbox({
    caller: new EngineCaller(dockerEngine, { run: fake }),
    information: INFORMATION,
    child,
    naming,
    keep: false,
    folder: undefined,
    hasNetwork: false,
  });
}

function waitingClient(): Child {
  return spawn(["sleep", "60"], { stdin: "piped" });
}

Deno.test("a sandbox whose engine went away ends its client and says what may be left", async () => {
  const gone: Run = (_, options) =>
    run(["sh", "-c", 'echo "Cannot connect to the Docker daemon" >&2; exit 1'], options);
  const sandbox = sandboxWith(waitingClient(), gone);
  await sandbox.kill();
  const { cause = "" } = await sandbox.status;
  assertStringIncludes(cause, "its engine went away: ");
  assertStringIncludes(cause, "its daemon does not answer");
  const error = await assertRejects(
    () => sandbox[Symbol.asyncDispose](),
    KarotteError,
    "Cannot remove container karotte_run_r1: ",
  );
  assertEquals(error.hint, "try again: karotte clean");
});

Deno.test("a client that creates is not killed before there is a container to kill", async () => {
  const asked: string[] = [];
  const id = "b".repeat(64);
  let containers = "";
  const client = waitingClient();
  const slow: Run = (argv, options) => {
    asked.push(argv[1] ?? "");
    // Made between the second look and the third.
    if (asked.filter((each) => each === "ps").length === 2) containers = id;
    if (argv[1] === "kill") client.kill("SIGKILL");
    return run(["echo", argv[1] === "inspect" ? "[]" : containers], options);
  };
  const sandbox = sandboxWith(client, slow);
  await sandbox.kill();
  assert(asked.indexOf("kill") > asked.indexOf("ps", 1), asked.join(" "));
  assertEquals((await sandbox.status).code, 137);
  await sandbox[Symbol.asyncDispose]();
  assert(asked.includes("rm"), asked.join(" "));
});

Deno.test("a container that ended is looked at and removed with one call each", async () => {
  const asked: string[] = [];
  const naming = nameContainer("r1", { keep: false });
  const id = "c".repeat(64);
  const inspected = [{
    Id: id,
    Config: { Labels: naming.labels },
    State: { Status: "exited", ExitCode: 3 },
  }];
  const engine: Run = (argv, options) => {
    asked.push(argv.slice(1).join(" "));
    return run(["echo", argv[1] === "inspect" ? JSON.stringify(inspected) : ""], options);
  };
  const client = spawn(["sh", "-c", "exit 3"], { stdin: "piped" });
  const sandbox = sandboxWith(client, engine, naming);
  assertEquals((await sandbox.status).code, 3);
  await sandbox[Symbol.asyncDispose]();
  const expected = ["inspect --type container karotte_run_r1", `rm --force --volumes ${id}`];
  assertEquals(asked, expected);
});

Deno.test("a container that a plugin gave another name is found by its label", async () => {
  const asked: string[] = [];
  const id = "d".repeat(64);
  const inspected = [{ Id: id, Name: "/other", State: { Status: "exited", ExitCode: 0 } }];
  const engine: Run = (argv, options) => {
    asked.push(argv[1] ?? "");
    if (argv[1] === "ps") return run(["echo", id], options);
    if (argv.at(-1) === id) return run(["echo", JSON.stringify(inspected)], options);
    return run(["sh", "-c", "echo []; echo 'Error: No such container: x' >&2; exit 1"], options);
  };
  const sandbox = sandboxWith(spawn(["true"], { stdin: "piped" }), engine);
  assertEquals((await sandbox.status).code, 0);
  await sandbox[Symbol.asyncDispose]();
  assertEquals(asked, ["inspect", "ps", "inspect", "rm"]);
});
