import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import type { Run } from "../../base/process.ts";
import { dockerEngine } from "./engines.ts";
import { EngineCaller } from "./caller.ts";
import { parseContainers, parseIds, removeContainers } from "./containers.ts";

const ID = "a".repeat(64);

Deno.test("parseIds() takes whole ids only", () => {
  assertEquals(parseIds(`${ID}\nWARNING: x\n\nabcdef\n`), [ID]);
});

Deno.test("parseContainers() reads what inspect shows, and does without what is missing", () => {
  const said = [{
    Id: ID,
    Name: "/karotte_run_x",
    Config: { Labels: { "karotte.run_id": "x" } },
    State: { Status: "exited", ExitCode: 137, OOMKilled: true, Error: "" },
  }, { Id: "b", Config: { Labels: null } }];
  assertEquals(parseContainers(JSON.stringify(said)), [
    {
      id: ID,
      name: "karotte_run_x",
      labels: { "karotte.run_id": "x" },
      status: "exited",
      exitCode: 137,
      outOfMemory: true,
      error: "",
    },
    { id: "b", name: "", labels: {}, status: "", exitCode: -1, outOfMemory: false, error: "" },
  ]);
});

Deno.test("removeContainers() tries each, passes over what is gone and names what stays", async () => {
  const removed: string[] = [];
  const fake: Run = (argv) => {
    const ids = argv.slice(4);
    const said = ids.length > 1
      ? 'Error: no container with name or ID "gone" found: no such container'
      : ids[0] === "gone"
      ? "Error: no such container gone"
      : ids[0] === "stuck"
      ? "Error response from daemon: device busy"
      : "";
    if (said === "") removed.push(...ids);
    const bytes = (text: string) => new TextEncoder().encode(text);
    const code = said === "" ? 0 : 1;
    return Promise.resolve({
      ...{ code, signal: null, timedOut: false },
      ...{ stdout: bytes(""), stderr: bytes(said) },
    });
  };
  const caller = new EngineCaller(dockerEngine, { run: fake });
  const containers = ["gone", "stuck", "fine"].map((id) => ({ id, name: `karotte_run_${id}` }));
  const error = await assertRejects(
    () => removeContainers(caller, containers),
    KarotteError,
    "karotte_run_stuck: ",
  );
  assertEquals(error.message.includes("device busy"), true);
  assertEquals(error.hint, "try again: docker rm --force --volumes karotte_run_stuck");
  assertEquals(removed, ["fine"]);
});
