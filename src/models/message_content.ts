import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from "@ai-sdk/provider";
import type { ContentPart, Message } from "../schemas/message.ts";

/** A part of a user message or of a tool result. */
export type PromptPart = LanguageModelV3TextPart | LanguageModelV3FilePart;

/** The types of image that every provider takes, by how their base64 begins. */
const IMAGES: readonly (readonly [RegExp, string])[] = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD[ld]h/, "image/gif"],
  // RIFF, any four bytes, WEBP.
  [/^UklGR.{6}[XV]RUJQ/, "image/webp"],
];

/**
 * What a message says, in parts that may be sent: no text without a letter, no image of bad type.
 */
export function promptParts(content: Message["content"]): PromptPart[] {
  return partsIn(content).map(promptPart).filter(saysSomething);
}

/** A message's text alone. */
export function textOf(content: Message["content"]): string {
  return partsIn(content).map((part) => part.type === "text" ? part.text : "").join("");
}

export function textPart(text: string): LanguageModelV3TextPart {
  return { type: "text", text };
}

function partsIn(content: Message["content"]): readonly ContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content ?? [];
}

function promptPart(part: ContentPart): PromptPart {
  if (part.type === "text") return textPart(part.text);
  const data = /^data:[^,]*;base64,(.*)$/s.exec(part.image_url.url)?.[1];
  // A provider that refuses an image refuses each later turn too, so the bytes decide.
  const mediaType = IMAGES.find(([beginning]) => data !== undefined && beginning.test(data))?.[1];
  if (data === undefined || mediaType === undefined) {
    return textPart("(Here was an image that is no PNG, JPEG, GIF or WebP.)");
  }
  return { type: "file", mediaType, data };
}

function saysSomething(part: PromptPart): boolean {
  return part.type === "file" || part.text.trim() !== "";
}
