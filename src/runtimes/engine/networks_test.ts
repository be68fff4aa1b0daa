import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import type { Run } from "../../base/process.ts";
import { dockerEngine } from "./engines.ts";
import { EngineCaller } from "./caller.ts";
import { nameContainer } from "./labels.ts";
import { createNetworkArguments, parseNetworks, removeNetworks } from "./networks.ts";

Deno.test("a network is named and labelled as its container", () => {
  const naming = nameContainer("r1", { keep: false });
  const args = createNetworkArguments(naming, ["--disable-dns"]);
  assertEquals(args.slice(0, 5), [
    "network",
    "create",
    "--internal",
    "--label",
    "karotte.run_id=r1",
  ]);
  assertEquals(args.slice(-2), ["--disable-dns", "karotte_run_r1"]);
});

Deno.test("parseNetworks() reads docker's and podman's JSON", () => {
  const docker = [{ Name: "n", Labels: { a: "b" }, Containers: {} }];
  const podman = [{ name: "n", labels: { a: "b" } }, { name: "m" }];
  assertEquals(parseNetworks(JSON.stringify(docker)), [{ name: "n", labels: { a: "b" } }]);
  assertEquals(parseNetworks(JSON.stringify(podman)), [
    { name: "n", labels: { a: "b" } },
    { name: "m", labels: {} },
  ]);
});

Deno.test("removeNetworks() detaches, passes over what is gone and names what stays", async () => {
  const id = "a".repeat(64);
  const calls: string[] = [];
  const bytes = (text: string) => new TextEncoder().encode(text);
  const fake: Run = (argv) => {
    const [, ...args] = argv;
    calls.push(args.join(" "));
    const said = args[1] !== "rm"
      ? ""
      : args[2] === "gone"
      ? "Error response from daemon: network gone not found"
      : args[2] === "stuck"
      ? "Error response from daemon: device busy"
      : "";
    return Promise.resolve({
      ...{ code: said === "" ? 0 : 1, signal: null, timedOut: false, stderr: bytes(said) },
      stdout: bytes(args[0] === "ps" && args.at(-1) === "network=fine" ? `${id}\n` : ""),
    });
  };
  const caller = new EngineCaller(dockerEngine, { run: fake });
  const error = await assertRejects(
    () => removeNetworks(caller, ["gone", "stuck", "fine"]),
    KarotteError,
    "Cannot remove network stuck: ",
  );
  assertEquals(error.hint, "try again: docker network rm stuck");
  assertEquals(calls.slice(-2), [`network disconnect --force fine ${id}`, "network rm fine"]);
});
