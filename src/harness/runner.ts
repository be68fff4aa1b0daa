import { messageOf } from "../base/errors.ts";
import { orAbort } from "../base/promises.ts";
import type { HostLink } from "../protocol/host_link.ts";
import type { ToolSchema } from "../protocol/tool_schema.ts";
import { message } from "../schemas/message.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import { type RunStatus, warningEvent } from "../schemas/transcript.ts";
import type { Scoring } from "../schemas/scoring.ts";
import type { StudentLimits } from "../schemas/student_limits.ts";
import type { RunContext } from "../sdk/run_context.ts";
import type { Step, Task } from "../sdk/task.ts";
import type { Agent } from "./agents/agent.ts";
import type { EventLog } from "./event_log.ts";
import { instructionsOf } from "./instructions.ts";
import { messageAdded } from "./messages.ts";
import { hookMetadata } from "./metadata.ts";
import { misbehaviorVerdict, scoreStep } from "./scoring.ts";
import { Resources } from "./resources/resource_meter.ts";
import type { ConfiguredTool } from "./tool_calls.ts";

/** The parts that a task is set up with. */
export interface TaskSetup<Loaded extends ConfiguredTask> {
  readonly config: EvaluationRunConfig;
  readonly events: EventLog;
  readonly link: HostLink;
  readonly context: RunContext;
  /** The level of reasoning effort that the model is asked for; null = its default. */
  readonly reasoningEffort: string | null;
  /** Measures what steps use; absent: nobody can tell. */
  readonly resources?: Resources;
  /** Recorded right after the start of the task. */
  readonly warnings: readonly string[];
  /** Recorded after the warnings; absent: the student has none. */
  readonly limits?: StudentLimits;
  /** Makes the task. What it throws is the error that ends the run. */
  loadTask(): Promise<Loaded>;
}

/** A task, with the tools that it offers by their names. */
export interface ConfiguredTask {
  readonly task: Task;
  readonly tools: ReadonlyMap<string, ConfiguredTool>;
}

/** A task that can be run: an agent drives its student. */
export interface LoadedTask extends ConfiguredTask {
  readonly agent: Agent;
}

/** The parts that a task is run with. */
export interface RunSetup extends TaskSetup<LoadedTask> {
  /**
   * Ends the student's part of a step before it is scored. Throws a `StudentMisbehaviorError` for
   * what scores 0.
   */
  endStudentsPart(step: Step): Promise<void>;
}

/** Runs the task to its end. Never throws for what the task, its tools or its judges do. */
export async function runTask(run: RunSetup): Promise<RunStatus> {
  let status: RunStatus;
  try {
    status = await orAbort(runSteps(run), run.context.signal);
  } catch (error) {
    status = "error";
    await run.events.emit(errorEvent(error));
  }
  await run.events.emit({ type: "task_completed", status });
  return status;
}

/** Does everything that comes before a task's first step. Throws what the task throws. */
export async function setUpTask<Loaded extends ConfiguredTask>(
  run: TaskSetup<Loaded>,
): Promise<Loaded> {
  await run.link.activity({ name: "loading the task", kind: "setup" });
  const loaded = await run.loadTask();
  const steps = loaded.task.steps;
  await run.events.emit({
    type: "task_started",
    run_id: run.config.run_id,
    task_id: loaded.task.id,
    model: run.config.model,
    n_steps: "length" in steps && typeof steps.length === "number" ? steps.length : -1,
    reasoning_effort: run.reasoningEffort,
    use_hints: run.config.use_hints,
  });
  for (const text of run.warnings) await run.events.emit(warningEvent(text));
  if (run.limits) await run.events.emit({ type: "student_limits", metadata: run.limits });
  await run.link.declareTools([...loaded.tools].map(toolSchema));
  await prepareTask(run, loaded.task);
  return loaded;
}

async function runSteps(run: RunSetup): Promise<RunStatus> {
  const { agent, task } = await setUpTask(run);
  let index = 0;
  for (const step of task.steps) {
    if (!(await runStep(run, { agent, step, index, task }))) return "failed";
    index += 1;
  }
  return "passed";
}

async function prepareTask(run: TaskSetup<ConfiguredTask>, task: Task): Promise<void> {
  await run.link.activity({ name: "preHook", kind: "hook" });
  const metadata = await task.preHook(run.context) ?? {};
  await run.events.emit({ type: "task_pre_hook_completed", metadata: hookMetadata(metadata) });
  const prompt = task.systemPrompt;
  if (prompt !== null) {
    await run.events.emit(messageAdded(message({ role: "system", content: prompt })));
  }
}

interface StepRun {
  readonly agent: Agent;
  readonly step: Step;
  readonly index: number;
  readonly task: Task;
}

/** Runs a step and scores it. Tells whether the task goes on after it. */
async function runStep(run: RunSetup, { agent, step, index, task }: StepRun): Promise<boolean> {
  const { events, link, context, resources = new Resources(undefined) } = run;
  using meter = resources.meter();
  await events.emit({ type: "step_started", step: index });
  await agent.runStep(index, instructionsOf(step, run.config, index));
  for (const path of extraArtifacts(run.config)) await context.saveArtifact(path);
  const scoring = await verdictOn(run, { step, index, task });
  await events.emit({ type: "scoring", scoring, resource_metrics: resources.endStep(meter) });
  await link.activity({ name: `postHook of step ${index}`, kind: "hook" });
  await step.postHook(context, scoring);
  await events.emit({ type: "step_completed", step: index });
  return scoring.continue_task;
}

/** Ends the student's part of a step, and scores it. */
async function verdictOn(
  run: RunSetup,
  { step, index, task }: Omit<StepRun, "agent">,
): Promise<Scoring> {
  const { events, link, context } = run;
  // The student's turn still: it may have filled the sandbox.
  await link.activity({ name: `end of the student's part of step ${index}`, kind: "turn" });
  try {
    await run.endStudentsPart(step);
  } catch (error) {
    return misbehaviorVerdict(error);
  }
  await link.activity({ name: `scoring of step ${index}`, kind: "scoring" });
  const limitSeconds = task.scoringTimeLimitSeconds;
  return await scoreStep(step, events.transcript, { context, limitSeconds });
}

function extraArtifacts(config: EvaluationRunConfig): string[] {
  return [config.extra_config?.extra_artifact_paths ?? []].flat();
}

function toolSchema([name, { tool }]: [string, ConfiguredTool]): ToolSchema {
  return { name, description: tool.description, input_schema: { ...tool.inputSchema } };
}

/** Returns the event of an error that ends a run. */
export function errorEvent(error: unknown) {
  return {
    type: "error" as const,
    exception_type: error instanceof Error ? error.name : typeof error,
    message: messageOf(error),
    traceback: error instanceof Error ? error.stack ?? null : null,
  };
}
