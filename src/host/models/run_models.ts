import { KarotteError } from "../../base/errors.ts";
import { modelSpec } from "../../models/catalog.ts";
import type { Gates } from "../../models/gate.ts";
import type { Model } from "../../models/model.ts";
import { parseModelId } from "../../models/model_id.ts";
import type { ModelPrice } from "../../models/model_spec.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import { baseUrl } from "../backend/base_url.ts";
import type { ExternalSource } from "../backend/external_source.ts";
import type { Redactor } from "../redactor.ts";
import type { Spent } from "../usage_text.ts";
import { JudgeModels } from "./judge_source.ts";
import type { JudgeSource, StudentSource } from "./model_calls.ts";
import { keyVariablesOf, resolveJudgeKey, resolveModelKey } from "./model_keys.ts";
import { ModelStudent } from "./model_student.ts";
import {
  appliedReasoningEffort,
  checkReasoningEffort,
  resolvedAgent,
  unappliedEffortWarning,
} from "./reasoning_effort.ts";

/** Who answers in a command's runs. */
export interface RunModels {
  /** What the student's model is asked for; null = its default. */
  readonly reasoningEffort: string | null;
  /** Of the student's model; null: not known. */
  readonly price: ModelPrice | null;
  /** Variables that keys are read from: the student must not see them. */
  readonly keyVariables: readonly string[];
  forRun(run: ModelledRun): RunSources;
}

export interface ModelledRun {
  readonly config: EvaluationRunConfig;
  /** Counts the runs of the command. */
  readonly index: number;
  /** Is told of each key before it is used. */
  readonly redactor: Redactor;
  /** Shows a line to the user: a call that is tried again. */
  told(line: string): void;
  /** The agent that the run's backend speaks for; undefined without a backend. */
  external(): Pick<ExternalSource, "nextTurn"> | undefined;
}

export interface RunSources {
  readonly student: StudentSource;
  readonly judge: JudgeSource;
  /** What the judges' models took so far; null if none was asked. */
  judged(): Spent | null;
}

/** Whose call it is. */
export interface Caller {
  readonly runIndex: number;
  readonly runId: string;
  readonly role: "student" | "judge";
}

/** How a command calls models. */
export interface CallOptions {
  readonly proxyUrl: string | undefined;
  readonly gates: Gates;
  /** What a call goes through. */
  fetchFor(caller: Caller): typeof fetch;
  readonly env: (name: string) => string | undefined;
}

export interface OpenRunModelsOptions extends CallOptions {
  readonly config: EvaluationRunConfig;
  /** What the environment lists under `judge_models`. */
  readonly judgeModels: readonly string[];
  /** Nothing will be asked. */
  readonly prepareOnly?: boolean;
  warn(text: string): void;
}

/**
 * The models that a config's runs ask, with their keys. Throws a usage error for a model, an agent,
 * a backend, a reasoning effort or a key that can't be used, before anything is started.
 */
export function openRunModels(options: OpenRunModelsOptions): RunModels {
  const { config, warn, proxyUrl } = options;
  checkReasoningEffort(config);
  checkAgent(config);
  if (config.backend_uri !== null) baseUrl(config.backend_uri);
  const keyOptions = {
    env: options.env,
    prepareOnly: options.prepareOnly ?? false,
    proxied: proxyUrl !== undefined,
  };
  const key = resolveModelKey(config, keyOptions);
  const judgeKey = resolveJudgeKey(config, keyOptions);
  const effort = unappliedEffortWarning(config);
  const tier = options.env(SERVICE_TIER_VARIABLE);
  if (tier && serviceTier(options) === undefined) {
    warn(`${SERVICE_TIER_VARIABLE} is "${tier}", which is neither "priority" nor "auto": ignored`);
  }
  for (const warning of [...key.warnings, ...judgeKey.warnings, ...(effort ? [effort] : [])]) {
    warn(warning);
  }
  return {
    reasoningEffort: appliedReasoningEffort(config),
    price: modelSpec(config.model).price,
    keyVariables: keyVariablesOf(config),
    forRun(run) {
      run.redactor.add([key.key ?? "", judgeKey.key ?? ""]);
      const judge = new JudgeModels({
        run,
        keyOptions,
        allowed: options.judgeModels,
        open: (id, apiKey) => opened({ ...options, run, role: "judge", id, apiKey }),
      });
      const student = studentOf(
        config,
        () => opened({ ...options, run, role: "student", id: config.model, apiKey: key.key }),
      );
      return { student, judge, judged: () => judge.spent };
    },
  };

  function studentOf(config: EvaluationRunConfig, open: () => Promise<Model>): StudentSource {
    if (config.use_fake_model) return { nextTurn: refused };
    return new ModelStudent({ config, open, reasoningEffort: appliedReasoningEffort(config) });
  }
}

/** The harness plays the script by itself. */
function refused(): Promise<never> {
  return Promise.reject(new Error("The student is a script: there is no model to ask"));
}

function checkAgent(config: EvaluationRunConfig): void {
  const agent = resolvedAgent(config);
  if (config.use_fake_model || agent === "builtin") {
    if (!config.use_fake_model) parseModelId(config.model);
    return;
  }
  throw new KarotteError("usage", `Cannot use agent "${agent}": there is no such agent`, {
    hint: "agents: builtin, external",
  });
}

interface Opening extends OpenRunModelsOptions {
  readonly run: ModelledRun;
  readonly role: Caller["role"];
  readonly id: string;
  readonly apiKey: string | null;
}

/** Loads what calls the provider, so not before the first call. */
async function opened({ run, role, id, apiKey, ...options }: Opening): Promise<Model> {
  const { openModel } = await import("../../models/open_model.ts");
  const { retrying } = await import("../../models/retrying.ts");
  const { proxyUrl, gates } = options;
  const model = await openModel(id, {
    apiKey: apiKey ?? undefined,
    proxyUrl,
    serviceTier: serviceTier(options),
    fetch: options.fetchFor({ runIndex: run.index, runId: run.config.run_id, role }),
  });
  const gate = gates.of(parseModelId(id).provider, proxyUrl ?? "");
  return retrying(model, { gate, onRetry: run.told });
}

const SERVICE_TIER_VARIABLE = "KAROTTE_INFERENCE_SERVICE_TIER";

function serviceTier({ env }: CallOptions): "priority" | "auto" | undefined {
  const value = env(SERVICE_TIER_VARIABLE);
  return value === "priority" || value === "auto" ? value : undefined;
}
