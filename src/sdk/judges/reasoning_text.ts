/** Names of the tags that models put around reasoning where their server leaves it in the text. */
const NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis";
const OPENING = new RegExp(`^\\s*(?:<(?:${NAMES})>|\\[(?:${NAMES})\\]|◁(?:${NAMES})▷)`, "i");
/** The last is what stands before the answer in the form of gpt-oss. */
const CLOSING =
  `</(?:${NAMES})>|\\[/(?:${NAMES})\\]|◁/(?:${NAMES})▷|<\\|channel\\|>final<\\|message\\|>`;
const CHANNEL = /^\s*(?:<\|start\|>assistant)?<\|channel\|>analysis/i;

/** Tells whether a text has the end of reasoning in it, be it a quotation. */
export function endsReasoning(text: string): boolean {
  return new RegExp(CLOSING, "i").test(text);
}

/** Tells whether a text begins with reasoning. */
export function beginsWithReasoning(text: string): boolean {
  return OPENING.test(text) || CHANNEL.test(text);
}

/** Returns what follows each mark that may end the reasoning, in order. */
export function afterReasoning(text: string): string[] {
  return [...text.matchAll(new RegExp(CLOSING, "gi"))]
    .map(({ 0: mark, index }) => text.slice(index + mark.length));
}

/** Returns a text without the reasoning that it begins with; nothing if that has no end. */
export function withoutReasoning(text: string): string {
  return beginsWithReasoning(text) ? afterReasoning(text)[0] ?? "" : text;
}
