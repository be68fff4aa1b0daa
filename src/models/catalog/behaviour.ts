import type { ReasoningRequest } from "../model_spec.ts";

/** How a model behaves, whoever serves it. */
export interface Behaviour {
  /** From lowest to highest; absent: the effort can't be set. */
  readonly levels?: readonly string[];
  /** Absent: `DEFAULT_MAX_OUTPUT_TOKENS`. */
  readonly maxOutputTokens?: number;
  /** Absent: nothing is asked. */
  readonly reasoningRequest?: ReasoningRequest;
  readonly refusesSampling?: boolean;
}

interface Rule extends Behaviour {
  readonly fits: (name: string) => boolean;
}

/** How long a response may be where nothing else is known, in tokens. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 64_000;

const LOW_TO_HIGH = ["low", "medium", "high"];
const MINIMAL_TO_HIGH = ["minimal", ...LOW_TO_HIGH];
const LOW_TO_XHIGH = [...LOW_TO_HIGH, "xhigh"];
const LOW_TO_MAX = [...LOW_TO_XHIGH, "max"];
const LOW_HIGH_MAX = ["low", "high", "max"];

const ADAPTIVE = { maxOutputTokens: 128_000, reasoningRequest: "adaptive_thinking" } as const;
const SUMMARISED = { reasoningRequest: "detailed_summary" } as const;
const THINKING = { reasoningRequest: "include_thoughts" } as const;
const NO_SAMPLING = { refusesSampling: true } as const;

/**
 * The first that fits holds, so longer names come first. Levels are those that the providers
 * document, without the one that turns reasoning off. Adaptive models, refused sampling parameters
 * and unusual levels also stand in litellm 1.110.2 (`supports_adaptive_thinking`,
 * `supports_sampling_params`, `reasoning_effort_levels`); of OpenAI's reasoning models its API says
 * so.
 */
const RULES: readonly Rule[] = [
  beginning(["claude-opus-4-6", "claude-sonnet-4-6"], {
    ...ADAPTIVE,
    levels: [...LOW_TO_HIGH, "max"],
  }),
  beginning(
    ["claude-fable", "claude-opus-5", "claude-sonnet-5", "claude-haiku-5", "claude-opus-4-8"],
    { ...ADAPTIVE, ...NO_SAMPLING, levels: LOW_TO_MAX },
  ),
  beginning(["claude-opus-4-7"], { ...ADAPTIVE, ...NO_SAMPLING, levels: LOW_TO_MAX }),

  beginning(["gpt-6", "gpt-5.6"], {
    ...SUMMARISED,
    ...NO_SAMPLING,
    levels: LOW_TO_MAX,
    maxOutputTokens: 128_000,
  }),
  beginning(["gpt-5.5", "gpt-5.4", "gpt-5.2"], { ...NO_SAMPLING, levels: LOW_TO_XHIGH }),
  beginning(["gpt-5.3", "gpt-5.1"], { ...NO_SAMPLING, levels: LOW_TO_HIGH }),
  beginning(["gpt-5"], { ...NO_SAMPLING, levels: MINIMAL_TO_HIGH }),
  named(["o1", "o3", "o3-mini", "o4-mini"], { ...NO_SAMPLING, levels: LOW_TO_HIGH }),
  named(["gpt-oss-120b", "gpt-oss-20b"], { levels: LOW_TO_HIGH }),

  // The newest one takes xhigh too, but not through the package that calls it.
  named(["gemini-4-hydrogen", "gemini-4-argon", "gemini-3.1-pro-preview"], {
    ...THINKING,
    levels: LOW_TO_HIGH,
  }),
  named(["gemini-3.8-flash", "gemini-3.7-flash"], {
    ...THINKING,
    ...NO_SAMPLING,
    levels: LOW_TO_HIGH,
  }),
  named(["gemini-3.5-flash", "gemini-3.1-flash-lite", "gemini-3-flash-preview"], {
    ...THINKING,
    levels: MINIMAL_TO_HIGH,
  }),
  beginning(["gemini-3.6-flash", "gemini-3.5-flash-lite"], { ...THINKING, ...NO_SAMPLING }),
  beginning(["gemini-3", "gemini-4"], THINKING),

  named(["grok-4.7", "grok-4.6", "grok-4.5", "grok-4.3"], { levels: LOW_TO_HIGH }),

  beginning(["muse-spark-1.3"], {
    ...SUMMARISED,
    levels: ["minimal", ...LOW_TO_XHIGH],
    maxOutputTokens: 128_000,
  }),
  named(["muse-spark-1.2", "muse-spark-1.1"], {
    ...SUMMARISED,
    levels: ["minimal", ...LOW_TO_XHIGH],
  }),
  beginning(["muse-spark"], SUMMARISED),

  named(["kimi-k3", "kimi-k3.1-pro"], { levels: LOW_HIGH_MAX }),
  // Fireworks writes a dot as p.
  named(["glm-5.3", "glm-5p3"], { levels: LOW_HIGH_MAX }),
  named(["deepseek-v4-pro", "deepseek-v4-flash"], { levels: ["high", "max"] }),
];

/** How a model of this name behaves; nothing stands in it for one that is not known. */
export function behaviourOf(name: string): Behaviour {
  const tail = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  // Gateways write the version of a Claude with a dot.
  const spelt = tail.startsWith("claude-") ? tail.replaceAll(".", "-") : tail;
  return RULES.find(({ fits }) => fits(spelt)) ?? {};
}

function beginning(prefixes: readonly string[], behaviour: Behaviour): Rule {
  return { ...behaviour, fits: (name) => prefixes.some((prefix) => name.startsWith(prefix)) };
}

function named(names: readonly string[], behaviour: Behaviour): Rule {
  return { ...behaviour, fits: (name) => names.includes(name) };
}
