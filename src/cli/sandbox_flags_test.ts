import { assertEquals, assertRejects } from "@std/assert";
import { flagsOfSandbox, sandboxWishes } from "./sandbox_flags.ts";

const NONE = {
  ...{ runtime: undefined, mount: [], network: undefined, dev: undefined, nParallel: 1 },
  ...{ prepareOnly: undefined, keepContainers: undefined },
};

Deno.test("sandboxWishes() reads the flags, and has a value for each that is not given", async () => {
  assertEquals(await sandboxWishes(NONE, "/"), {
    ...{ runtime: undefined, mounts: [], network: "none", keep: false, dev: false },
    prepareOnly: false,
  });
  const given = { ...NONE, runtime: "docker", mount: ["x:/y"], keepContainers: true, dev: false };
  assertEquals(await sandboxWishes({ ...given, network: "open" }, "/a"), {
    ...{ runtime: "docker", network: "open", keep: true, dev: false, prepareOnly: false },
    mounts: [{ source: "/a/x", target: "/y", readOnly: false }],
  });
  const bad = () => sandboxWishes({ ...NONE, network: "host" }, "/");
  await assertRejects(bad, Error, 'Cannot use --network "host": there is no such network');
});

Deno.test("flagsOfSandbox() lists what was given, in the words of the command line", () => {
  assertEquals(flagsOfSandbox({ ...NONE, dev: false }), []);
  const all = { runtime: "x", mount: ["a:/b"], network: "none", dev: true, prepareOnly: true };
  assertEquals(flagsOfSandbox({ ...all, nParallel: 2, keepContainers: true }), [
    ...["-n", "--runtime", "--mount", "--network", "--dev", "--prepare-only"],
    "--keep-containers",
  ]);
});
