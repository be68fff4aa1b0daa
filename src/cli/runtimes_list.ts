import { printLine } from "../base/log.ts";
import {
  DEFAULTS,
  type KnownRuntime,
  RUNTIMES,
  type RuntimeState,
  stateOf,
} from "../runtimes/runtimes.ts";
import { defineCommand } from "./command.ts";

const description = `
Lists what can start sandboxes: whether it is here, what it gives, and how to get it. The default is
the first of ${DEFAULTS.join(", ")} that works; engines need an environment with an image.`;

interface Listed {
  readonly known: KnownRuntime;
  readonly state: RuntimeState;
  readonly isDefault: boolean;
}

export const command = defineCommand({
  description,
  flags: {
    json: { type: "boolean", default: false, help: "Print JSON." },
  },
  async run({ flags }) {
    const states = await Promise.all(RUNTIMES.map((known) => stateOf(known.make())));
    const chosen = DEFAULTS.find((name) =>
      states[RUNTIMES.findIndex((known) => known.name === name)]?.state === "here"
    );
    const listed = RUNTIMES.map((known, index): Listed => ({
      known,
      state: states[index] ?? { state: "absent" },
      isDefault: known.name === chosen,
    }));
    if (flags.json) return printLine(JSON.stringify(listed.map(asJson), null, 2));
    for (const each of listed) printLine(asText(each));
  },
});

function asJson({ known, state, isDefault }: Listed) {
  return {
    name: known.name,
    state: state.state,
    version: state.state === "here" ? state.info.version : null,
    platform: state.state === "here" ? state.info.platform ?? null : null,
    remarks: state.state === "here" ? state.info.remarks ?? [] : [],
    default: isDefault,
    why: whyOf(state, isDefault),
    hint: state.state === "broken" ? state.hint ?? null : null,
    gives: known.gives,
    set_up: known.setUp,
  };
}

function whyOf(state: RuntimeState, isDefault: boolean): string {
  if (state.state === "broken") return state.why;
  if (state.state === "absent") return "it is not installed";
  return isDefault ? `it is the first of ${DEFAULTS.join(", ")} that works` : "it works";
}

function asText({ known, state, isDefault }: Listed): string {
  const head = `${known.name}: ${state.state}`;
  if (state.state === "absent") return `${head}\n  ${known.setUp}`;
  if (state.state === "broken") {
    return [`${head}: ${state.why}`, ...(state.hint === undefined ? [] : [`  ${state.hint}`])]
      .join("\n");
  }
  const { version, platform, remarks = [] } = state.info;
  const details = [version, ...(platform === undefined ? [] : [platform]), ...remarks].join(", ");
  const gives = Object.entries(known.gives).map(([what, how]) => `  ${what}: ${how}`);
  return [`${head}, ${details}${isDefault ? " (default)" : ""}`, ...gives].join("\n");
}
