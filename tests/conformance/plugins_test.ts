/** What becomes of a value of each entry point in each state: in source and in the binary alike. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { ALL_ENTRY_POINTS } from "../../src/entry_points/all.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import type { PluginReport } from "../../src/cli/plugins_report.ts";
import { karotte } from "../cli/karotte.ts";
import { makeOwn } from "../support/own_folder.ts";
import { testUnless } from "../support/whole.ts";
import { type PluginSample, SAMPLES, TEMPLATE_FOLDERS } from "./plugin_samples.ts";
import { BREAKAGES, type KINDS, unloadablePlugins } from "./unloadable_plugins.ts";

/**
 * In the compiled program modules are loaded otherwise; what becomes of their values is the same.
 */
const COMPILED = Deno.env.get("KAROTTE_BINARY") !== undefined;

/** Entries of one group: what the manifest says after `./GROUP_NAME.ts`, and the module's text. */
type Modules = Readonly<Record<string, { readonly text?: string; readonly attribute?: string }>>;

interface Checked extends PluginReport {
  readonly folder: string;
  readonly code: number;
  readonly stderr: string;
}

const IMPORT = 'import { CliAgent } from "@karotte/cli/sdk";\n';
const value = (source: string) => ({ text: `${IMPORT}export const value = ${source};\n` });

/** Registers, for every entry point, the entries that `modulesOf` makes, and has them checked. */
async function check(modulesOf: (sample: PluginSample) => Modules): Promise<Checked> {
  await using dir = await tempDir();
  const folder = await Deno.realPath(dir.path);
  const entryPoints: Record<string, Record<string, string>> = {};
  for (const [group, sample] of Object.entries(SAMPLES)) {
    const entries: Record<string, string> = entryPoints[`karotte.${group}`] = {};
    for (const [name, { text, attribute = "value" }] of Object.entries(modulesOf(sample))) {
      const file = `${group}_${name}.ts`;
      entries[name] = `./${file}#${attribute}`;
      if (text !== undefined) await Deno.writeTextFile(join(folder, file), text);
    }
  }
  for (const [path, isWhole] of Object.entries(TEMPLATE_FOLDERS)) {
    await Deno.mkdir(join(folder, path), { recursive: true });
    if (isWhole) await Deno.writeTextFile(join(folder, path, "template.json"), "{}");
  }
  const manifest = join(folder, "karotte.plugins.json");
  await Deno.writeTextFile(manifest, JSON.stringify({ entryPoints }));
  await makeOwn(folder, folder);
  const args = ["plugins", "check", "--json"];
  // No other manifest: neither the user's own, nor one above.
  const env = { HOME: folder, XDG_CONFIG_HOME: "" };
  const { code, stdout, stderr } = await karotte(args, { cwd: folder, env });
  return { ...JSON.parse(stdout), code, stderr, folder };
}

/** Looks at each entry point's part of what `check` found. */
async function forEach(
  t: Deno.TestContext,
  look: (group: string, sample: PluginSample) => void,
): Promise<void> {
  for (const [group, sample] of Object.entries(SAMPLES)) {
    await t.step(group, () => look(group, sample));
  }
}

function outcomes({ entries }: Checked, group: string) {
  return entries.filter((entry) => entry.group === `karotte.${group}`)
    .map(({ name, outcome, cause }) => [name, outcome, ...(cause === undefined ? [] : [cause])]);
}

function merged({ merged, folder }: Checked, group: string): unknown {
  const text = JSON.stringify(merged?.[`karotte.${group}`]).replaceAll(folder, "FOLDER");
  return JSON.parse(text);
}

