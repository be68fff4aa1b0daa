import { messageOf } from "../base/errors.ts";
import { logLine } from "../base/log.ts";
import { RpcPeer } from "../base/rpc_peer.ts";
import { VERSION } from "../base/version.ts";
import type { HostLink } from "../protocol/host_link.ts";
import { PRIVATE_DIRECTORY, STATE_DIRECTORY, STUDENT } from "../protocol/layout.ts";
import { type StartParams, startParamsSchema, stopParamsSchema } from "../protocol/rpc.ts";
import { StudentMisbehaviorError } from "../sdk/misbehavior.ts";
import { ProtectedStore } from "../sdk/protected_store.ts";
import { publishSdk } from "../sdk/publish.ts";
import type { RunContext } from "../sdk/run_context.ts";
import type { Step } from "../sdk/task.ts";
import { createAgent } from "./agents/create_agent.ts";
import { Artifacts } from "./artifacts.ts";
import { BundleReceiver } from "./bundle_receiver.ts";
import { openChannel } from "./channel.ts";
import { ChannelLink } from "./channel_link.ts";
import { type Environment, loadEnvironment } from "./environment.ts";
import { EventLog } from "./event_log.ts";
import { doWithoutGuards } from "./guards.ts";
import { holdTask } from "./hold.ts";
import { imageVariables } from "./image_variables.ts";
import { isLayoutPrepared, prepareLayout } from "./layout.ts";
import { sandboxResources } from "./resources/control_group.ts";
import { studentLimits } from "./resources/student_limits.ts";
import { Resources } from "./resources/resource_meter.ts";
import { restrictSystemCalls } from "./restrict_system_calls.ts";
import { giveRootVariables, variablesAsData } from "./root_variables.ts";
import { runContext } from "./run_context.ts";
import { type ConfiguredTask, runTask } from "./runner.ts";
import { endStudentsPart } from "./step_end.ts";
import { createStudent, type HarnessStudent } from "./student/student.ts";
import { studentVariables } from "./student/variables.ts";
import { Submissions } from "./submissions.ts";
import type { ConfiguredTool } from "./tool_calls.ts";
import { createBuiltinTools } from "./tools/builtin_tools.ts";

/** An error that ends the run because the host asked for it. */
export class RunStoppedError extends Error {
  override readonly name = "RunStoppedError";
}

/**
 * Is `karotte harness`, the root process of a sandbox: opens the channel, runs the one task that
 * the host names and returns the exit status, which is 0 also for a run that ended with an error.
 */
export async function harnessMain(): Promise<number> {
  const transport = openChannel();
  const started = Promise.withResolvers<StartParams>();
  const stop = new AbortController();
  const bundle = new BundleReceiver(PRIVATE_DIRECTORY);
  const peer = new RpcPeer(transport, {
    requests: {
      start: async (params) => {
        const start = startParamsSchema.parse(params);
        await bundle.expect(start.bundle);
        started.resolve(start);
        return { version: VERSION };
      },
      ping: () => null,
    },
    notifications: {
      stop: (params) => stop.abort(new RunStoppedError(stopParamsSchema.parse(params).reason)),
    },
    openBlob: (about) => bundle.open(about),
  });
  // Without a host there is nobody to run for: the end of this process ends the student.
  const hostGone = peer.closed.then(() => 1, (error) => {
    logLine(`karotte harness: ${messageOf(error)}`);
    return 1;
  });
  const link = new ChannelLink(peer);
  const finished = started.promise.then(async (start) => {
    await bundle.complete;
    await runHarness(link, start, stop.signal);
    return 0;
  });
  return await Promise.race([hostGone, finished]);
}

