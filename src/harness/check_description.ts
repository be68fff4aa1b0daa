import { KarotteError } from "../base/errors.ts";
import { BUILTIN_TOOLS } from "../protocol/builtin_tools.ts";
import type { EnvironmentDescription } from "../schemas/task_description.ts";

/**
 * Checks that there is a task and that every tool a task names exists; returns the names of all
 * tools, sorted. Throws a usage error that says what is wrong.
 */
export function checkDescription({ tasks, tools }: EnvironmentDescription): string[] {
  if (tasks.length === 0) {
    throw new KarotteError("usage", "Cannot find a task in the environment", {
      hint: "export a task from a file in src/environment/tasks (names with _ are left out)",
    });
  }
  const known = [...new Set<string>([...BUILTIN_TOOLS, ...tools])].sort();
  for (const { id, tools: named } of tasks) {
    const missing = named.filter((name) => !known.includes(name));
    if (missing.length === 0) continue;
    throw new KarotteError(
      "usage",
      `Task "${id}" names tools that do not exist: ${missing.join(", ")}`,
      { hint: `tools: ${known.join(", ")}` },
    );
  }
  return known;
}
