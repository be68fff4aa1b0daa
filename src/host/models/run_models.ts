import { KarotteError } from "../../base/errors.ts";
import { callableProvider } from "../../models/callable_provider.ts";
import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import type { ExchangeCaller } from "../../models/recording/exchange.ts";
import type { Model } from "../../models/model.ts";
import { parseModelId } from "../../models/model_id.ts";
import type { ModelPrice } from "../../models/model_spec.ts";
import type { Redactor } from "../../records/redactor.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { NewEvent } from "../../schemas/transcript.ts";
import { agentNameOf, agentOf, BUILTIN_AGENTS, isExternal } from "../agents.ts";
import { baseUrl, noBackend } from "../backend/base_url.ts";
import type { ExternalSource } from "../backend/external_source.ts";
import type { JudgeKey } from "../environment/environment_settings.ts";
import { ModelJudge } from "./model_judge.ts";
import { RunAnswers, type StudentSource } from "./run_answers.ts";
import type { Conversation } from "./conversation.ts";
import type { ModelAccess } from "./model_access.ts";
import { secretKeys } from "./key_source.ts";
import { keyVariablesOf, resolveJudgeKey, resolveModelKey } from "./model_keys.ts";
import { ModelStudent } from "./model_student.ts";
import {
  appliedReasoningEffort,
  checkReasoningEffort,
  unappliedEffortWarning,
} from "./reasoning_effort.ts";

/** The models that answer in a command's runs. */
export interface RunModels {
  /** The level that the student's model is asked for; null = its default. */
  readonly reasoningEffort: string | null;
  /** The price of the student's model; null: not known. */
  readonly price: ModelPrice | null;
  /** The variables that keys are read from: the student must not see them. */
  readonly keyVariables: readonly string[];
  /** Returns what answers one of the runs. */
  forRun(run: AnsweredRun): RunAnswers;
}

/** A run as those who answer in it see it. */
export interface AnsweredRun {
  readonly config: EvaluationRunConfig;
  /** The conversation of the student, to which events are added as they are recorded. */
  readonly conversation: Conversation;
  /** The most turns of the student; null = no limit. */
  readonly turnLimit: number | null;
  /** The number of the run among those of the command, from 0. */
  readonly index: number;
  /** Is given each key before it is used. */
  readonly redactor: Redactor;
  /** Shows a line to the user: a call that is tried again. */
  told(line: string): void;
  /** Records an event of the host's own. */
  record(event: NewEvent): Promise<void>;
  /** Returns the agent that the run's backend speaks for; undefined without a backend. */
  external(): Pick<ExternalSource, "nextTurn"> | undefined;
}

export interface OpenRunModelsOptions extends ModelAccess {
  readonly config: EvaluationRunConfig;
  /** The models that the environment lists under `judge_models`. */
  readonly judgeModels: readonly string[];
  /** The keys that it names under `judge_keys`: the student must not see them either. */
  readonly judgeKeys: readonly JudgeKey[];
  /** No model will be asked. */
  readonly prepareOnly?: boolean;
  warn(text: string): void;
}

/**
 * Returns the models that a config's runs ask, with their keys. Throws a usage error for a model,
 * an agent, a backend, a reasoning effort or a key that can't be used, before anything is started.
 */
