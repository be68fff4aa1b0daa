/**
 * What lies in a project takes effect on the host only after a yes: a plugin that leaves a mark
 * when it is imported, wherever its manifest stands, and every command.
 */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { tempDir } from "../../src/base/temp_dir.ts";
import { isReachableSync } from "../../src/base/files.ts";
import { makeOwn } from "../support/own_folder.ts";
import { testUnless } from "../support/whole.ts";
import { bashScript, probeTask } from "./environment.ts";
import { karotte, type Said, startKarotte } from "./karotte.ts";

const MANIFEST = "karotte.plugins.json";

/** Commands that import nothing and ask nothing, with their exit status. */
const LOOKS: readonly (readonly [argv: string[], code: number])[] = [
  [[], 0],
  [["--help"], 0],
  [["nosuch"], 2],
  [["plugins", "list"], 0],
  [["templates", "list"], 0],
  [["tasks", "list"], 0],
  [["check"], 0],
];

/** Commands that use plugins. */
const ACTS: readonly string[][] = [
  ["run", "--task", "probe", "--fake-model", "--run-id", "r1"],
  ["build", "--runtime", "docker"],
  ["plugins", "check"],
  ["plugins", "list", "--load"],
  ["plugins", "update"],
  ["marked"],
];

/** Where the manifest stands, and where commands are called from. */
interface Layout {
  readonly name: string;
  /** Folder of the manifest and its plugin, from the root of all. */
  readonly place: string;
  /** Folder of the environment. */
  readonly environment: string;
  /** The environment has a link to the manifest. */
  readonly link?: boolean;
}

const LAYOUTS: readonly Layout[] = [
  { name: "the folder itself", place: "project", environment: "project" },
  { name: "a parent", place: "project", environment: "project/deep/environment" },
  { name: "a link", place: "elsewhere", environment: "project", link: true },
];

interface Stranger extends AsyncDisposable {
  readonly environment: string;
  readonly place: string;
  readonly env: Readonly<Record<string, string>>;
  call(...args: string[]): Promise<Said>;
  write(path: string, text: string): Promise<void>;
  /** Whether the plugin was imported since the last question. */
  wasImported(): Promise<boolean>;
}

