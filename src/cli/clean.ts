import { KarotteError, messageOf } from "../base/errors.ts";
import { logLine, reportLine, warn } from "../base/log.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { allRuntimes, stateOf } from "../runtimes/runtimes.ts";
import { defineCommand } from "./command.ts";

const description = `
Removes what runs left on this machine and on its engines' whose Karotte was killed: containers with
Karotte's labels and folders of its own, never those of a Karotte that still runs.

Exit status: 1 if something could not be removed; it is named, with what to try.`;

export const command = defineCommand({
  description,
  flags: {
    all: {
      type: "boolean",
      default: false,
      help: "Also what karotte run --keep-containers left on purpose.",
    },
  },
  async run({ flags }) {
    const outcomes = await Promise.all(
      // One that shares its daemon has nothing of its own.
      allRuntimes().filter(({ daemonOf }) => daemonOf === undefined)
        .map((each) => clean(each, flags.all)),
    );
    return outcomes.every(Boolean) ? 0 : 1;
  },
});

/** Removes what is left; returns false if something stays that should be gone. */
async function clean(runtime: Runtime, kept: boolean): Promise<boolean> {
  const { name } = runtime;
  const found = await stateOf(runtime);
  if (found.state === "absent") return true;
  if (found.state === "broken") {
    // It may hold nothing at all, and nobody has to have every engine running.
    warn(`${name} is passed over: ${found.why}`);
    return true;
  }
  try {
    const runs = await runtime.removeLeftovers({ kept });
    reportLine(`${name}: removed what ${runs} run(s) left`);
    return true;
  } catch (error) {
    logLine(`error: ${messageOf(error)}`);
    if (error instanceof KarotteError && error.hint !== undefined) logLine(`  ${error.hint}`);
    return false;
  }
}
