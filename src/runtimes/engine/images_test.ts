import { assertEquals, assertRejects } from "@std/assert";
import type { Run } from "../../base/process.ts";
import { EngineCaller } from "./caller.ts";
import { dockerEngine, nerdctlEngine } from "./engines.ts";
import { engineImages, parseImageFacts, parseImageList } from "./images.ts";

function imagesSaying(code: number, stdout: string, stderr = "") {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const run: Run = () =>
    Promise.resolve({
      code,
      signal: null,
      timedOut: false,
      stdout: bytes(stdout),
      stderr: bytes(stderr),
    });
  return engineImages(new EngineCaller(dockerEngine, { run }));
}

Deno.test("facts of an image are read from what docker and podman print", () => {
  const printed = [{
    Id: "sha256:ab",
    Architecture: "arm64",
    Os: "linux",
    Config: {
      Labels: { a: "b" },
      Env: ["PATH=/opt/java/bin:/usr/bin", "OPTIONS=-Da=b", "EMPTY="],
      Volumes: { "/data": {} },
      OnBuild: ["RUN x"],
    },
  }];
  assertEquals(parseImageFacts(JSON.stringify(printed)), {
    id: "sha256:ab",
    architecture: "arm64",
    os: "linux",
    labels: { a: "b" },
    variables: { PATH: "/opt/java/bin:/usr/bin", OPTIONS: "-Da=b", EMPTY: "" },
    volumes: ["/data"],
    onBuild: ["RUN x"],
  });
  const bare = [{ Id: "ab", Architecture: "amd64", Os: "linux", Config: { Labels: null } }];
  assertEquals(parseImageFacts(JSON.stringify(bare)).volumes, []);
  assertEquals(parseImageFacts(JSON.stringify(bare)).variables, {});
});

Deno.test("an image that is not there is told from an engine that fails", async () => {
  for (const text of ["Error: No such image: x", "Error: inspecting object: x: image not known"]) {
    assertEquals(await imagesSaying(1, "[]", text).inspect("x"), undefined);
  }
  await assertRejects(
    () => imagesSaying(1, "", "Cannot connect to the Docker daemon").inspect("x"),
    Error,
    'Cannot look at image "x": docker: Cannot connect to the Docker daemon',
  );
});

Deno.test("only images that are tagged as ours count, under either engine's names", async () => {
  const printed = "sha256:1 karotte/env 0a\nsha256:2 evil/env 0a\n3 localhost/karotte/env 0b\n" +
    "sha256:4 karotte/env2 0a\nsha256:5 <none> <none>\n";
  assertEquals(parseImageList(printed, "karotte/env"), [
    { id: "sha256:1", reference: "karotte/env:0a" },
    { id: "3", reference: "karotte/env:0b" },
  ]);
  const found = await imagesSaying(0, "").find({ label: "a=b", repository: "x" });
  assertEquals(found, []);
});

Deno.test("a build starts from an image by its id, or by a name where that is needed", async () => {
  assertEquals(await imagesSaying(1, "").baseName("sha256:ab"), "sha256:ab");
  const calls: string[] = [];
  const run: Run = (argv) => {
    calls.push(argv.join(" "));
    const none = new Uint8Array();
    return Promise.resolve({ code: 0, signal: null, timedOut: false, stdout: none, stderr: none });
  };
  const images = engineImages(new EngineCaller(nerdctlEngine, { run }));
  assertEquals(await images.baseName("sha256:ab"), "karotte/base:ab");
  assertEquals(calls, ["nerdctl tag sha256:ab karotte/base:ab"]);
});
