import type { Message } from "../../schemas/message.ts";
import type { ToolSchema } from "../../protocol/tool_schema.ts";
import type { TranscriptEvent } from "../../schemas/transcript.ts";

/** What the student's model is shown: all of it as it was recorded, so without secrets. */
export class Conversation {
  readonly #messages: Message[] = [];
  tools: readonly ToolSchema[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Takes what belongs to it from a recorded event. */
  add(event: TranscriptEvent): void {
    if (event.type === "message_added") this.#messages.push(event.message);
  }
}
