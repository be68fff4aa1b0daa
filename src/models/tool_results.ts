import type { LanguageModelV3FilePart, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import type { Message, ToolCall } from "../schemas/message.ts";
import { type MessageOptions, sentToolName } from "./assistant_parts.ts";
import { type PromptPart, promptParts, textPart } from "./message_content.ts";

const INTERRUPTED = "(The tool call was interrupted: it has no result.)";
const NO_OUTPUT = "(no output)";

/** What answers the calls of one turn. */
export interface ToolResults {
  /** One a call, in their order. */
  readonly results: LanguageModelV3ToolResultPart[];
  /** What a user message has to show because results may hold no images. */
  readonly shownApart: PromptPart[];
}

/** The results of an assistant's calls, from the messages that answer them. */
export function toolResults(
  calls: readonly ToolCall[],
  answers: ReadonlyMap<string, Message>,
  options: MessageOptions,
): ToolResults {
  const shownApart: PromptPart[] = [];
  const results = calls.map((call): LanguageModelV3ToolResultPart => {
    const answer = answers.get(call.id);
    const { text, images } = answer ? split(answer) : { text: INTERRUPTED, images: [] };
    const toolName = sentToolName(call, options.toolNames);
    const isShownHere = images.length === 0 || options.rules.imagesInToolResults;
    if (!isShownHere) shownApart.push(textPart(`What ${toolName} returned:`), ...images);
    return {
      type: "tool-result",
      toolCallId: options.callIds.sent(call.id),
      toolName,
      output: isShownHere
        ? outputOf(text, images)
        : { type: "text", value: `${text}\n(The next message shows it.)` },
    };
  });
  return { results, shownApart };
}

/** One text: some packages make a result of each. */
function split(answer: Message): { text: string; images: LanguageModelV3FilePart[] } {
  const parts = promptParts(answer.content);
  const text = parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
  const images = parts.filter((part) => part.type === "file");
  return { text: text || (images.length === 0 ? NO_OUTPUT : "(an image)"), images };
}

function outputOf(
  text: string,
  images: readonly LanguageModelV3FilePart[],
): LanguageModelV3ToolResultPart["output"] {
  if (images.length === 0) return { type: "text", value: text };
  return {
    type: "content",
    value: [
      { type: "text", text },
      ...images.map(({ data, mediaType }) => ({
        type: "image-data" as const,
        // Images of messages are base64.
        data: String(data),
        mediaType,
      })),
    ],
  };
}
