import { assertEquals, assertRejects } from "@std/assert";
import { parseArguments } from "./parse_arguments.ts";
import { flagsOfSandbox, sandboxFlags, sandboxWishes } from "./sandbox_flags.ts";

/** The flags of a command line, and how many runs there are. */
function given(args: readonly string[], nParallel = 1) {
  const { flags } = parseArguments(args, { description: "", flags: sandboxFlags }, "karotte run");
  // What parseArguments establishes from the same declaration.
  return { ...(flags as Parameters<typeof sandboxWishes>[0]), nParallel };
}

Deno.test("sandboxWishes() reads the flags, and has a value for each that is not given", async () => {
  const none = { runtime: undefined, mounts: [], keep: false, dev: false, prepareOnly: false };
  const wished = await sandboxWishes(given([]), "/");
  assertEquals({ ...wished, ...none, network: "none" }, wished);
  const args = ["--runtime", "docker", "--mount", "x:/y", "--keep-containers", "--network", "open"];
  const some = await sandboxWishes(given([...args, "--no-dev"]), "/a");
  const mounts = [{ source: "/a/x", target: "/y", readOnly: false }];
  assertEquals(some, { ...wished, runtime: "docker", network: "open", keep: true, mounts });
  const bad = () => sandboxWishes(given(["--network", "host"]), "/");
  await assertRejects(bad, Error, 'Cannot use --network "host": there is no such network');
});

Deno.test("flagsOfSandbox() lists what was given, in the words of the command line", () => {
  assertEquals(flagsOfSandbox(given(["--no-dev"])), []);
  const args = ["--keep-containers", "--dev", "--mount", "a:/b", "--prepare-only"];
  assertEquals(flagsOfSandbox(given([...args, "--runtime", "x", "--network", "none"], 2)), [
    ...["-n", "--runtime", "--mount", "--network", "--dev", "--prepare-only"],
    "--keep-containers",
  ]);
});
