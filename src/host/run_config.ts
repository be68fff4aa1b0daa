import { KarotteError } from "../base/errors.ts";
import { warn } from "../base/log.ts";
import { problems } from "../schemas/problems.ts";
import {
  type EvaluationRunConfig,
  RUN_CONFIG_FIELDS,
  runConfigSchema,
} from "../schemas/run_config.ts";
import { splitModelId } from "../models/model_id.ts";
import { didYouMean } from "../base/did_you_mean.ts";
import { type JsonSource, parseJsonObject, readJsonSource } from "./json_source.ts";

/** The fields that `karotte run` has flags for; undefined leaves the file's value. */
export interface RunConfigFlags {
  readonly task?: string | undefined;
  readonly model?: string | undefined;
  readonly modelApiKey?: string | undefined;
  readonly reasoningEffort?: string | undefined;
  readonly transcriptFile?: string | undefined;
  readonly turnLimit?: number | undefined;
  readonly runId?: string | undefined;
  readonly fakeModel?: boolean | undefined;
  readonly judgeModel?: string | undefined;
  readonly maxJudgeQuestions?: number | undefined;
  readonly maxJudgeTokens?: number | undefined;
  readonly maxJudgeCost?: number | undefined;
}

export interface RunConfigRequest {
  /** JSON text, or the path of a file that holds it. Absent: the flags say all. */
  readonly config?: string | undefined;
  /** Win over the config's fields. */
  readonly flags?: RunConfigFlags;
  /** Told of each field that nothing reads. */
  readonly warn?: (text: string) => void;
}

/** Stands for the model where the environment's scripted one plays it and none is named. */
const SCRIPTED_MODEL = "fake/scripted";

/**
 * The run config that a file, JSON text and flags amount to. Throws a usage error that names every
 * field that is wrong; writes nothing.
 */
export async function resolveRunConfig(request: RunConfigRequest): Promise<EvaluationRunConfig> {
  const flags = fieldsOf(request.flags ?? {});
  const source = request.config === undefined ? undefined : await readJsonSource(request.config);
  const fields = source === undefined ? withoutConfig(flags) : await parseJsonObject(source);
  warnOfUnknownFields(fields, request.warn ?? warn);
  const merged = withModel({ ...fields, ...flags });
  const parsed = runConfigSchema.safeParse(merged);
  if (parsed.success) {
    if (flags.rubric_judge_model !== undefined) {
      checkJudgeKey(parsed.data, fields.rubric_judge_model);
    }
    return parsed.data;
  }
  throw new KarotteError(
    "usage",
    `Cannot use ${nameOf(source)}: ${problems(parsed.error, merged).join("; ")}`,
    { hint: "karotte create-run-config writes a config with all fields" },
  );
}

/** The configs of `count` parallel runs: each with a run id, port and transcript of its own. */
export function splitRuns(config: EvaluationRunConfig, count: number): EvaluationRunConfig[] {
  if (count === 1) return [config];
  return Array.from({ length: count }, (_, index) => ({
    ...config,
    run_id: `${config.run_id}-${index}`,
    websocket_config: {
      ...config.websocket_config,
      port: config.websocket_config.port + index,
    },
    ...(typeof config.transcript_file === "string"
      ? { transcript_file: numbered(config.transcript_file, index) }
      : {}),
  }));
}

/** Eight hex digits. */
export function randomRunId(): string {
  return crypto.randomUUID().slice(0, 8);
}

function numbered(path: string, index: number): string {
  return `${path.replace(/\.json$/, "")}_${index}.json`;
}

function fieldsOf(flags: RunConfigFlags): Record<string, unknown> {
  const fields = {
    task_id: flags.task,
    model: flags.model,
    model_api_key: flags.modelApiKey,
    reasoning_effort: flags.reasoningEffort,
    transcript_file: flags.transcriptFile,
    turn_limit: flags.turnLimit,
    run_id: flags.runId,
    use_fake_model: flags.fakeModel,
    rubric_judge_model: flags.judgeModel,
    max_judge_questions: flags.maxJudgeQuestions,
    max_judge_tokens: flags.maxJudgeTokens,
    max_judge_cost: flags.maxJudgeCost,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Refuses to send a key to another provider than the one that the file has it for. */
function checkJudgeKey(config: EvaluationRunConfig, inFile: unknown): void {
  const { rubric_judge_model: model, rubric_judge_api_key: key } = config;
  const meant = inFile ?? config.model;
  if (model === null || key === null || typeof meant !== "string") return;
  if (splitModelId(model).provider === splitModelId(meant).provider) return;
  throw new KarotteError(
    "usage",
    `Cannot use --judge-model "${model}": rubric_judge_api_key is for "${meant}"`,
    { hint: "set both fields in the run config, or leave rubric_judge_api_key out" },
  );
}

function withoutConfig(flags: Record<string, unknown>): Record<string, unknown> {
  const missing = [
    ...(flags.task_id === undefined ? ["--task"] : []),
    ...(flags.model === undefined && flags.use_fake_model !== true ? ["--model"] : []),
  ];
  if (missing.length === 0) return { run_id: randomRunId() };
  throw new KarotteError("usage", `Cannot run without ${missing.join(" and ")}`, {
    hint: "give --config FILE, or --task TASK and --model MODEL (or --fake-model)",
  });
}

function withModel(fields: Record<string, unknown>): Record<string, unknown> {
  return fields.use_fake_model === true && fields.model === undefined
    ? { ...fields, model: SCRIPTED_MODEL }
    : fields;
}

function warnOfUnknownFields(
  fields: Record<string, unknown>,
  warn: (text: string) => void,
): void {
  for (const field of Object.keys(fields)) {
    if (RUN_CONFIG_FIELDS.includes(field)) continue;
    const guess = didYouMean(field, RUN_CONFIG_FIELDS);
    const hint = guess === undefined ? "" : `; did you mean "${guess}"?`;
    warn(`the run config has an unknown field "${field}", which is ignored${hint}`);
  }
}

function nameOf(source: JsonSource | undefined): string {
  return source === undefined ? "these flags" : source.name;
}
