/** How providers say that a conversation is too long; each line is one or more of them. */
const PHRASINGS: readonly RegExp[] = [
  // OpenAI, Groq and whoever copies their error codes; llama.cpp; litellm.
  /context_length_exceeded|exceed_context_size_error|contextwindowexceeded/,
  // OpenAI, DeepSeek, OpenRouter, vLLM, SGLang, Mistral, Fireworks, xAI, Ollama.
  /maximum (context|prompt|model|sequence) length/,
  // OpenAI's Responses, llama.cpp, Anthropic (input and max_tokens together), Ollama, LM Studio.
  /exceed\w* (the |this |its )?(available |model'?s? )?context (window|size|length|limit)/,
  /context (window|size|length|limit) (of this model )?(has been |was |is )?exceeded/,
  /longer than the (model'?s|maximum) (context|model) length|context length of only \d+/,
  // Anthropic, Bedrock, Fireworks, Zhipu.
  /(prompt|input) is too long|prompt exceeds max(imum)? length/,
  // Gemini, Vertex, GitHub.
  /input token count\b.{0,60}\b(exceeds|only supports)|prompt token count of \d+ exceeds/,
  // Text Generation Inference, Together.
  /`?inputs`? (tokens \+|must have less than \d+ tokens)/,
  // Groq, Moonshot, Cohere.
  /reduce the length of (the|your) (messages|prompt|input)|exceeded model token limit/,
  /too many tokens: .{0,60}prompt/,
  // vLLM, where the conversation leaves no room: the number is what is left.
  /max_(completion_)?tokens`?'?"? must be at least 1\b/,
];

/** Whether an error, in the provider's own words, says that the conversation is too long. */
export function isContextLength(words: string): boolean {
  const lower = words.toLowerCase();
  return PHRASINGS.some((phrasing) => phrasing.test(lower));
}