/** A repository that somebody else made, with a plugin that leaves a mark. */
async function stranger({ place, environment, link = false }: Layout): Promise<Stranger> {
  const dir = await tempDir();
  const root = await Deno.realPath(dir.path);
  const mark = join(root, "mark");
  const write = async (path: string, text: string) => {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  };
  await Deno.mkdir(join(root, "project/.git"), { recursive: true });
  await write(
    `${environment}/deno.json`,
    '{ "imports": { "@karotte/cli/sdk": "jsr:@karotte/cli@^0.1/sdk" } }',
  );
  await write(`${environment}/src/environment/tasks/probe.ts`, probeTask("new AlwaysPassJudge()"));
  await write(`${environment}/src/environment/fake_model.ts`, bashScript("true"));
  await write(`${environment}/Containerfile`, "FROM scratch\n");
  await write(`${place}/${MANIFEST}`, '{ "plugins": ["./plugin.ts"] }');
  await write(`${place}/imported.ts`, "export const description = 'It leaves a mark.';");
  await write(
    `${place}/plugin.ts`,
    `
    import { definePlugin } from "@karotte/cli/sdk";
    import { description } from "./imported.ts";
    Deno.writeTextFileSync(${JSON.stringify(mark)}, "imported");
    const marked = { description, main() {} };
    export default definePlugin({ name: "acme", entryPoints: { "karotte.cli": { marked } } });`,
  );
  if (link) await Deno.symlink(join(root, place, MANIFEST), join(root, environment, MANIFEST));
  const home = join(root, "home");
  await Deno.mkdir(home);
  const env = { HOME: home, XDG_CONFIG_HOME: "", KAROTTE_CACHE: join(root, "cache") };
  return {
    environment: join(root, environment),
    place: join(root, place),
    env,
    write,
    call: (...args) => karotte(args, { cwd: join(root, environment), env }),
    async wasImported() {
      const was = isReachableSync(mark);
      if (was) await Deno.remove(mark);
      return was;
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

async function assertOnlyLooks(project: Stranger): Promise<void> {
  for (const [argv, code] of LOOKS) {
    const said = await project.call(...argv);
    assertEquals([argv, said.code], [argv, code], said.stderr);
    assertEquals([argv, await project.wasImported()], [argv, false]);
  }
}

async function assertRefused(project: Stranger, acts = ACTS): Promise<void> {
  for (const argv of acts) {
    const said = await project.call(...argv);
    assertEquals([argv, said.code], [argv, 4], said.stderr);
    assertStringIncludes(said.stderr, "hint: karotte trust --show ");
    assertEquals([argv, await project.wasImported()], [argv, false]);
  }
}

for (const layout of LAYOUTS) {
  const name = `a stranger's plugin is imported by nothing before a yes: ${layout.name}`;
  testUnless(layout.link === true, name, async () => {
    await using project = await stranger(layout);
    await assertOnlyLooks(project);
    const listed = await project.call("tasks", "list");
    assertStringIncludes(listed.stderr, "are not used: you did not say yes");
    assertEquals(listed.stderr.match(/warning/g)?.length, 1, listed.stderr);
    assertEquals((await project.call("create-env", "made")).code, 0);
    assertEquals(await project.wasImported(), false);
    await assertRefused(
      project,
      // What is updated is the manifest of the folder itself.
      ACTS.filter(([, what]) => what !== "update" || layout.place === layout.environment),
    );
    const shown = await project.call("trust", "--show");
    assertStringIncludes(shown.stdout, "plugin ./plugin.ts (not trusted)");
    assertEquals(await project.wasImported(), false);
    const trusted = await project.call("trust");
    assertEquals([trusted.code, await project.wasImported()], [0, false], trusted.stderr);
    const used = await project.call("marked");
    assertEquals([used.code, await project.wasImported()], [0, true], used.stderr);
    const help = await project.call("--help");
    assertMatch(help.stdout, /^ {2}marked +From plugin "acme"\.$/m);
    await project.write(
      `${project.place.slice(project.place.lastIndexOf("/") + 1)}/imported.ts`,
      "export const description = 'Changed.';",
    );
    const after = await project.call("--help");
    assertStringIncludes(after.stdout, 'From plugin "acme" (not trusted).');
    await assertOnlyLooks(project);
    await assertRefused(project, [["marked"], ["plugins", "check"]]);
    assertStringIncludes((await project.call("trust", "--show")).stdout, "(changed)");
  });
}

Deno.test("in the user's own folders plugins work at once, and listing imports nothing", async () => {
  await using project = await stranger(LAYOUTS[0]!);
  await makeOwn(project.environment, join(project.environment, "../home"));
  await assertOnlyLooks(project);
  const used = await project.call("marked");
  assertEquals([used.code, await project.wasImported()], [0, true], used.stderr);
  await project.write("project/imported.ts", "export const description = 'Changed.';");
  assertEquals((await project.call("plugins", "check")).code, 0);
  assertEquals(await project.wasImported(), true);
  await assertOnlyLooks(project);
  assertEquals((await project.call("trust", "--pin")).code, 0);
  await project.write("project/imported.ts", "export const description = 'Once more.';");
  await assertRefused(project, [["marked"]]);
});

Deno.test("what create-env made is own, and its copy is not", async () => {
  await using project = await stranger(LAYOUTS[0]!);
  assertEquals((await project.call("create-env", "made")).code, 0);
  const plugin = await Deno.readTextFile(join(project.place, "plugin.ts"));
  for (
    const [name, text] of [
      ["plugin.ts", plugin],
      ["imported.ts", "export const description = 1;"],
      [
        MANIFEST,
        '{ "plugins": ["./plugin.ts"] }',
      ],
    ] as const
  ) await project.write(`project/made/${name}`, text);
  await Deno.remove(join(project.place, MANIFEST));
  const check = ["plugins", "check", "--strict-plugins"];
  const own = await project.call("-C", "made", ...check);
  assertEquals([own.code, await project.wasImported()], [4, true], own.stderr);
  // What a run wrote into the folder is the student's.
  const written = "project/made/out/r1_artifacts";
  await project.write(`${written}/${MANIFEST}`, '{ "plugins": ["./plugin.ts"] }');
  await project.write(`${written}/plugin.ts`, plugin.replace("./imported", "../../imported"));
  const inside = await project.call("-C", "made/out/r1_artifacts", "marked");
  assertStringIncludes(inside.stderr, "you did not say yes");
  assertEquals(await project.wasImported(), false);
  await Deno.rename(join(project.environment, "made"), join(project.environment, "moved"));
  const moved = await project.call("-C", "moved", ...check);
  assertStringIncludes(moved.stderr, "you did not say yes");
  assertEquals(await project.wasImported(), false);
  await Deno.mkdir(join(project.environment, "made"));
  await project.write(`project/made/plugin.ts`, plugin);
  await project.write(`project/made/imported.ts`, "export const description = 1;");
  await project.write(`project/made/${MANIFEST}`, '{ "plugins": ["./plugin.ts"] }');
  assertStringIncludes((await project.call("-C", "made", ...check)).stderr, "you did not say yes");
});

Deno.test("what the user names himself is trusted; --no-plugins asks nothing", async () => {
  await using project = await stranger(LAYOUTS[0]!);
  for (const given of [["--plugins", MANIFEST], ["--with", "./plugin.ts"]]) {
    await project.call("trust", "--remove");
    if (given[0] === "--with") {
      await Deno.rename(join(project.place, MANIFEST), join(project.place, "x"));
    }
    const said = await project.call(...given, "marked");
    assertEquals([given, said.code, await project.wasImported()], [given, 0, true], said.stderr);
    if (given[0] === "--with") {
      await Deno.rename(join(project.place, "x"), join(project.place, MANIFEST));
    }
  }
  const run = await project.call(...ACTS[0]!, "--no-plugins");
  assertEquals([run.code, await project.wasImported()], [0, false], run.stderr);
});

Deno.test("run --trust takes the digest of exactly what is wanted, wherever it lies", async () => {
  const digestOf = async (project: Stranger) =>
    /^digest: (\w+)$/m.exec((await project.call("trust", "--show")).stdout)?.[1] ?? "";
  await using one = await stranger(LAYOUTS[0]!);
  await using other = await stranger({ ...LAYOUTS[0]!, name: "another place" });
  // The mark's path is in the plugin's text.
  await other.write("project/plugin.ts", await Deno.readTextFile(join(one.place, "plugin.ts")));
  const digest = await digestOf(one);
  assertEquals(await digestOf(other), digest);
  const [run = []] = ACTS;
  const said = await one.call(...run, "--trust", digest);
  assertEquals([said.code, await one.wasImported()], [0, true], said.stderr);
  const wrong = await one.call(...run, "--trust", "0".repeat(64));
  assertEquals(wrong.code, 4, wrong.stderr);
  assertStringIncludes(wrong.stderr, `its digest is ${digest}`);
  // Nothing was remembered.
  await assertRefused(one, [["plugins", "check"]]);
  assertEquals((await one.call("trust")).code, 0);
  assertEquals((await one.call(...run, "--trust", "0".repeat(64))).code, 4);
  await one.write(
    "project/deno.json",
    JSON.stringify({
      imports: { "@karotte/cli/sdk": "jsr:@karotte/cli@^0.1/sdk" },
      karotte: { judge_models: ["openai/gpt-4o"] },
    }),
  );
  // What a scripted run does not need is in the digest too.
  assertEquals((await one.call(...run, "--trust", await digestOf(one))).code, 0);
});

/** Gives the words after it a terminal of their own, and types `$ANSWER` there. */
const ON_TERMINAL = [
  "sh",
  "-c",
  `argv=""; for word; do argv="$argv '$word'"; done
   printf %s "$ANSWER" | script -qec "$argv" /dev/null`,
  "sh",
];

/** Calls a command on a terminal, and types an answer. */
async function answered({ environment, env }: Stranger, answer: string, argv: readonly string[]) {
  const child = startKarotte(argv, {
    cwd: environment,
    env: { ...env, ANSWER: answer },
    under: ON_TERMINAL,
  });
  const [stdout, , { code }] = await Promise.all([
    new Response(child.stdout).text(),
    child.stderr.pipeTo(new WritableStream()),
    child.status,
  ]);
  return { code, stdout };
}

Deno.test("on a terminal the user is asked: no, once, until it changes, always", async () => {
  await using project = await stranger(LAYOUTS[0]!);
  for (const no of ["n\n", "\n", "\u0004"]) {
    const said = await answered(project, no, ["marked"]);
    assertEquals([no, said.code, await project.wasImported()], [no, 4, false], said.stdout);
    assertStringIncludes(said.stdout, "plugin ./plugin.ts, of ");
    assertStringIncludes(
      said.stdout,
      "runs as you, with your keys: deno.json, imported.ts, plugin.ts",
    );
  }
  const once = await answered(project, "o\n", ["marked"]);
  assertEquals([once.code, await project.wasImported()], [0, true], once.stdout);
  await assertRefused(project, [["marked"]]);
  const yes = await answered(project, "y\n", ["marked"]);
  assertEquals([yes.code, await project.wasImported()], [0, true], yes.stdout);
  assertEquals([(await project.call("marked")).code, await project.wasImported()], [0, true]);
  await project.write("project/imported.ts", "export const description = 'Changed.';");
  await assertRefused(project, [["marked"]]);
  const always = await answered(project, "a\n", ["marked"]);
  assertEquals(always.code, 0, always.stdout);
  await project.write("project/imported.ts", "export const description = 'Once more.';");
  assertEquals((await project.call("marked")).code, 0);
});

Deno.test("an .npmrc above the user's own folder is a stranger's as long as he says so", async () => {
  await using project = await stranger(LAYOUTS[0]!);
  await Deno.remove(join(project.place, MANIFEST));
  assertEquals((await project.call("create-env", "made")).code, 0);
  await project.write("project/.npmrc", "@acme:registry=http://127.0.0.1:9/\n");
  const run = ["-C", "made", "run", "--task", "example_task", "--fake-model", "--run-id", "r1"];
  const refused = await project.call(...run);
  assertEquals(refused.code, 4, refused.stderr);
  assertStringIncludes(refused.stderr, "Cannot use registry http://127.0.0.1:9/ of ");
  assertEquals((await project.call("trust", "made")).code, 0);
  const trusted = await project.call(...run);
  assertEquals(trusted.code, 0, trusted.stderr);
  await project.write("project/.npmrc", "@acme:registry=http://127.0.0.1:9/\nproxy=http://acme\n");
  assertEquals((await project.call(...run)).code, 4);
});

Deno.test("models and keys of an environment's judges need a yes, but not with a fake model", async () => {
  await using project = await stranger(LAYOUTS[0]!);
  await Deno.remove(join(project.place, MANIFEST));
  const settings = (karotte: unknown) =>
    project.write(
      "project/deno.json",
      JSON.stringify({ imports: { "@karotte/cli/sdk": "jsr:@karotte/cli@^0.1/sdk" }, karotte }),
    );
  const model = ["run", "--task", "probe", "--model", "openai/gpt-4o", "--run-id", "r1"];
  await settings({
    judge_models: ["openai/gpt-4o-mini"],
    judge_keys: { "$ACME_API_KEY": "openai" },
  });
  const [fake = []] = ACTS;
  assertEquals((await project.call(...fake)).code, 0);
  assertEquals((await project.call("tasks", "list")).stderr, "");
  const refused = await project.call(...model);
  assertEquals(refused.code, 4, refused.stderr);
  assertStringIncludes(refused.stderr, "Cannot use judge model openai/gpt-4o-mini of ");
  const { stdout } = await project.call("trust", "--show");
  assertStringIncludes(stdout, "judge key $ACME_API_KEY for openai (not trusted)");
  assertEquals((await project.call("trust")).code, 0);
  // What stops it now is that no key is set.
  assertEquals((await project.call(...model)).code, 2);
  await settings({ judge_models: ["openai/gpt-4o"], judge_keys: {} });
  assertEquals((await project.call(...model)).code, 4);
});

Deno.test("what can't be called one's own, or kept, is refused with what helps", async () => {
  await using project = await stranger(LAYOUTS[0]!);
  const root = await project.call("trust", "--own", "/");
  assertEquals([root.code, root.stdout], [2, ""], root.stderr);
  const both = await project.call("trust", "--own", "--pin");
  assertEquals(both.code, 2, both.stderr);
  for (const [name, folder] of [["XDG_CONFIG_HOME", "/dev/null"], ["HOME", ""]] as const) {
    const env = { ...project.env, [name]: folder };
    const kept = await karotte(["trust"], { cwd: project.environment, env });
    assertEquals([name, kept.code], [name, 4], kept.stderr);
    assertStringIncludes(kept.stderr, "Cannot keep what you trust");
    assertStringIncludes(kept.stderr, "XDG_CONFIG_HOME");
    const looked = await karotte(["tasks", "list"], { cwd: project.environment, env });
    assertEquals([name, looked.code], [name, 0], looked.stderr);
  }
  assertEquals(await project.wasImported(), false);
});