/** Entry `a` was skipped with one warning, and `b`, which is good, is what is left. */
function assertSkipped(checked: Checked, group: string, sample: PluginSample, cause: string): void {
  const states = outcomes(checked, group);
  assertEquals(states.map(([name, outcome]) => [name, outcome]), [["a", "skipped"], [
    "b",
    "loaded",
  ]]);
  assertStringIncludes(String(states[0]?.[2]), cause.replaceAll("FOLDER", checked.folder));
  const warnings = checked.stderr.split("\n").filter((line) =>
    line.includes(`entry "a" of karotte.${group} from "./${group}_a.ts#`)
  );
  assertEquals(warnings.length, 1, checked.stderr);
  assertStringIncludes(warnings[0] ?? "", `(${checked.folder}/karotte.plugins.json) is skipped: `);
  assertStringIncludes(warnings[0] ?? "", String(states[0]?.[2]));
  assertEquals(warnings[0]?.endsWith(`; ${sample.consequence}`), sample.consequence !== undefined);
}

const withGood = (bad: Modules[string]) => ({ good }: PluginSample): Modules => ({
  a: bad,
  b: value(good[1]),
});

testUnless(COMPILED, "the table has every entry point", () => {
  assertEquals(
    Object.keys(SAMPLES).map((group) => `karotte.${group}`),
    ALL_ENTRY_POINTS.map(({ group }) => group).sort(),
  );
});

testUnless(COMPILED, "plugins: nothing installed", async (t) => {
  const checked = await check(() => ({}));
  assertEquals([checked.code, checked.stderr, checked.entries], [0, "", []]);
  await forEach(t, (group) => {
    const nothing = JSON.stringify(merged(checked, group));
    assertEquals(["null", "[]", "{}", '["@karotte/cli"]'].includes(nothing), true, nothing);
  });
});

Deno.test("plugins: one installed", async (t) => {
  const checked = await check(({ good }) => ({ a: value(good[0]) }));
  assertEquals([checked.code, checked.stderr], [0, ""]);
  await forEach(t, (group, { one }) => {
    assertEquals(outcomes(checked, group), [["a", "loaded"]]);
    assertEquals(merged(checked, group), one);
  });
});

testUnless(COMPILED, "plugins: several installed, in the order of their names", async (t) => {
  const checked = await check(({ good }) => ({ b: value(good[1]), a: value(good[0]) }));
  assertEquals([checked.code, checked.stderr], [0, ""]);
  await forEach(t, (group, { several }) => {
    assertEquals(outcomes(checked, group), [["a", "loaded"], ["b", "loaded"]]);
    assertEquals(merged(checked, group), several);
  });
});

testUnless(COMPILED, "plugins: misshapen", async (t) => {
  const checked = await check((sample) => withGood(value(sample.misshapen[0]))(sample));
  assertEquals(checked.code, 4);
  await forEach(t, (group, sample) => {
    assertSkipped(checked, group, sample, sample.misshapen[1]);
  });
});

testUnless(COMPILED, "plugins: wrong type", async (t) => {
  const checked = await check(withGood(value("42")));
  await forEach(t, (group, sample) => assertSkipped(checked, group, sample, sample.wrongType));
});

Deno.test("plugins: throws on import", async (t) => {
  const checked = await check(withGood({ text: 'throw new Error("no luck");' }));
  await forEach(t, (group, sample) => assertSkipped(checked, group, sample, "no luck"));
});

testUnless(COMPILED, "plugins: throws what is no error", async (t) => {
  const checked = await check(withGood({ text: "throw Object.create(null);" }));
  await forEach(t, (group, sample) => assertSkipped(checked, group, sample, ""));
});

Deno.test("plugins: missing file", async (t) => {
  const checked = await check(withGood({}));
  await forEach(t, (group, sample) => assertSkipped(checked, group, sample, "no such file"));
});

testUnless(COMPILED, "plugins: missing attribute", async (t) => {
  const checked = await check(withGood({ text: "export const other = 1;", attribute: "gone" }));
  const cause = 'no export "gone", it exports "other"';
  await forEach(t, (group, sample) => assertSkipped(checked, group, sample, cause));
});

