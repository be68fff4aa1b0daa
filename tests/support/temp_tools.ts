import { ProtectedStore } from "../../src/sdk/protected_store.ts";
import type { ToolContext, ToolOutput } from "../../src/sdk/tool.ts";
import { type TempStudent, tempStudent } from "./temp_student.ts";
import { type BuiltinTools, createBuiltinTools } from "../../src/harness/tools/builtin_tools.ts";

/** The built-in tools of a student for one test. */
export interface TempTools extends TempStudent {
  /** Calls a tool as a run would: arguments and configuration checked by its schemas. */
  call(
    tool: keyof BuiltinTools["tools"],
    input: object,
    options?: CallOptions,
  ): Promise<ToolOutput>;
  /** The `bash` tool's result for a command. */
  bash(command: string, options?: CallOptions & { timeout_s?: number }): Promise<BashResult>;
}

export interface CallOptions {
  config?: object;
  signal?: AbortSignal;
}

export interface BashResult {
  readonly stdout: string;
  readonly stderr?: string;
  readonly system?: string;
  readonly exit_code?: number;
}

export async function tempTools(): Promise<TempTools> {
  const at = await tempStudent();
  const builtin = createBuiltinTools(at.student);
  const call = async (
    name: keyof BuiltinTools["tools"],
    input: object,
    { config, signal }: CallOptions = {},
  ) => {
    const tool = builtin.tools[name];
    const context: ToolContext = {
      variables: {},
      submitAnswers: () => Promise.resolve(),
      student: at.student,
      store: new ProtectedStore(at.path),
      signal: signal ?? new AbortController().signal,
      config: tool.parseConfig(config),
    };
    return await tool.run(await tool.parseInput(input), context);
  };
  return {
    path: at.path,
    student: at.student,
    call,
    // The shape that the tool documents.
    bash: (command, { timeout_s, ...options } = {}) =>
      call("bash", { command, timeout_s }, options) as Promise<unknown> as Promise<BashResult>,
    async [Symbol.asyncDispose]() {
      await builtin[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    },
  };
}
