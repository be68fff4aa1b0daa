import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { VERSION } from "../base/version.ts";
import { bundleEnvironment } from "./environment_bundle.ts";
import { tempEnvironment } from "../../tests/support/temp_environment.ts";

const MAIN = "src/environment/tasks/main.ts";

/** The error of an environment, with its folder's path shown as `ENV`. */
async function refusal(files: Record<string, string>): Promise<{ message: string; hint: string }> {
  await using environment = await tempEnvironment(files);
  const error = await assertRejects(() => environment.bundle(), KarotteError);
  assertEquals(error.code, "usage");
  const shown = (text: string) => text.replaceAll(environment.directory, "ENV");
  return { message: shown(error.message), hint: shown(error.hint ?? "") };
}

/** Programs that can't be bundled, and what is said of them. */
const CASES: readonly {
  readonly name: string;
  readonly main: string;
  readonly files?: Record<string, string>;
  readonly says: string;
  readonly hint?: string;
}[] = [
  {
    name: "a syntax error",
    main: "const é = 1;\nconst öl = 2 2;\n",
    says: 'Cannot load environment "ENV": ENV/src/environment/tasks/main.ts:2:14: Expected ";"',
  },
  {
    name: "a missing file",
    main: '\nimport "./gone.ts";',
    says: 'main.ts:2:8: Cannot import "./gone.ts": no such file',
  },
  {
    name: "a package that is not installed",
    main: 'import x from "npm:left-pad@^1";\nconsole.log(x);',
    says: 'Cannot install "npm:left-pad@^1" for environment "ENV": not installed, and Karotte is',
    hint: "without --offline",
  },
  {
    name: "a jsr package that is not installed",
    main: 'import "jsr:@std/path@1/join";',
    says: 'Cannot install "jsr:@std/path@1" for environment "ENV": not installed, and Karotte is',
    hint: "without --offline",
  },
  {
    name: "a bare name that nothing explains",
    main: 'import x from "left-pad";\nconsole.log(x);',
    says: 'main.ts:1:15: Cannot import the package "left-pad": not installed',
    hint: 'Write "npm:left-pad"',
  },
  {
    name: "a package that is a path",
    main: 'import "npm:left-pad@file:x";',
    says: 'main.ts:1:8: Cannot import the package "npm:left-pad@file:x": not installed',
    hint: "a range of versions",
  },
  {
    name: "a wrong name of the sdk",
    main: 'import { createTask,\n  RegexJudgee } from "@karotte/cli/sdk";\nRegexJudgee;',
    says: 'main.ts:2:3: "@karotte/cli/sdk" has no export "RegexJudgee"',
    hint: 'Did you mean "RegexJudge"?',
  },
  {
    name: "a wrong module of the sdk",
    main: 'import "@karotte/cli/skd";',
    says: 'main.ts:1:8: Cannot import "@karotte/cli/skd": no such module',
    hint: "@karotte/cli/sdk",
  },
  {
    name: "an sdk of another version",
    main: 'import "jsr:@karotte/cli@^99/sdk";',
    says: `main.ts:1:8: Cannot import "@karotte/cli@^99": this is Karotte ${VERSION}`,
  },
  {
    name: "a missing export",
    main: 'import { gone } from "../lib.ts";\ngone();',
    files: { "src/environment/lib.ts": "export const here = 1;" },
    says: 'main.ts:1:10: No matching export in "ENV/src/environment/lib.ts" for import "gone"',
  },
  {
    name: "broken JSON",
    main: 'import data from "./data.json" with { type: "json" };\ndata;',
    files: { "src/environment/tasks/data.json": '{\n  "a": 1,,\n}' },
    says: "ENV/src/environment/tasks/data.json:2:10: ",
  },
  {
    name: "a computed import",
    main: 'const name = "./x.ts";\nawait import(name);',
    says: "main.ts:2:7: Cannot bundle this import: its specifier must be a string literal",
  },
  {
    name: "a template import",
    main: "const name = 'x';\nawait import(`./lib/${name}.ts`);",
    says: "main.ts:2:14: Cannot bundle this import: its specifier must be a string literal, not a",
  },
  {
    name: "an import from the web",
    main: 'import "https://example.com/x.ts";',
    says: 'main.ts:1:8: Cannot import "https://example.com/x.ts": modules are not fetched',
  },
  {
    name: "a file outside the environment",
    main: 'import secret from "/etc/passwd" with { type: "text" };\nsecret;',
    says: 'main.ts:1:20: Cannot import "/etc/passwd": "/etc/passwd" lies outside the environment',
  },
  {
    name: "a file that is no script",
    main: 'import "./notes.txt";',
    files: { "src/environment/tasks/notes.txt": "" },
    says: 'main.ts:1:8: Cannot import "ENV/src/environment/tasks/notes.txt": not a script',
  },
];

