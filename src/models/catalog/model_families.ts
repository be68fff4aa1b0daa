/** Models that are not listed one by one. */
export interface ModelFamily {
  /** What their ids begin with. */
  readonly prefix: string;
  readonly description: string;
}

/** In the order of the list that users see. */
export const MODEL_FAMILIES: readonly ModelFamily[] = [
  { prefix: "pt/", description: "A model in training, which a run backend plays." },
  { prefix: "together_ai/", description: "Any model that Together AI serves, by its name there." },
  { prefix: "fireworks_ai/", description: "Any model that Fireworks AI serves." },
  { prefix: "openrouter/", description: "Any model behind OpenRouter, like anthropic/NAME." },
  { prefix: "ollama/", description: "Any model of an Ollama on this machine; it needs no key." },
];
