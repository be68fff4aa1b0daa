import type { HostLink } from "../../protocol/host_link.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { RunContext } from "../../sdk/run_context.ts";
import type { Environment } from "../environment.ts";
import type { EventLog } from "../event_log.ts";
import type { Resources } from "../resources/resource_meter.ts";
import type { ConfiguredTool } from "../tool_calls.ts";
import type { Agent } from "./agent.ts";
import { MessageLoop } from "./message_loop.ts";
import { ScriptedSource } from "./scripted_source.ts";
import type { TurnSource } from "./turn_source.ts";

/** The parts of a run that agents are made of. */
export interface AgentParts {
  readonly config: EvaluationRunConfig;
  readonly environment: Pick<Environment, "fakeMessages">;
  /** The tools of the run's task, by their names. */
  readonly tools: ReadonlyMap<string, ConfiguredTool>;
  readonly context: RunContext;
  readonly events: EventLog;
  /** Measures what tool calls use, where the config asks for it. */
  readonly resources: Resources;
  readonly link: HostLink;
}

/**
 * Makes the agent of a run. Throws if the config asks for the environment's script and there is
 * none, or it has messages of a wrong shape.
 */
export function createAgent({ environment, context, ...parts }: AgentParts): Agent {
  const source = turnSource(environment, parts);
  return new MessageLoop({ ...parts, source, toolContext: context });
}

/**
 * Returns the script where the config asks for it; else the host, which asks a model or service.
 */
function turnSource(
  { fakeMessages }: AgentParts["environment"],
  { config, link }: Pick<AgentParts, "config" | "link">,
): TurnSource {
  if (!config.use_fake_model) return link;
  if (!fakeMessages) {
    throw new Error("There is no src/environment/fake_model.ts that exports getMessages(config)");
  }
  return new ScriptedSource(fakeMessages(config));
}