for (const { name, main, files, says, hint } of CASES) {
  Deno.test(`bundleEnvironment() refuses ${name}, with its place`, async () => {
    const refused = await refusal({ [MAIN]: main, ...files });
    assertStringIncludes(refused.message, says);
    if (hint !== undefined) assertStringIncludes(refused.hint, hint);
  });
}

Deno.test("bundleEnvironment() tells of six errors at most", async () => {
  const lines = Array.from({ length: 9 }, (_, index) => `import "./gone${index}.ts";`);
  const { message } = await refusal({ [MAIN]: lines.join("\n") });
  assertEquals(message.match(/no such file/g)?.length, 6);
  assert(message.endsWith("\n  and 3 more"));
});

Deno.test("bundleEnvironment() gives the place of an error in deno.json", async () => {
  const broken = await refusal({ "deno.json": '{\r\n  "imports": {\r\n    "a" 1 } }', [MAIN]: "" });
  assertStringIncludes(broken.message, "Cannot read ENV/deno.json:3:9: colon expected");
  const wrong = await refusal({ "deno.json": '{ "imports": { "a": 1 } }', [MAIN]: "" });
  assertStringIncludes(wrong.message, 'Cannot read "ENV/deno.json": imports["a"] is not a string');
  const list = await refusal({ "deno.json": "[]", [MAIN]: "" });
  assertStringIncludes(list.message, "Cannot read ENV/deno.json:1:1: not a JSON object");
});

Deno.test("bundleEnvironment() says that a folder is no environment", async () => {
  await using environment = await tempEnvironment({ "README.md": "" });
  const { directory, cacheDirectory } = environment;
  for (const folder of [directory, `${directory}/gone`]) {
    await assertRejects(
      () => bundleEnvironment({ directory: folder, cacheDirectory }),
      KarotteError,
      `Cannot load environment "${folder}": no src/environment there`,
    );
  }
});

Deno.test("bundleEnvironment() follows links inside an environment, and refuses others", async () => {
  await using environment = await tempEnvironment({ [MAIN]: "", "shared.txt": "shared" });
  const sources = `${environment.directory}/src/environment`;
  await Deno.symlink("../../shared.txt", `${sources}/inside.txt`);
  const { directory } = await environment.bundle();
  assertEquals(await Deno.readTextFile(`${directory}/environment/inside.txt`), "shared");
  for (const target of ["/etc/passwd", "/etc", "gone", "."]) {
    const link = `${sources}/link`;
    await Deno.symlink(target, link);
    const error = await assertRejects(() => environment.bundle(), KarotteError);
    assertStringIncludes(error.message, `"${link}"`);
    await Deno.remove(link);
  }
});

Deno.test("bundleEnvironment() refuses what is neither file nor folder", async () => {
  await using environment = await tempEnvironment({ [MAIN]: "" });
  const path = `${environment.directory}/src/environment/socket`;
  using _listener = Deno.listen({ transport: "unix", path });
  await assertRejects(
    () => environment.bundle(),
    KarotteError,
    `Cannot copy "${path}": neither a file nor a folder`,
  );
});

