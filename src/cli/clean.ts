import { KarotteError, messageOf } from "../base/errors.ts";
import { logLine, reportLine, warn } from "../base/log.ts";
import { type KnownRuntime, RUNTIMES, stateOf } from "../runtimes/runtimes.ts";
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
      RUNTIMES.filter(isOwn).map((each) => clean(each, flags.all)),
    );
    return outcomes.every(Boolean) ? 0 : 1;
  },
});

/** Runtimes that share their daemon with another one have nothing of their own. */
function isOwn({ engine }: KnownRuntime): boolean {
  return engine === undefined || engine.lowLevelRuntime === undefined;
}

/** False if something is left that should be gone. */
async function clean({ name, make }: KnownRuntime, kept: boolean): Promise<boolean> {
  const runtime = make();
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
