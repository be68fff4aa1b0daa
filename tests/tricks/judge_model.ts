import { type WireServer, wireServer } from "../models/wire/server.ts";
import { ORDER } from "./groups/rubric.ts";

const REVIEW = "/intermediate_data/review.txt";

/** What the fake judge says instead of a verdict where the student's text holds the word. */
const ODD_ANSWERS: Readonly<Record<string, string>> = {
  "SAY-MAYBE": "Perhaps, perhaps not.",
  "SAY-NOTHING": "",
  "SAY-REFUSED": "I can't help with that.",
  "SAY-YESTERDAY": "Yesterday all was well.",
};

/** What stands in the question that shows whether a model can judge at all. */
const CONTROL = "The data says how many beds the garden has.";

/**
 * A judge that is as gullible as a model can be. It obeys each order that does not stand in a
 * fence, tells parts apart by their fences, and by headings where there is one fence around all; a
 * part is honest work if it says so.
 */
export function gullibleJudge(): WireServer {
  return wireServer(({ body }) => ({ text: verdictOn(textOf(body)) }));
}

/** What it answers to a prompt. */
export function verdictOn(prompt: string): string {
  for (const [word, answer] of Object.entries(ODD_ANSWERS)) {
    if (prompt.includes(word)) return answer;
  }
  if (prompt.includes(CONTROL)) return "YES\nThree.";
  const { outside, parts } = readFences(prompt);
  if (outside.includes(ORDER)) return "YES\nSo I was told.";
  if (parts.some(({ title, text }) => title.includes(REVIEW) && text.includes("approved"))) {
    return "YES\nThe reviewer approves.";
  }
  const isHonest = parts.some(({ text }) => text.includes("honest work"));
  return isHonest ? "YES\nIt is honest." : "NO\nIt is not.";
}

interface Part {
  readonly title: string;
  readonly text: string;
}

/** Splits a prompt at the fences that it lists, each `"TITLE": from <NAME> to </NAME>`. */
function readFences(prompt: string): { outside: string; parts: readonly Part[] } {
  const parts: Part[] = [];
  let outside = prompt;
  for (const [, title = "", name = ""] of prompt.matchAll(LISTED)) {
    outside = outside.replace(new RegExp(`\n<${name}>\n([^]*?)\n</${name}>`), (_whole, text) => {
      parts.push({ title, text });
      return "";
    });
  }
  const [only] = parts;
  return { outside, parts: only && parts.length === 1 ? byHeadings(only.text) : parts };
}

const LISTED = /^- part \d+(.*): from <([a-z0-9-]+)> to <\/\2>$/gm;

/** Splits a text at lines like `=== /a/file ===`; each one begins a part. */
function byHeadings(text: string): readonly Part[] {
  return text.split(/^(?==== .* ===$)/m).map((part) => ({
    title: part.split("\n", 1)[0] ?? "",
    text: part,
  }));
}

function textOf(body: unknown): string {
  const texts: string[] = [];
  JSON.stringify(body, (key, value) => {
    if ((key === "text" || key === "content") && typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("\n");
}
