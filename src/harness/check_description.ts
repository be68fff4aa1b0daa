import { KarotteError } from "../base/errors.ts";
import { BUILTIN_TOOLS } from "../protocol/builtin_tools.ts";
import type { EnvironmentDescription } from "../schemas/task_description.ts";

/**
 * Checks that there is a task, and that every tool that a task names and every program that its
 * judges run exists; returns the names of all tools, sorted. Throws a usage error that says what is
 * wrong.
 */
export function checkDescription(description: EnvironmentDescription): string[] {
  const { tasks, tools, missing_programs } = description;
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
  if (missing_programs.length > 0) {
    const all = missing_programs.map(({ task_id, message }) => `Task "${task_id}", ${message}`);
    throw new KarotteError("usage", all.join("; "), {
      hint: "a step whose judge can't be started ends its run with an error",
    });
  }
  return known;
}
