import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { imageSource, usesContext } from "./image_source.ts";

Deno.test("an image comes from deno.json, else from a Containerfile, else from nowhere", async () => {
  await using dir = await tempDir();
  assertEquals(await imageSource(dir.path), undefined);
  await Deno.writeTextFile(`${dir.path}/Dockerfile`, "FROM a\n");
  await Deno.writeTextFile(`${dir.path}/deno.json`, `{ "imports": {} }`);
  assertEquals(await imageSource(dir.path), {
    kind: "containerfile",
    path: `${dir.path}/Dockerfile`,
    text: "FROM a\n",
  });
  await Deno.writeTextFile(`${dir.path}/Containerfile`, "FROM b\n");
  assertEquals((await imageSource(dir.path))?.kind, "containerfile");
  await Deno.writeTextFile(
    `${dir.path}/deno.json`,
    `{ "karotte": { "image": "localhost:5000/a/b:1@sha256:0f" } } // comment`,
  );
  assertEquals(await imageSource(dir.path), {
    kind: "image",
    reference: "localhost:5000/a/b:1@sha256:0f",
  });
});

Deno.test("what is no name of an image is refused", async () => {
  await using dir = await tempDir();
  for (const image of ['"--privileged"', '""', '"a b"', "1"]) {
    await Deno.writeTextFile(`${dir.path}/deno.json`, `{ "karotte": { "image": ${image} } }`);
    await assertRejects(() => imageSource(dir.path), Error, "no name of an image");
  }
});

Deno.test("a Containerfile that reads other files is known by its text", () => {
  for (const text of ["FROM a\ncopy . .\n", "ADD x y", "RUN --mount=type=bind,target=. make"]) {
    assertEquals(usesContext(text), true);
  }
  assertEquals(usesContext("FROM a\nRUN apt-get install -y make\n"), false);
});

Deno.test("a Containerfile that is a link to somewhere else is refused", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/environment`);
  await Deno.writeTextFile(`${dir.path}/secret`, "FROM a\n");
  await Deno.symlink("../secret", `${dir.path}/environment/Containerfile`);
  const refused = () => imageSource(`${dir.path}/environment`);
  await assertRejects(refused, Error, "a link that leaves the environment");
  await Deno.writeTextFile(`${dir.path}/environment/other`, "FROM b\n");
  await Deno.remove(`${dir.path}/environment/Containerfile`);
  await Deno.symlink("other", `${dir.path}/environment/Containerfile`);
  assertEquals((await imageSource(`${dir.path}/environment`))?.kind, "containerfile");
});