Deno.test("plugins: syntax error", async (t) => {
  const checked = await check(withGood({ text: "export const value = ;" }));
  await forEach(t, (group, sample) => assertSkipped(checked, group, sample, "_a.ts:1:"));
});

Deno.test("plugins: ends the program", async (t) => {
  const text = 'import process from "node:process"; process.exit(0);';
  const checked = await check(withGood({ text }));
  const cause = "a plugin must not end the program";
  await forEach(t, (group, sample) => assertSkipped(checked, group, sample, cause));
});

testUnless(COMPILED, "plugins: never settles", async (t) => {
  const checked = await check(withGood({ text: "await new Promise(() => {});" }));
  const cause = "did not end within 10 s";
  await forEach(t, (group, sample) => assertSkipped(checked, group, sample, cause));
});

testUnless(COMPILED, "plugins: clash with something built in", async (t) => {
  const checked = await check(({ clash }) =>
    clash === undefined ? {} : { [clash.name]: value(clash.value) }
  );
  assertEquals(checked.code, 0);
  await forEach(t, (group, { clash }) => {
    if (clash === undefined) return;
    const start = `warning: entry "${clash.name}" of karotte.${group} from `;
    const [said = "", ...more] = checked.stderr.split("\n").filter((line) =>
      line.startsWith(start)
    );
    assertEquals([said.endsWith(clash.said), more], [true, []], checked.stderr);
    const isIgnored = clash.said.startsWith("is ignored");
    assertEquals(outcomes(checked, group)[0]?.[1], isIgnored ? "ignored" : "loaded");
  });
});

/**
 * How each command ends where a module of each kind can't be loaded; 2 is "no environment here".
 */
type Ends = Readonly<Record<keyof typeof KINDS, readonly (readonly [string, number])[]>>;

const WHERE_KNOWN: Ends = {
  preprocessors: [["run", 4], ["build", 4]],
  secrets: [["run", 2], ["run --env A=1", 4], ["build", 2]],
  others: [["run --env A=1", 2]],
};

const WHERE_UNKNOWN: Ends = {
  preprocessors: [["run", 4], ["build", 4]],
  secrets: [["run", 4], ["build", 4]],
  others: [["run", 4], ["build", 4]],
};

/** Checks each kind of module that can't be loaded in each way. */
async function checkUnloadable(
  t: Deno.TestContext,
  recorded: "nothing" | "lock file" | "cache",
  breakages: readonly (keyof typeof BREAKAGES)[],
): Promise<void> {
  await using plugins = await unloadablePlugins(recorded);
  for (const breakage of breakages) {
    // The texts that are left do not tell all.
    const isCut = breakage === "missing file" || breakage === "missing import";
    const isKnown = recorded !== "nothing" || !isCut;
    for (const [kind, ends] of Object.entries(isKnown ? WHERE_KNOWN : WHERE_UNKNOWN)) {
      await t.step(`${breakage}: ${kind}`, async () => {
        await Promise.all(ends.map(async ([command, expected]) => {
          const { code, stderr } = await plugins.call(command, `${kind} ${breakage}`);
          assertEquals(code, expected, `${command}: ${stderr}`);
          const said = expected === 4 ? "error: Cannot load " : "no src/environment there";
          assertStringIncludes(stderr, said);
        }));
      });
    }
  }
}

Deno.test("plugins that can't be loaded, of which nothing is recorded", async (t) => {
  await checkUnloadable(t, "nothing", Object.keys(BREAKAGES) as (keyof typeof BREAKAGES)[]);
});

Deno.test("plugins that can't be loaded in a fresh clone with a lock file", async (t) => {
  const changed = ["syntax error", "missing file", "throws on import"] as const;
  await checkUnloadable(t, "lock file", changed);
});

testUnless(true, "plugins that can't be loaded any more", async (t) => {
  await checkUnloadable(t, "cache", ["syntax error", "missing file", "missing package"]);
});
