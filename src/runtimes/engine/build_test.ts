import { assertEquals, assertRejects } from "@std/assert";
import type { Run, RunResult } from "../../base/process.ts";
import { buildArgv, buildImage, checkBuilder } from "./build.ts";
import { EngineCaller } from "./caller.ts";
import { dockerEngine, podmanEngine } from "./engines.ts";
import type { Engine } from "./record.ts";

const PODMAN: Engine = { ...podmanEngine, command: ["podman", "--remote"] };
const REQUEST = {
  context: "/env",
  file: "/env/Containerfile",
  tags: ["karotte/env:0a"],
  network: true,
  own: false,
};

function result(code: number): RunResult {
  const none = new Uint8Array();
  return { code, signal: null, timedOut: false, stdout: none, stderr: none };
}

function docker(run: Run): EngineCaller {
  return new EngineCaller(dockerEngine, { run });
}

Deno.test("the argv of a build", () => {
  assertEquals(
    buildArgv(PODMAN, {
      ...REQUEST,
      secrets: ["id=a,src=/a"],
      cacheFrom: ["r/c"],
      cacheTo: ["r/c"],
    }, "/tmp/id").join(" "),
    "podman --remote build --secret id=a,src=/a --cache-from r/c --cache-to r/c " +
      "--tag karotte/env:0a --iidfile /tmp/id --file /env/Containerfile /env",
  );
  assertEquals(
    buildArgv(dockerEngine, { ...REQUEST, network: false, own: true }, "/tmp/id").slice(1, 5),
    ["build", "--force-rm", "--network", "none"],
  );
});

Deno.test("a build gives the image's id, or nothing where a step failed", async () => {
  let buildKit: string | undefined;
  const build: Run = async (argv, { env } = {}) => {
    buildKit = env?.DOCKER_BUILDKIT;
    await Deno.writeTextFile(argv[argv.indexOf("--iidfile") + 1] ?? "", "sha256:ab\n");
    return result(0);
  };
  assertEquals(await buildImage(docker(build), REQUEST), "sha256:ab");
  assertEquals(buildKit, undefined);
  await buildImage(docker(build), { ...REQUEST, own: true });
  assertEquals(buildKit, "0");
  const failing: Run = () => Promise.resolve(result(1));
  assertEquals(await buildImage(docker(failing), REQUEST), undefined);
});

Deno.test("secrets need a builder that has them", async () => {
  const absent: Run = () => Promise.resolve(result(1));
  const wanted = { secrets: ["id=a,src=/a"], cacheTo: [] };
  await assertRejects(
    () => checkBuilder(docker(absent), wanted),
    Error,
    'Cannot use --build-secret with "docker": its builder has no BuildKit',
  );
  await checkBuilder(docker(() => Promise.resolve(result(0))), wanted);
  await checkBuilder(new EngineCaller(PODMAN, { run: absent }), wanted);
  await checkBuilder(docker(absent), {});
});
