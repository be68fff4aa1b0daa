import { karotte } from "../../tests/cli/karotte.ts";
import { probeTask, testEnvironment } from "../../tests/cli/environment.ts";
import type { Measured } from "./measured.ts";
import { median, significant, timesOf } from "./samples.ts";
import { failure, ONLY_LOCAL_PLUGINS, successful } from "./successful.ts";

const PLUGINS = 20;
const NAMES = Array.from({ length: PLUGINS }, (_, index) => `tool_${index + 1}`);

const TASK = { "tasks/probe.ts": probeTask("new AlwaysPassJudge()") };

/**
 * The commands that need none of them: one that lists what they add, and one that reads nothing.
 */
const COMMANDS = [["--help"], ["tasks", "list"]];

/** What registered plugins cost a command that needs none of them. */
export async function measureIdlePlugins(signal: AbortSignal): Promise<Measured[]> {
  await using plain = await testEnvironment(TASK);
  await using crowded = await testEnvironment({ ...TASK, ...manifestAndPlugins() });
  await checkListed(crowded.path);
  const found: Measured[] = [];
  for (const args of COMMANDS) {
    const bodies = [crowded, plain].map(({ path: cwd }) => () => successful(args, { cwd }));
    const times = await timesOf(bodies, { rounds: 25, signal });
    const [many, none] = times.map(median) as [number, number];
    found.push({
      what: `karotte ${args.join(" ")} with ${PLUGINS} idle plugins against none`,
      value: many / none,
      unit: "x",
      target: 1.2,
      detail: `${significant(many)} ms against ${significant(none)} ms`,
    });
  }
  return found;
}

function manifestAndPlugins(): Record<string, string> {
  const modules = NAMES.map((name) => `./${name}.ts`);
  return {
    "/karotte.plugins.json": JSON.stringify({ plugins: modules }),
    ...Object.fromEntries(NAMES.map((name) => [`/${name}.ts`, plugin(name)])),
  };
}

function plugin(name: string): string {
  return `
    import { definePlugin } from "@karotte/cli/sdk";
    export default definePlugin({
      name: "${name} of Acme",
      entryPoints: { "karotte.cli": { ${name}: { description: "Does nothing.", main() {} } } },
    });`;
}

/** Plugins that were skipped would cost nothing. */
async function checkListed(cwd: string): Promise<void> {
  // What they add is known once they were loaded.
  await successful(["plugins", "check"], { cwd });
  const said = await karotte(["--help"], { cwd, env: ONLY_LOCAL_PLUGINS });
  const missing = NAMES.filter((name) => !said.stdout.includes(`From plugin "${name} of Acme"`));
  if (missing.length > 0) throw failure("idle plugins", said);
}
