import type { BUILTIN_TOOLS } from "../../protocol/builtin_tools.ts";
import type { Tool } from "../../sdk/tool.ts";
import type { HarnessStudent } from "../student/student.ts";
import { createBashTool } from "./bash.ts";
import { createReplaceTool } from "./replace_in_file.ts";
import { createViewImageTool } from "./view_image_file.ts";
import { createViewLinesTool } from "./view_lines_in_file.ts";

/** The tools that a task can ask for by name without bringing them. */
export interface BuiltinTools extends AsyncDisposable {
  readonly tools: Readonly<Record<(typeof BUILTIN_TOOLS)[number], Tool>>;
}

/** Made anew for each run: the shell's state is in them. Disposing them ends the shell. */
export function createBuiltinTools(student: HarnessStudent): BuiltinTools {
  const bash = createBashTool(student);
  return {
    tools: {
      bash: bash.tool,
      view_lines_in_file: createViewLinesTool(student.files),
      replace_in_file: createReplaceTool(student.files),
      view_image_file: createViewImageTool(student.files),
    },
    [Symbol.asyncDispose]: () => bash[Symbol.asyncDispose](),
  };
}
