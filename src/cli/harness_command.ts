import { type HarnessCommand, runHarnessCommand } from "../harness/commands.ts";
import type { Command } from "./command.ts";

/** A command that Karotte starts itself, in a sandbox or over an untrusted environment. */
export function harnessCommand(name: HarnessCommand): Command {
  return {
    declaration: { description: "Started by Karotte itself." },
    // Without a status a script ends when it has nothing left to do, not when it is loaded.
    run: (args) => runHarnessCommand(name, args),
  };
}
