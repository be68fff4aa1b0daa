import { z } from "zod";
import type { TaskDescription } from "../schemas/task_description.ts";
import type { ContainerRunArguments } from "../sdk/entry_point_values.ts";
import { callPlugin, type LoadedEntry, pluginError } from "./entry.ts";
import { entryPoint, functionOf } from "./entry_point.ts";
import { inNameOrder } from "./merge.ts";

/** Asks every hook. Rejects with a plugin error, which refuses the launch, if one throws. */
export interface ContainerRunHooks {
  readonly names: readonly string[];
  /**
   * Returns what the hooks give, in the order of their names; those that give nothing are left out.
   */
  argumentsFor(task: TaskDescription, runtime: string): Promise<HookArguments[]>;
}

export interface HookArguments {
  /** The hook's name. */
  readonly hook: string;
  readonly args: readonly string[];
}

/**
 * Arguments for the container engine's `run`. All are called before any launch, whatever the
 * runtime, in the order of their names; a throw refuses the launch.
 *
 * ```ts
 * "karotte.container_run_args": {
 *   acme: (task, runtime) =>
 *     runtime === "docker" && task.required_hardware === "gpu" ? ["--gpus", "all"] : [],
 * }
 * ```
 */
export const containerRunArgs = entryPoint({
  group: "karotte.container_run_args",
  summary: "A function from task and runtime to arguments of the container engine.",
  check: functionOf<ContainerRunArguments>(),
  whenSkipped: "the arguments that it gives are missing, and it can't refuse a launch",
  async merge(entries): Promise<ContainerRunHooks> {
    const all = await inNameOrder(entries);
    return {
      names: all.map(({ origin }) => origin.name),
      async argumentsFor(task, runtime) {
        const given: HookArguments[] = [];
        for (const each of all) {
          const args = await argumentsOf(each, task, runtime);
          if (args.length > 0) given.push({ hook: each.origin.name, args });
        }
        return given;
      },
    };
  },
  show: ({ names }) => names,
});

async function argumentsOf(
  entry: LoadedEntry<ContainerRunArguments>,
  task: TaskDescription,
  runtime: string,
): Promise<string[]> {
  // A copy, so that no hook changes what the next one and the run see.
  const copy = structuredClone(task);
  const answer: unknown = await callPlugin<unknown>(entry, () => entry.value(copy, runtime));
  const checked = z.array(z.string().refine((text) => !text.includes("\0"))).safeParse(answer);
  if (checked.success) return checked.data;
  throw pluginError(entry.origin, "it returned no list of texts");
}