/** Runs the one task in the sandbox that this process is in, and tells the link all of it. */
export async function runHarness(
  link: HostLink,
  start: Omit<StartParams, "version">,
  signal: AbortSignal,
): Promise<void> {
  const warnings = doWithoutGuards(start.guards_off ?? []);
  restrictSystemCalls();
  const { config, variables, withheld, reasoning_effort } = start;
  const events = new EventLog(config.run_id, (event) => link.record(event));
  if (!await isLayoutPrepared()) await prepareLayout();
  const store = await protectedStore();
  const { uid, gid, home } = STUDENT;
  const image = await imageVariables();
  const sources = { inherited: Deno.env.toObject(), image, run: variables, withheld };
  using student = createStudent({ uid, gid, home, variables: studentVariables(sources) });
  await giveRootVariables(sources, student);
  await using builtin = createBuiltinTools(student);
  const artifacts = new Artifacts(link, events);
  const saveArtifact = (path: string) => artifacts.save(path);
  await using submissions = new Submissions(`${STATE_DIRECTORY}/submissions`, student.files);
  const askJudge: RunContext["askJudge"] = (question, ended = signal) =>
    link.askJudge(question, AbortSignal.any([signal, ended]));
  const context = runContext({
    config,
    signal,
    student,
    store,
    variables: variablesAsData(sources),
    submissions,
    saveArtifact,
    askJudge,
    record: (event) => events.emit(event),
  });
  const resources = new Resources(sandboxResources());
  const reasoningEffort = reasoning_effort;
  const limits = studentLimits(start.sandbox_memory);
  const setup = { config, events, link, context, resources, limits, reasoningEffort, warnings };
  const load = async () => {
    publishSdk();
    return await loadEnvironment(PRIVATE_DIRECTORY);
  };
  if (start.prepare_only) {
    const loadTask = async () => await configureTask(await load(), builtin.tools, config);
    await holdTask({ ...setup, loadTask });
  } else {
    const loadTask = async () => {
      const environment = await load();
      const configured = await configureTask(environment, builtin.tools, config);
      const agent = createAgent({ ...setup, environment, tools: configured.tools });
      return { ...configured, agent };
    };
    const collectSubmissions = async (step: Step) => {
      const collected = await submissions.collect(step.submissionPaths, step.submissionLimits);
      if (!config.save_artifacts) return;
      for (const { path, copy } of collected) await artifacts.save(copy, path);
    };
    await runTask({
      ...setup,
      loadTask,
      endStudentsPart: (step) => endStudentsPart(step, { student, events, collectSubmissions }),
    });
  }
  await killAtTheEnd(student);
  await link.finish();
}

/** Milliseconds: the end of the sandbox ends what is left. */
const LAST_KILL_MS = 5_000;

/** Ends the student's processes. One that can't be killed fails no run that is over. */
async function killAtTheEnd(student: HarnessStudent): Promise<void> {
  try {
    await student.killAll({ deadlineMs: LAST_KILL_MS });
  } catch (error) {
    if (!(error instanceof StudentMisbehaviorError)) throw error;
    logLine(`at the end of the run: ${error.message}`);
  }
}

async function protectedStore(): Promise<ProtectedStore> {
  const directory = `${STATE_DIRECTORY}/protected`;
  await Deno.mkdir(directory, { mode: 0o700 });
  return new ProtectedStore(directory);
}

async function configureTask(
  environment: Environment,
  builtin: Readonly<Record<string, ConfiguredTool["tool"]>>,
  config: StartParams["config"],
): Promise<ConfiguredTask> {
  const taskClass = environment.tasks.get(config.task_id);
  if (!taskClass) throw new Error(`There is no task "${config.task_id}" in the environment`);
  const task = new taskClass(config);
  const configs = await task.configureTools();
  const tools = new Map<string, ConfiguredTool>();
  for (const name of task.tools) {
    const tool = environment.tools.get(name) ?? builtin[name];
    if (!tool) throw new Error(`Task "${task.id}" wants a tool "${name}" that does not exist`);
    tools.set(name, { tool, config: toolConfig(name, tool, configs[name]) });
  }
  return { task, tools };
}

function toolConfig(name: string, tool: ConfiguredTool["tool"], config: unknown): unknown {
  try {
    return tool.parseConfig(config);
  } catch (error) {
    throw new Error(`configureTools: tool "${name}": ${messageOf(error)}`, { cause: error });
  }
}
