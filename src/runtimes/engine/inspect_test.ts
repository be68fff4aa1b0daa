import { assertEquals, assertRejects } from "@std/assert";
import type { Run } from "../../base/process.ts";
import { findImages, inspectImage, parseImageFacts, parseImageList } from "./inspect.ts";

const ENGINE = { name: "docker", command: ["docker"], builder: "docker" } as const;

function saying(code: number, stdout: string, stderr = ""): Run {
  const bytes = (text: string) => new TextEncoder().encode(text);
  return () =>
    Promise.resolve({
      code,
      signal: null,
      timedOut: false,
      stdout: bytes(stdout),
      stderr: bytes(stderr),
    });
}

Deno.test("facts of an image are read from what docker and podman print", () => {
  const printed = [{
    Id: "sha256:ab",
    Architecture: "arm64",
    Os: "linux",
    Config: { Labels: { a: "b" }, Volumes: { "/data": {} }, OnBuild: ["RUN x"] },
  }];
  assertEquals(parseImageFacts(JSON.stringify(printed)), {
    id: "sha256:ab",
    architecture: "arm64",
    os: "linux",
    labels: { a: "b" },
    volumes: ["/data"],
    onBuild: ["RUN x"],
  });
  const bare = [{ Id: "ab", Architecture: "amd64", Os: "linux", Config: { Labels: null } }];
  assertEquals(parseImageFacts(JSON.stringify(bare)).volumes, []);
});

Deno.test("an image that is not there is told from an engine that fails", async () => {
  for (const text of ["Error: No such image: x", "Error: inspecting object: x: image not known"]) {
    assertEquals(await inspectImage(ENGINE, "x", saying(1, "[]", text)), undefined);
  }
  await assertRejects(
    () => inspectImage(ENGINE, "x", saying(1, "", "Cannot connect to the Docker daemon")),
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
  const found = await findImages(ENGINE, { label: "a=b", repository: "x" }, saying(0, ""));
  assertEquals(found, []);
});
