import { harnessCommand } from "./harness_command.ts";

export const command = harnessCommand("exec");
