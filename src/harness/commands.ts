import { printLine } from "../base/log.ts";
import type { DescribeAnswer } from "../schemas/task_description.ts";

/** What Karotte does inside a sandbox or an image, or to an environment that is not trusted. */
const HARNESS_COMMANDS = [
  "harness",
  "exec",
  "as-student",
  "describe",
  "prepare",
  "check-image",
] as const;
export type HarnessCommand = typeof HARNESS_COMMANDS[number];

export function isHarnessCommand(name: string | undefined): name is HarnessCommand {
  return HARNESS_COMMANDS.some((command) => command === name);
}

/** Runs a command and returns its exit status; undefined: leave when nothing is left to do. */
export async function runHarnessCommand(
  command: HarnessCommand,
  args: readonly string[],
): Promise<number | undefined> {
  switch (command) {
    case "harness": {
      const { harnessMain } = await import("./main.ts");
      return await harnessMain();
    }
    case "exec": {
      const { execScript } = await import("./exec.ts");
      return await execScript(args);
    }
    case "as-student": {
      const { runAsStudent } = await import("./as_student/as_student.ts");
      return await runAsStudent(args);
    }
    case "describe": {
      const answer = await describeConfined(args);
      printLine(JSON.stringify(answer));
      return answer.failure === undefined ? 0 : 1;
    }
    case "prepare": {
      const { prepareImage } = await import("./prepare.ts");
      await prepareImage();
      return 0;
    }
    case "check-image": {
      const { checkImage } = await import("./check_image.ts");
      for (const line of await checkImage()) printLine(line);
      return 0;
    }
  }
}

async function describeConfined(args: readonly string[]): Promise<DescribeAnswer> {
  if (Deno.build.standalone) {
    return await (await import("./describe_confined.ts")).describeConfined(args);
  }
  const { answerOf, describe } = await import("./describe.ts");
  const { givenConfig } = await import("./given_config.ts");
  const [directory = ".", ...marks] = args;
  return await answerOf(describe(directory, await givenConfig(marks)));
}
