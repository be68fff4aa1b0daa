import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { wellFormed } from "../base/well_formed.ts";
import type { Message } from "../schemas/message.ts";
import { assistantParts, type PromptOptions } from "./assistant_parts.ts";
import { type PromptPart, promptParts, textOf, textPart } from "./message_content.ts";
import { Renaming } from "./renaming.ts";
import { toolResults } from "./tool_results.ts";

const EMPTY_MESSAGE = "(empty message)";
const UNDERSTOOD = "Understood.";

/**
 * The conversation as an API takes it: each call has its result right after it, the user's messages
 * in a row are one, nothing is empty, and no text has half a surrogate pair: a strict reader would
 * refuse the whole request.
 */
export function promptOf(
  messages: readonly Message[],
  options: PromptOptions,
): LanguageModelV3Prompt {
  const callIds = new Renaming(options.rules.fitCallId ?? ((id) => id));
  const prompt: LanguageModelV3Prompt = [];
  for (const { assistant, others } of rounds(wellFormed(messages))) {
    const said = assistant ? assistantParts(assistant, { ...options, callIds }) : [];
    if (said.length > 0) pushAssistant(prompt, said);
    const calls = assistant?.tool_calls ?? [];
    const answers = answersOf(calls.map(({ id }) => id), others);
    if (calls.length > 0) {
      const { results, shownApart } = toolResults(calls, answers, { ...options, callIds });
      prompt.push({ role: "tool", content: results });
      if (shownApart.length > 0) pushUser(prompt, shownApart, options);
    }
    const answering = new Set(answers.values());
    for (const message of others) {
      if (!answering.has(message)) pushOther(prompt, message, options);
    }
  }
  return prompt;
}

/** What the assistant said, and all that came before it said more. */
interface Round {
  readonly assistant: Message | undefined;
  readonly others: Message[];
}

function rounds(messages: readonly Message[]): Round[] {
  const all: Round[] = [{ assistant: undefined, others: [] }];
  for (const message of messages) {
    if (message.role === "assistant") all.push({ assistant: message, others: [] });
    else all.at(-1)!.others.push(message);
  }
  return all;
}

function answersOf(ids: readonly string[], others: readonly Message[]): Map<string, Message> {
  const answers = new Map<string, Message>();
  for (const message of others) {
    const id = message.tool_call_id;
    if (message.role === "tool" && id !== null && ids.includes(id) && !answers.has(id)) {
      answers.set(id, message);
    }
  }
  return answers;
}

function pushAssistant(
  prompt: LanguageModelV3Prompt,
  content: Extract<LanguageModelV3Message, { role: "assistant" }>["content"],
): void {
  const last = prompt.at(-1);
  if (last?.role === "assistant") last.content.push(...content);
  else prompt.push({ role: "assistant", content });
}

/** System messages may only begin a conversation; later ones are the user's. */
function pushOther(
  prompt: LanguageModelV3Prompt,
  message: Message,
  options: PromptOptions,
): void {
  const first = prompt[0];
  if (message.role === "system" && prompt.length <= 1 && first?.role !== "user") {
    const text = textOf(message.content);
    if (text.trim() === "") return;
    if (first?.role === "system") first.content += `\n\n${text}`;
    else prompt.push({ role: "system", content: text });
    return;
  }
  const parts = promptParts(message.content);
  pushUser(prompt, parts.length > 0 ? parts : [textPart(EMPTY_MESSAGE)], options);
}

function pushUser(
  prompt: LanguageModelV3Prompt,
  parts: readonly PromptPart[],
  { rules }: PromptOptions,
): void {
  const last = prompt.at(-1);
  if (last?.role === "user") {
    last.content.push(...parts);
    return;
  }
  if (last?.role === "tool" && rules.answersToolResults) {
    prompt.push({ role: "assistant", content: [textPart(UNDERSTOOD)] });
  }
  prompt.push({ role: "user", content: [...parts] });
}