export function openRunModels(options: OpenRunModelsOptions): RunModels {
  const { config, warn } = options;
  checkReasoningEffort(config);
  checkAgent(options);
  if (config.backend_uri !== null) baseUrl(config.backend_uri);
  const keyOptions = {
    readVariable: options.readVariable,
    // An agent behind the backend calls its model itself.
    prepareOnly: options.prepareOnly || isExternal(config),
    proxied: options.proxyUrl !== undefined,
    replayed: options.isReplay,
  };
  const key = resolveModelKey(config, keyOptions);
  const prepareOnly = options.prepareOnly ?? false;
  const judgeKey = resolveJudgeKey(config, { ...keyOptions, prepareOnly });
  const secrets = secretKeys([key.key, judgeKey.key]);
  const effort = unappliedEffortWarning(config);
  const tier = options.readVariable(SERVICE_TIER_VARIABLE);
  if (tier && serviceTier(options) === undefined) {
    warn(`${SERVICE_TIER_VARIABLE} is "${tier}", which is neither "priority" nor "auto": ignored`);
  }
  for (const warning of [...key.warnings, ...judgeKey.warnings, ...(effort ? [effort] : [])]) {
    warn(warning);
  }
  const named = options.judgeKeys.map(({ variable }) => variable);
  const keyVariables = [...new Set([...keyVariablesOf(config), ...named])];
  options.forget(keyVariables);
  return {
    reasoningEffort: appliedReasoningEffort(config),
    price: modelSpec(config.model).price,
    keyVariables,
    forRun(run) {
      const { conversation, turnLimit, redactor } = run;
      redactor.add(secrets);
      const judge = new ModelJudge({
        config,
        redactor,
        keyOptions,
        allowed: options.judgeModels,
        judgeKeys: options.judgeKeys,
        open: (id, apiKey) => opened({ ...options, run, role: "judge", id, apiKey }),
        record: (event) => run.record(event),
      });
      const student = studentOf(
        run,
        () => opened({ ...options, run, role: "student", id: config.model, apiKey: key.key }),
      );
      return new RunAnswers(conversation, { student, judge, turnLimit, redactor });
    },
  };
}

function studentOf(run: AnsweredRun, open: () => Promise<Model>): StudentSource {
  const { config } = run;
  if (config.use_fake_model) return { nextTurn: refused };
  const external = isExternal(config) ? run.external() : undefined;
  if (external) return { nextTurn: (_, { signal }) => external.nextTurn(signal) };
  return new ModelStudent({ config, open, reasoningEffort: appliedReasoningEffort(config) });
}

/** Refuses a turn of a run whose script the harness plays by itself. */
function refused(): Promise<never> {
  return Promise.reject(new Error("The student is a script: there is no model to ask"));
}

function checkAgent({ config, proxyUrl }: OpenRunModelsOptions): void {
  if (config.use_fake_model) return;
  const turns = agentOf(config)?.turns ?? null;
  if (turns === null) {
    const name = agentNameOf(config);
    throw new KarotteError("usage", `Cannot use agent "${name}": there is no such agent`, {
      hint: `agents: ${BUILTIN_AGENTS.join(", ")}`,
    });
  }
  if (turns === "model") callableProvider(parseModelId(config.model), proxyUrl !== undefined);
  else if (config.backend_uri === null) throw noBackend();
}

interface Opening extends OpenRunModelsOptions {
  readonly run: AnsweredRun;
  readonly role: ExchangeCaller["role"];
  readonly id: string;
  readonly apiKey: string | null;
}

/** Opens a model. It loads the package that calls the provider, so it waits for the first call. */
async function opened({ run, role, id, apiKey, ...options }: Opening): Promise<Model> {
  const { openModel } = await import("../../models/open_model.ts");
  const { retrying } = await import("../../models/retrying.ts");
  const { countedFetch, tellingWaits } = await import("../../models/waiting.ts");
  const { proxyUrl, gates, clock } = options;
  const model = await openModel(id, {
    apiKey: apiKey ?? undefined,
    proxyUrl,
    serviceTier: serviceTier(options),
    fetch: countedFetch(options.fetchFor({
      runIndex: run.index,
      runId: run.config.run_id,
      role,
      redact: (text) => run.redactor.text(text),
    })),
  });
  const gate = gates.of(parseModelId(id).provider, proxyUrl ?? "");
  const patient = retrying(model, { gate, clock, onRetry: run.told });
  // A replay waits for nothing.
  if (options.isReplay) return patient;
  const whom = role === "student" ? "the model" : "the judge's model";
  return tellingWaits(patient, { clock, told: run.told, whom });
}

const SERVICE_TIER_VARIABLE = "KAROTTE_INFERENCE_SERVICE_TIER";

function serviceTier({ readVariable }: ModelAccess): "priority" | "auto" | undefined {
  const value = readVariable(SERVICE_TIER_VARIABLE);
  return value === "priority" || value === "auto" ? value : undefined;
}
