import { join } from "@std/path";
import { tempDir } from "../../src/base/temp_dir.ts";
import { karotte, type Said } from "../cli/karotte.ts";
import { SAMPLES } from "./plugin_samples.ts";

type Group = keyof typeof SAMPLES;

/** Kinds of modules by what it means that they are missing; the groups that each has entries of. */
export const KINDS = {
  preprocessors: ["run_config_preprocessors"],
  secrets: ["harness_secret_env"],
  others: (Object.keys(SAMPLES) as Group[]).filter((group) =>
    group !== "run_config_preprocessors" && group !== "harness_secret_env"
  ),
} satisfies Record<string, readonly Group[]>;

/** Ways in which a module can't be loaded: what becomes of its text. */
export const BREAKAGES = {
  "syntax error": (text: string) => `${text}\nexport const broken = ;\n`,
  "missing file": () => undefined,
  "missing import": (text: string) => `import "./there_is_none.ts";\n${text}`,
  "missing package": (text: string) => `import "npm:karotte-there-is-none@1";\n${text}`,
  // It is not changed: a lock file tells of it as it is now.
  "throws on import": (text: string) => text,
} satisfies Record<string, (text: string) => string | undefined>;

const THROWS = 'if (Deno.env.get("ACME_BROKEN")) throw new Error("no luck");\n';

/**
 * Writes a plugin of each kind, and breaks it in each way after what it adds was recorded; commands
 * are called in a folder without an environment, with one of them.
 */
export async function unloadablePlugins(recorded: "nothing" | "lock file" | "cache") {
  const dir = await tempDir();
  const folder = await Deno.realPath(dir.path);
  const elsewhere = join(folder, "elsewhere");
  await Deno.mkdir(elsewhere);
  // That of the sample of templates.
  await Deno.mkdir(join(folder, "one", "first"), { recursive: true });
  await Deno.writeTextFile(join(folder, "one", "first", "template.json"), "{}");
  const env = { HOME: elsewhere, XDG_CONFIG_HOME: "", KAROTTE_CACHE: join(folder, "cache") };
  const broken: [path: string, text: string | undefined][] = [];
  const all: string[] = [];
  for (const [kind, groups] of Object.entries(KINDS)) {
    for (const [breakage, change] of Object.entries(BREAKAGES)) {
      const name = `${kind} ${breakage}`;
      const text = THROWS + textOf(groups, name);
      await Deno.writeTextFile(join(folder, `${name}.ts`), text);
      await writeManifest(`${name}.json`, [`./${name}.ts`]);
      all.push(`./${name}.ts`);
      broken.push([join(folder, `${name}.ts`), change(text)]);
    }
  }
  await writeManifest("all.json", all);
  if (recorded !== "nothing") {
    const args = ["plugins", recorded === "cache" ? "list" : "check", "--plugins", "../all.json"];
    const load = recorded === "cache" ? ["--load"] : [];
    const { stderr } = await karotte([...args, ...load], { cwd: elsewhere, env });
    if (stderr.includes("is skipped")) throw new Error(stderr);
  }
  for (const [path, text] of broken) {
    if (text === undefined) await Deno.remove(path);
    else await Deno.writeTextFile(path, text);
  }
  if (recorded === "lock file") await Deno.remove(env.KAROTTE_CACHE, { recursive: true });

  async function writeManifest(file: string, plugins: readonly string[]): Promise<void> {
    await Deno.writeTextFile(join(folder, file), JSON.stringify({ plugins }));
  }

  return {
    /** Calls `run` or `build` with one plugin. */
    async call(command: string, plugin: string): Promise<Said> {
      const args = [...command.split(" "), "--offline", "--plugins", `../${plugin}.json`];
      const task = command.startsWith("run") ? ["--task", "none", "--fake-model"] : [];
      const options = { cwd: elsewhere, env: { ...env, ACME_BROKEN: "1" } };
      return await karotte([...args, ...task], options);
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** Returns the text of a plugin with an entry of its own in each of the groups. */
function textOf(groups: readonly Group[], name: string): string {
  const entries = groups.map((group) => {
    const value = SAMPLES[group].good[0];
    return `  "karotte.${group}": { ${JSON.stringify(name)}: ${value} },\n`;
  });
  return [
    'import { CliAgent, definePlugin } from "@karotte/cli/sdk";\n',
    "export default definePlugin({\n",
    `name: ${JSON.stringify(name)}, entryPoints: {\n`,
    ...entries,
    "} });\n",
  ].join("");
}
