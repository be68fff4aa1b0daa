/** What is known of a provider without calling it. */
export interface KnownProvider {
  readonly displayName: string;
  /** Where its key is looked up; null: it needs none, or Karotte could not send it. */
  readonly keyVariable: string | null;
}

/** Providers by what stands before the slash of an id; of others the variable is guessed. */
const PROVIDERS: Readonly<Record<string, KnownProvider>> = {
  anthropic: { displayName: "Anthropic", keyVariable: "ANTHROPIC_API_KEY" },
  openai: { displayName: "OpenAI", keyVariable: "OPENAI_API_KEY" },
  gemini: { displayName: "Google", keyVariable: "GEMINI_API_KEY" },
  mistral: { displayName: "Mistral", keyVariable: "MISTRAL_API_KEY" },
  xai: { displayName: "xAI", keyVariable: "XAI_API_KEY" },
  together_ai: { displayName: "Together AI", keyVariable: "TOGETHERAI_API_KEY" },
  fireworks_ai: { displayName: "Fireworks AI", keyVariable: "FIREWORKS_AI_API_KEY" },
  deepseek: { displayName: "DeepSeek", keyVariable: "DEEPSEEK_API_KEY" },
  groq: { displayName: "Groq", keyVariable: "GROQ_API_KEY" },
  meta: { displayName: "Meta", keyVariable: "META_API_KEY" },
  moonshot: { displayName: "Moonshot AI", keyVariable: "MOONSHOT_API_KEY" },
  openrouter: { displayName: "OpenRouter", keyVariable: "OPENROUTER_API_KEY" },
  zai: { displayName: "Z.ai", keyVariable: "ZAI_API_KEY" },
  ollama: { displayName: "Ollama", keyVariable: null },
  vertex_ai: { displayName: "Vertex AI", keyVariable: null },
};

/** Undefined: nothing is known of it. */
export function knownProvider(prefix: string): KnownProvider | undefined {
  return Object.hasOwn(PROVIDERS, prefix) ? PROVIDERS[prefix] : undefined;
}
