import { KarotteError, messageOf } from "../base/errors.ts";
import { reportLine } from "../base/log.ts";
import { didYouMean } from "../base/did_you_mean.ts";
import { randomRunId } from "../host/run_config.ts";
import { type EvaluationRunConfig, runConfigSchema } from "../schemas/run_config.ts";
import { defineCommand } from "./command.ts";
import { approvedSoFar } from "./project_trust.ts";
import { describeEnvironment } from "../host/environment/describe_environment.ts";

export const command = defineCommand({
  description: `
Writes a run config with all its fields, for one task of the environment, and prints its path.

  karotte create-run-config --model anthropic/claude-sonnet-4-5 --model-api-key '$MY_KEY'
  karotte run --config run_config.json`,
  flags: {
    model: { type: "string", value: "MODEL", help: "The student's model: provider/name." },
    modelApiKey: {
      type: "string",
      value: "KEY",
      help: "Its key, or $NAME to read it from a variable (default: the provider's own variable).",
    },
    task: { type: "string", value: "TASK", help: "The task (default: the first by id)." },
    force: { type: "boolean", help: "Replace the file if it exists." },
  },
  positionals: {
    configPath: {
      value: "CONFIG_PATH",
      optional: true,
      help: "The file to write (default: run_config.json).",
    },
  },
  async run({ flags, positionals }, { directory, plugins }) {
    if (flags.model === undefined) {
      throw new KarotteError("usage", "Cannot write a run config without --model", {
        hint: "for example --model anthropic/claude-sonnet-4-5",
      });
    }
    const path = positionals.configPath ?? "run_config.json";
    if (!flags.force) await checkAbsent(path);
    const { npmrc } = await approvedSoFar({ directory, flags: plugins });
    const { tasks } = await describeEnvironment({ directory, trustsNpmrc: npmrc });
    const config = runConfigSchema.parse({
      run_id: randomRunId(),
      task_id: chooseTask(tasks.map(({ id }) => id), flags.task),
      model: flags.model,
      model_api_key: flags.modelApiKey ?? null,
      transcript_file: "out/transcript.json",
    });
    await writeConfig(path, config, flags.force ?? false);
    reportLine(path);
  },
});

function chooseTask(ids: readonly string[], wanted: string | undefined): string {
  const [first] = [...ids].sort();
  if (first === undefined) {
    throw new KarotteError("usage", "Cannot choose a task: the environment has none", {
      hint: "export one from a file in src/environment/tasks",
    });
  }
  if (wanted === undefined || ids.includes(wanted)) return wanted ?? first;
  const guess = didYouMean(wanted, ids);
  throw new KarotteError("usage", `Cannot use task "${wanted}": the environment does not have it`, {
    hint: `${guess ? `did you mean ${guess}? ` : ""}its tasks are ${[...ids].sort().join(", ")}`,
  });
}

/** Early, before the environment is built; `writeConfig` looks again. */
async function checkAbsent(path: string): Promise<void> {
  const exists = await Deno.lstat(path).then(() => true, () => false);
  if (exists) throw existing(path);
}

async function writeConfig(
  path: string,
  config: EvaluationRunConfig,
  force: boolean,
): Promise<void> {
  const key = config.model_api_key;
  const holdsKey = key !== null && !key.startsWith("$");
  try {
    await Deno.writeTextFile(path, `${JSON.stringify(config, null, 2)}\n`, {
      createNew: !force,
      ...(holdsKey ? { mode: 0o600 } : {}),
    });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw existing(path);
    throw new KarotteError("usage", `Cannot write "${path}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function existing(path: string): KarotteError {
  return new KarotteError("usage", `Cannot write "${path}": it exists`, {
    hint: "give another path, or --force to replace it",
  });
}
