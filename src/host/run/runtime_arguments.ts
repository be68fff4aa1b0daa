import { warn } from "../../base/log.ts";
import type { ContainerRunHooks } from "../../entry_points/container_run_args.ts";
import type { Runtime } from "../../runtimes/runtime.ts";
import { refuseUnable, type SandboxWishes } from "../../runtimes/wishes.ts";
import type { TaskDescription } from "../../schemas/task_description.ts";

/** The arguments of plugins that a sandbox is started with. */
export interface RuntimeArguments {
  readonly values: readonly string[];
  /** Warnings about those that weaken the sandbox, each with its hook; the user was told. */
  readonly warnings: readonly string[];
}

/**
 * Asks every hook before anything starts, whatever the runtime: it may refuse the launch by a
 * throw, which is a plugin error here. Warns of arguments that have no effect, or weaken the
 * sandbox.
 */
export async function runtimeArguments(
  hooks: ContainerRunHooks,
  { task, runtime, wishes }: { task: TaskDescription; runtime: Runtime; wishes: SandboxWishes },
): Promise<RuntimeArguments> {
  const { name, abilities } = runtime;
  const given = await hooks.argumentsFor(task, name);
  const values = given.flatMap((each) => each.args);
  const wished = { ...wishes, arguments: { hooks: hooks.names, values } };
  for (const warning of refuseUnable(wished, abilities, name)) warn(warning);
  if (!abilities.arguments) return { values: [], warnings: [] };
  const warnings = given.flatMap(({ hook, args }) =>
    (runtime.weakeningArguments?.(args) ?? []).map((argument) =>
      `container_run_args of "${hook}" weaken the sandbox: ${argument}`
    )
  );
  for (const warning of warnings) warn(warning);
  return { values, warnings };
}
