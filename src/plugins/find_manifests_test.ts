import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { findManifests } from "./find_manifests.ts";
import { NOWHERE } from "../../tests/support/nowhere.ts";

/** A folder with manifests at these paths, and what is found from `from`. */
async function tree(paths: readonly string[]) {
  const dir = await tempDir();
  const root = await Deno.realPath(dir.path);
  for (const path of paths) {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), "{}");
  }
  const warnings: string[] = [];
  const find = (from: string | undefined, variables: Record<string, string> = {}, named?: string) =>
    findManifests({
      directory: from === undefined ? undefined : join(root, from),
      named,
      variable: (name) => ({ HOME: join(root, "home"), ...variables })[name],
      warn: (text) => warnings.push(text),
    }).map(({ path }) => path.slice(root.length + 1));
  return { root, find, warnings, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const NAME = "karotte.plugins.json";

Deno.test("findManifests() looks in the order in which they win", async () => {
  const own = "home/.config/karotte/plugins.json";
  await using files = await tree([
    `home/work/env/${NAME}`,
    `home/work/${NAME}`,
    `home/${NAME}`,
    `${NAME}`,
    own,
    "flag.json",
    "variable.json",
  ]);
  const variables = { KAROTTE_PLUGINS: join(files.root, "variable.json"), CHALK_PLUGINS: "no" };
  const flag = join(files.root, "flag.json");
  assertEquals(files.find("home/work/env", variables, flag), [
    "flag.json",
    "variable.json",
    `home/work/env/${NAME}`,
    `home/work/${NAME}`,
    `home/${NAME}`,
    own,
  ]);
  assertEquals(files.find("home/work/env", { CHALK_PLUGINS: flag })[0], "flag.json");
  assertEquals(files.find("home", {}, join(files.root, "home", NAME)), [`home/${NAME}`, own]);
  assertEquals(files.warnings, []);
});

Deno.test("findManifests() goes up to the repository's root and no further", async () => {
  await using files = await tree([`a/${NAME}`, `a/b/${NAME}`, `a/b/c/${NAME}`, "a/b/.git/HEAD"]);
  assertEquals(files.find("a/b/c"), [`a/b/c/${NAME}`, `a/b/${NAME}`]);
});

Deno.test("findManifests() without a folder finds what the user names, and the user's own", async () => {
  const own = "home/.config/karotte/plugins.json";
  await using files = await tree([NAME, own, "flag.json"]);
  assertEquals(files.find(undefined, {}, join(files.root, "flag.json")), ["flag.json", own]);
});

Deno.test("findManifests() honours XDG_CONFIG_HOME if it is absolute", async () => {
  const own = "home/.config/karotte/plugins.json";
  await using files = await tree(["xdg/karotte/plugins.json", own, "env/.git/HEAD"]);
  assertEquals(files.find("env", { XDG_CONFIG_HOME: join(files.root, "xdg") }), [
    "xdg/karotte/plugins.json",
  ]);
  assertEquals(files.find("env", { XDG_CONFIG_HOME: "xdg" }), [own]);
});

Deno.test("findManifests() warns of what others could have written, and leaves it out", async () => {
  await using files = await tree([`open/${NAME}`, "open/env/x", "flag.json"]);
  await Deno.chmod(join(files.root, "open"), 0o1777);
  assertEquals(files.find("open/env"), []);
  assertEquals(files.warnings.length, 1);
  assertMatch(files.warnings[0] ?? "", /plugins of ".*" are not loaded: everyone may write to/);
});

Deno.test("findManifests() says that a named one is missing", async () => {
  await using files = await tree([]);
  const error = assertThrows(() => files.find("", {}, NOWHERE), KarotteError);
  assertEquals(error.message, `Cannot read plugins "${NOWHERE}": no such file`);
  assertThrows(() => files.find("", { KAROTTE_PLUGINS: NOWHERE }), KarotteError);
});
