import { warn } from "../../base/log.ts";
import type { ContainerRunHooks } from "../../entry_points/container_run_args.ts";
import { weakeningArguments } from "../../runtimes/engine/weakening.ts";
import type { TaskDescription } from "../../schemas/task_description.ts";

export interface EngineArguments {
  readonly args: readonly string[];
  /** Which of them weaken the sandbox, and whose they are; the user was told. */
  readonly warnings: readonly string[];
}

/**
 * Asks every hook before anything starts, whatever the runtime: it may refuse the launch by a throw,
 * which is a plugin error here.
 */
export async function engineArguments(
  hooks: ContainerRunHooks,
  { task, runtime, takesArguments }: {
    task: TaskDescription;
    runtime: string;
    takesArguments: boolean;
  },
): Promise<EngineArguments> {
  const given = await hooks.argumentsFor(task, runtime);
  const args = given.flatMap((each) => each.args);
  if (!takesArguments && args.length > 0) {
    const names = hooks.names.join(", ");
    warn(`arguments of container_run_args (${names}) have no effect: "${runtime}" has no engine`);
    return { args: [], warnings: [] };
  }
  const warnings = given.flatMap(({ hook, args }) =>
    weakeningArguments(args).map((argument) =>
      `container_run_args of "${hook}" weaken the sandbox: ${argument}`
    )
  );
  for (const warning of warnings) warn(warning);
  return { args, warnings };
}
