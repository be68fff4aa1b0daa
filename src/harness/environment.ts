import { pathToFileURL } from "node:url";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import { Task, type TaskClass } from "../sdk/task.ts";
import { isTool, type Tool } from "../sdk/tool.ts";

/** What a bundled environment exports, checked. */
export interface Environment {
  readonly tasks: ReadonlyMap<string, TaskClass>;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Undefined without a `fake_model.ts`. */
  fakeMessages: ((config: EvaluationRunConfig) => unknown) | undefined;
}

const MAX_ID_LENGTH = 255;

/**
 * Imports a bundle and checks what it exports; the sdk must be published. Runs the environment's
 * code, so it is called only in a sandbox or in a process that has dropped its rights. Throws an
 * error that names the file at fault.
 */
export async function loadEnvironment(privateDirectory: string): Promise<Environment> {
  const bundle = await import(pathToFileURL(`${privateDirectory}/bundle/environment.js`).href);
  return {
    tasks: taskClasses(bundle.tasks),
    tools: tools(bundle.tools),
    fakeMessages: bundle.fakeModel?.getMessages,
  };
}

type Modules = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function taskClasses(modules: Modules): Map<string, TaskClass> {
  const found = new Map<string, TaskClass>();
  const files = new Map<string, string>();
  for (const [file, module] of Object.entries(modules)) {
    for (const exported of new Set(Object.values(module))) {
      if (!isTaskClass(exported)) continue;
      const { id } = exported;
      if (typeof id !== "string" || id === "" || id.length > MAX_ID_LENGTH) {
        throw new Error(
          `${file}: task ${
            exported.name || "class"
          } needs a static id of at most ${MAX_ID_LENGTH} characters`,
        );
      }
      if (found.has(id) && found.get(id) !== exported) {
        throw new Error(`${file}: task id "${id}" is taken by ${files.get(id)}`);
      }
      found.set(id, exported);
      files.set(id, file);
    }
  }
  return found;
}

function isTaskClass(value: unknown): value is TaskClass {
  return typeof value === "function" && value.prototype instanceof Task;
}

function tools(modules: Modules): Map<string, Tool> {
  const found = new Map<string, Tool>();
  for (const [name, module] of Object.entries(modules)) {
    if (!isTool(module.default)) {
      throw new Error(`tools/${name}.ts: expected \`export default defineTool({ ... })\``);
    }
    found.set(name, module.default);
  }
  return found;
}
