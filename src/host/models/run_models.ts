import { KarotteError } from "../../base/errors.ts";
import { callableProvider } from "../../models/callable_provider.ts";
import { modelSpec } from "../../models/catalog/model_spec_of.ts";
import type { ExchangeCaller } from "../../models/recording/exchange.ts";
import type { Model } from "../../models/model.ts";
import { parseModelId } from "../../models/model_id.ts";
import type { ModelPrice } from "../../models/model_spec.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import { baseUrl, noBackend } from "../backend/base_url.ts";
import { ModelJudge } from "./model_judge.ts";
import type { ModelledRun, RunSources } from "./run_sources.ts";
import type { StudentSource } from "./model_calls.ts";
import type { CallOptions } from "./open_calls.ts";
import { secretKeys } from "./key_source.ts";
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
  const { config, warn } = options;
  checkReasoningEffort(config);
  checkAgent(options);
  if (config.backend_uri !== null) baseUrl(config.backend_uri);
  const keyOptions = {
    env: options.env,
    // An agent elsewhere calls its model itself.
    prepareOnly: options.prepareOnly || isExternal(config),
    proxied: options.proxyUrl !== undefined,
    replayed: options.isReplay,
  };
  const key = resolveModelKey(config, keyOptions);
  const prepareOnly = options.prepareOnly ?? false;
  const judgeKey = resolveJudgeKey(config, { ...keyOptions, prepareOnly });
  const secrets = secretKeys([key.key, judgeKey.key]);
  const effort = unappliedEffortWarning(config);
  const tier = options.env(SERVICE_TIER_VARIABLE);
  if (tier && serviceTier(options) === undefined) {
    warn(`${SERVICE_TIER_VARIABLE} is "${tier}", which is neither "priority" nor "auto": ignored`);
  }
  for (const warning of [...key.warnings, ...judgeKey.warnings, ...(effort ? [effort] : [])]) {
    warn(warning);
  }
  const keyVariables = keyVariablesOf(config);
  options.forget(keyVariables);
  return {
    reasoningEffort: appliedReasoningEffort(config),
    price: modelSpec(config.model).price,
    keyVariables,
    forRun(run) {
      run.redactor.add(secrets);
      const judge = new ModelJudge({
        run,
        keyOptions,
        allowed: options.judgeModels,
        open: (id, apiKey) => opened({ ...options, run, role: "judge", id, apiKey }),
      });
      const student = studentOf(
        run,
        () => opened({ ...options, run, role: "student", id: config.model, apiKey: key.key }),
      );
      return { student, judge, judged: () => judge.spent };
    },
  };
}

function studentOf(run: ModelledRun, open: () => Promise<Model>): StudentSource {
  const { config } = run;
  if (config.use_fake_model) return { nextTurn: refused };
  const external = isExternal(config) ? run.external() : undefined;
  if (external) return { nextTurn: (_, { signal }) => external.nextTurn(signal) };
  return new ModelStudent({ config, open, reasoningEffort: appliedReasoningEffort(config) });
}

/** The harness plays the script by itself. */
function refused(): Promise<never> {
  return Promise.reject(new Error("The student is a script: there is no model to ask"));
}

function isExternal(config: EvaluationRunConfig): boolean {
  return !config.use_fake_model && resolvedAgent(config) === "external";
}

function checkAgent({ config, proxyUrl }: OpenRunModelsOptions): void {
  if (config.use_fake_model) return;
  const agent = resolvedAgent(config);
  if (agent === "builtin") {
    callableProvider(parseModelId(config.model), proxyUrl !== undefined);
    return;
  }
  if (agent !== "external") {
    throw new KarotteError("usage", `Cannot use agent "${agent}": there is no such agent`, {
      hint: "agents: builtin, external",
    });
  }
  if (config.backend_uri === null) throw noBackend();
}

interface Opening extends OpenRunModelsOptions {
  readonly run: ModelledRun;
  readonly role: ExchangeCaller["role"];
  readonly id: string;
  readonly apiKey: string | null;
}

/** Loads what calls the provider, so not before the first call. */
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

function serviceTier({ env }: CallOptions): "priority" | "auto" | undefined {
  const value = env(SERVICE_TIER_VARIABLE);
  return value === "priority" || value === "auto" ? value : undefined;
}
