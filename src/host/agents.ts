import { isTrainingModel } from "../models/model_id.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";

/** An agent that the `agent` of a run config can name. */
export interface KnownAgent {
  readonly name: string;
  /** What answers the student's turns; null: Karotte can't start this agent. */
  readonly turns: "model" | "backend" | null;
  /** Whether it asks its model for the config's `reasoning_effort`. */
  readonly setsEffort: boolean;
  /** The level that it asks for where the config names none and the model has it. */
  readonly defaultEffort: string | null;
}

/** The fields of a run config that say what drives the student. */
export type AgentConfig = Pick<EvaluationRunConfig, "agent" | "model" | "use_fake_model">;

const BUILTIN: KnownAgent = {
  name: "builtin",
  turns: "model",
  setsEffort: true,
  defaultEffort: null,
};

const EXTERNAL: KnownAgent = {
  name: "external",
  turns: "backend",
  setsEffort: false,
  defaultEffort: null,
};

/** Each agent that Karotte knows by its name: a new one is a row here. */
const AGENTS: readonly KnownAgent[] = [
  BUILTIN,
  EXTERNAL,
  { name: "grok-build", turns: null, setsEffort: true, defaultEffort: "high" },
];

/** The names of agents that need no plugin: a plugin's agent of such a name is ignored. */
export const BUILTIN_AGENTS: readonly string[] = AGENTS.flatMap(({ name, turns }) =>
  turns === null ? [] : [name]
);

/** Returns the name of what drives the student: the config's `agent`, else what its model needs. */
export function agentNameOf({ agent, model }: Pick<AgentConfig, "agent" | "model">): string {
  return agent ?? (isTrainingModel(model) ? EXTERNAL : BUILTIN).name;
}

/** Returns what drives the student; undefined: nothing of that name is known. */
export function agentOf(config: Pick<AgentConfig, "agent" | "model">): KnownAgent | undefined {
  const wanted = agentNameOf(config);
  return AGENTS.find(({ name }) => name === wanted);
}

/** Tells whether the student's turns come from an agent behind the run's backend. */
export function isExternal(config: AgentConfig): boolean {
  return !config.use_fake_model && agentOf(config)?.turns === "backend";
}

/** Returns a warning for a config that names an agent and has the script play it all the same. */
export function unstartedAgentWarning({ agent, use_fake_model }: AgentConfig): string | undefined {
  if (!use_fake_model || agent === null || agent === BUILTIN.name) return undefined;
  return `agent "${agent}" is not started: the fake model takes its place`;
}
