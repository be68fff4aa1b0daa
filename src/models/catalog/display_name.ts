/** Words that are not simply capitalised. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["deepseek", "DeepSeek"],
  ["glm", "GLM"],
  ["gpt", "GPT"],
  ["oss", "OSS"],
]);

/** A name to show, from what the provider calls a model: `claude-opus-5-5` is Claude Opus 5.5. */
export function displayName(name: string): string {
  const tail = name.slice(name.lastIndexOf("/") + 1);
  const words = joinVersion(tail.split("-").filter((word) => word !== ""));
  // These two write a dash before their number.
  return words.map(spelt).join(" ").replace(/^(GPT|GLM) (?=\d)/, "$1-");
}

/** `4-8` is a version and so is `5p3`; `4-20251001` has the day of its release. */
function joinVersion(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const previous = joined.at(-1) ?? "";
    const isMinor = /^\d{1,2}$/.test(word) && /^\d{1,2}$/.test(previous);
    if (isMinor) joined.splice(-1, 1, `${previous}.${word}`);
    else joined.push(word.replace(/^([a-z]?\d+)p(\d+)$/i, "$1.$2"));
  }
  return joined;
}

function spelt(word: string): string {
  // OpenAI's o3 keeps its small letter.
  if (/^o\d/.test(word)) return word;
  return SPELLINGS.get(word.toLowerCase()) ?? word.slice(0, 1).toUpperCase() + word.slice(1);
}
