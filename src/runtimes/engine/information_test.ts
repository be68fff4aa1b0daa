import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import { type Run, run } from "../../base/process.ts";
import { dockerEngine, dockerGvisorEngine, nerdctlEngine } from "./engines.ts";
import { EngineCaller } from "./caller.ts";
import { isRemoteAddress, parseInformation, readInformation } from "./information.ts";

const DOCKER = {
  MemTotal: 16_000_000_000,
  ServerVersion: "27.1.0",
  OSType: "linux",
  Architecture: "aarch64",
  SecurityOptions: ["name=seccomp,profile=builtin", "name=rootless", "name=cgroupns"],
  CgroupVersion: "2",
  NCPU: 8,
  Runtimes: { runc: {}, runsc: {} },
};
const PODMAN = {
  host: {
    os: "linux",
    arch: "amd64",
    cpus: 2,
    memTotal: 8_000_000_000,
    cgroupVersion: "v1",
    serviceIsRemote: true,
    security: { rootless: false, seccompEnabled: true, seccompProfilePath: "/x.json" },
  },
  version: { Version: "4.3.1" },
};

Deno.test("parseInformation() reads docker's answer", () => {
  assertEquals(parseInformation(JSON.stringify(DOCKER), dockerEngine), {
    product: "docker",
    version: "27.1.0",
    platform: "linux/arm64",
    rootless: true,
    cgroupVersion: 2,
    processors: 8,
    memoryBytes: 16_000_000_000,
    lowLevelRuntimes: ["runc", "runsc"],
    remote: false,
    seccompProfile: null,
  });
});

Deno.test("parseInformation() recognises podman, also where it is called docker", () => {
  assertEquals(parseInformation(JSON.stringify(PODMAN), dockerEngine), {
    product: "podman",
    version: "4.3.1",
    platform: "linux/amd64",
    rootless: false,
    cgroupVersion: 1,
    processors: 2,
    memoryBytes: 8_000_000_000,
    lowLevelRuntimes: null,
    remote: true,
    seccompProfile: "/x.json",
  });
});

Deno.test("parseInformation() takes nerdctl's answer, which is like docker's", () => {
  const { Runtimes: _, ...said } = DOCKER;
  const found = parseInformation(JSON.stringify(said), nerdctlEngine);
  assertEquals([found.product, found.lowLevelRuntimes], ["nerdctl", null]);
});

Deno.test("parseInformation() tells a daemon that does not answer, and what is no engine", () => {
  const down = JSON.stringify({ ServerErrors: ["Cannot connect"] });
  assertThrows(() => parseInformation(down, dockerEngine), KarotteError, "Cannot connect");
  assertThrows(() => parseInformation("hello", dockerEngine), KarotteError, "no JSON");
});

Deno.test("isRemoteAddress() takes only sockets of this machine for local", () => {
  assertEquals(isRemoteAddress('"unix:///var/run/docker.sock"\n'), false);
  assertEquals(isRemoteAddress('"npipe:////./pipe/docker_engine"'), false);
  assertEquals(isRemoteAddress('"tcp://127.0.0.1:2375"'), true);
  assertEquals(isRemoteAddress('"ssh://box"'), true);
});

/** Answers every call of a client with the same. */
function answering(stdout: string, stderr = "", code = 0): EngineCaller {
  const bytes = (text: string) => new TextEncoder().encode(text);
  // `sh` is a program that is on every PATH.
  return new EngineCaller({ ...dockerGvisorEngine, command: ["sh"] }, {
    run: () =>
      Promise.resolve({
        code,
        signal: null,
        stdout: bytes(stdout),
        stderr: bytes(stderr),
        timedOut: false,
      }),
  });
}

Deno.test("readInformation() refuses what can hold no sandbox, with what to do", async () => {
  const cases: [changes: Record<string, unknown>, message: string][] = [
    [{ OSType: "windows" }, "windows/arm64"],
    [{ ServerVersion: "19.03.1" }, "too old"],
    [{ Runtimes: { runc: {} } }, 'no runtime "runsc"'],
  ];
  for (const [changes, message] of cases) {
    const caller = answering(JSON.stringify({ ...DOCKER, ...changes }));
    const error = await assertRejects(() => readInformation(caller), KarotteError, message);
    assertEquals(error.hint === undefined, false);
  }
  const said = "Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?";
  const error = await assertRejects(
    () => readInformation(answering("", said, 1)),
    KarotteError,
    "its daemon does not answer",
  );
  assertEquals(error.hint?.includes("Start it"), true);
});

Deno.test("readInformation() is undefined where the client is not installed", async () => {
  const caller = new EngineCaller({ ...dockerEngine, command: ["karotte-no-such-program"] });
  assertEquals(await readInformation(caller), undefined);
});

Deno.test("readInformation() gives up on a daemon that takes the question and never answers", async () => {
  const silent: Run = (_, options) => run(["sleep", "60"], { ...options, timeoutMs: 50 });
  const caller = new EngineCaller({ ...dockerEngine, command: ["sh"] }, { run: silent });
  await assertRejects(() => readInformation(caller), KarotteError, "does not answer");
});
