import { assertEquals } from "@std/assert";
import { dockerEngine } from "./engines.ts";
import { explainFailure, lastWords } from "./failure.ts";

/** What engines really said -> what is found in it. */
const SAID: readonly (readonly [said: string, state: RegExp])[] = [
  [
    "docker: Error response from daemon: No such image: x:1.\nSee 'docker run --help'.",
    /the image is not there: No such image: x:1\.$/,
  ],
  ["Error: x: image not known", /the image is not there: x: image not known$/],
  [
    "docker: Cannot connect to the Docker daemon at tcp://127.0.0.1:1. Is the docker daemon running?.",
    /daemon does not answer/,
  ],
  [
    "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock",
    /you may not use its daemon/,
  ],
  [
    'Error: unable to connect to Podman socket: Get "http://d/v4.3.1/libpod/_ping": dial unix /x: connect: no such file or directory',
    /daemon does not answer/,
  ],
  [
    "docker: Error response from daemon: mkdir /var/lib/docker/overlay2/x: no space left on device.",
    /its disk is full/,
  ],
  [
    "Error response from daemon: could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network",
    /no network addresses left/,
  ],
  ["unknown flag: --frob\nSee 'docker run --help'.", /one of the options: unknown flag: --frob$/],
  ["something else", /: something else$/],
  ["", /it failed without a word$/],
];

Deno.test("explainFailure() finds the cause in what engines say, and what to do", () => {
  for (const [said, state] of SAID) {
    const { message, hint } = explainFailure(dockerEngine, "start the sandbox", said);
    assertEquals(message.startsWith("Cannot start the sandbox with docker: "), true);
    assertEquals(state.test(message), true, message);
    assertEquals(hint === undefined, said === "" || said === "something else", said);
  }
});

Deno.test("lastWords() leaves the client's framing out", () => {
  assertEquals(
    lastWords("pulling\ndocker: Error response from daemon: bad.\nSee 'docker run --help'.\n\n"),
    "bad.",
  );
  assertEquals(lastWords("Error: no such thing\n"), "no such thing");
});
