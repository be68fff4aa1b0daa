import { printLine } from "../base/log.ts";
import { guaranteesOf } from "../runtimes/abilities.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { allRuntimes, DEFAULTS, type RuntimeState, stateOf } from "../runtimes/runtimes.ts";
import { defineCommand } from "./command.ts";

const description = `
Lists what can start sandboxes: whether it is here, what it gives, and how to get it. The default is
the first of ${DEFAULTS.join(", ")} that works; engines need an environment with an image.`;

interface Listed {
  readonly runtime: Runtime;
  readonly state: RuntimeState;
  readonly isDefault: boolean;
}

export const command = defineCommand({
  description,
  flags: {
    json: { type: "boolean", default: false, help: "Print JSON." },
  },
  async run({ flags }) {
    const found = await Promise.all(
      allRuntimes().map(async (runtime) => ({ runtime, state: await stateOf(runtime) })),
    );
    const chosen = DEFAULTS.find((name) =>
      found.some(({ runtime, state }) => runtime.name === name && state.state === "here")
    );
    const listed = found.map((each): Listed => ({
      ...each,
      isDefault: each.runtime.name === chosen,
    }));
    if (flags.json) return printLine(JSON.stringify(listed.map(asJson), null, 2));
    for (const each of listed) printLine(asText(each));
  },
});

function asJson({ runtime, state, isDefault }: Listed) {
  return {
    name: runtime.name,
    state: state.state,
    version: state.state === "here" ? state.info.version : null,
    platform: state.state === "here" ? state.info.platform ?? null : null,
    remarks: state.state === "here" ? state.info.remarks ?? [] : [],
    default: isDefault,
    why: whyOf(state, isDefault),
    hint: state.state === "broken" ? state.hint ?? null : null,
    gives: guaranteesOf(runtime.abilities),
    set_up: runtime.setUp,
  };
}

function whyOf(state: RuntimeState, isDefault: boolean): string {
  if (state.state === "broken") return state.why;
  if (state.state === "absent") return "it is not installed";
  return isDefault ? `it is the first of ${DEFAULTS.join(", ")} that works` : "it works";
}

function asText({ runtime, state, isDefault }: Listed): string {
  const head = `${runtime.name}: ${state.state}`;
  if (state.state === "absent") return `${head}\n  ${runtime.setUp}`;
  if (state.state === "broken") {
    return [`${head}: ${state.why}`, ...(state.hint === undefined ? [] : [`  ${state.hint}`])]
      .join("\n");
  }
  const { version, platform, remarks = [] } = state.info;
  const details = [version, ...(platform === undefined ? [] : [platform]), ...remarks].join(", ");
  const gives = Object.entries(guaranteesOf(runtime.abilities)).map(([what, how]) =>
    `  ${what}: ${how}`
  );
  return [`${head}, ${details}${isDefault ? " (default)" : ""}`, ...gives].join("\n");
}