Deno.test("bundleEnvironment() refuses a src/environment that lies elsewhere", async () => {
  await using other = await tempEnvironment({ [MAIN]: "", "id_rsa": "secret" });
  await using environment = await tempEnvironment({ "README.md": "" });
  const { directory } = environment;
  await Deno.mkdir(`${directory}/src`);
  await Deno.symlink(other.directory, `${directory}/src/environment`);
  const refused = () => assertRejects(() => environment.bundle(), KarotteError);
  const says = `"${directory}": its src/environment leads to "${other.directory}`;
  assertStringIncludes((await refused()).message, says);
  await Deno.remove(`${directory}/src`, { recursive: true });
  await Deno.symlink(`${other.directory}/src`, `${directory}/src`);
  assertStringIncludes((await refused()).message, says);
});

/** A repository with packages, in it an environment, and above it more packages. */
const NESTED = {
  "node_modules/above/index.js": "module.exports = 'above';",
  "repository/.git/HEAD": "",
  "repository/node_modules/shared/index.js": "module.exports = require('./part.js');",
  "repository/node_modules/shared/part.js": "module.exports = 'shared';",
  "repository/node_modules/reaching/index.js": "module.exports = require('../../../id_rsa.js');",
  "id_rsa.js": "module.exports = 'secret';",
};

async function nested(main: string, more: Record<string, string> = {}) {
  const files = { ...NESTED, ...more, [`repository/env/${MAIN}`]: main };
  const outer = await tempEnvironment(files);
  const { cacheDirectory } = outer;
  const directory = `${outer.directory}/repository/env`;
  return {
    ...outer,
    outer: outer.directory,
    bundle: () => bundleEnvironment({ directory, cacheDirectory, offline: true }),
    [Symbol.asyncDispose]: () => outer[Symbol.asyncDispose](),
  };
}

Deno.test("bundleEnvironment() takes packages from node_modules up to the repository's root", async () => {
  await using environment = await nested('import shared from "shared"; console.log(shared);');
  const { directory } = await environment.bundle();
  assertStringIncludes(
    await Deno.readTextFile(`${directory}/bundle/environment.js`),
    "'shared'".replaceAll("'", '"'),
  );
});

Deno.test("bundleEnvironment() takes no module from a node_modules of somebody else", async () => {
  const imports: Record<string, string> = {
    "above": "node_modules/above/index.js",
    "../../../../node_modules/shared/part.js": "repository/node_modules/shared/part.js",
    "../../../../../node_modules/above/index.js": "node_modules/above/index.js",
    "ABSOLUTE/node_modules/above/index.js": "node_modules/above/index.js",
  };
  for (const [written, path] of Object.entries(imports)) {
    await using environment = await nested("");
    const specifier = written.replace("ABSOLUTE", environment.outer);
    await environment.write(
      `repository/env/${MAIN}`,
      `import found from ${JSON.stringify(specifier)}; console.log(found);`,
    );
    const { message } = await assertRejects(() => environment.bundle(), KarotteError);
    assertStringIncludes(message, `"${environment.outer}/${path}" lies outside the environment`);
  }
});

Deno.test("bundleEnvironment() takes no file for a package that it does not have", async () => {
  await using environment = await nested('import found from "reaching"; console.log(found);');
  const { directory } = await environment.bundle();
  const bundle = await Deno.readTextFile(`${directory}/bundle/environment.js`);
  // The package's own code fails when it asks for the file.
  assertEquals([bundle.includes("secret"), bundle.includes("id_rsa.js")], [false, true]);
  await using linked = await nested('import found from "other"; console.log(found);');
  await Deno.mkdir(`${linked.outer}/repository/env/node_modules`);
  await Deno.symlink(linked.outer, `${linked.outer}/repository/env/node_modules/other`);
  await linked.write("index.js", "module.exports = 'secret';");
  const { message } = await assertRejects(() => linked.bundle(), KarotteError);
  assertStringIncludes(message, `"${linked.outer}/index.js" lies outside the environment`);
});
