import type { Message } from "../../schemas/message.ts";
import type { ToolSchema } from "../../protocol/tool_schema.ts";
import type { TranscriptEvent } from "../../schemas/transcript.ts";

/** The conversation that the student's model is shown: as it was recorded, so without secrets. */
export class Conversation {
  readonly #messages: Message[] = [];
  tools: readonly ToolSchema[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Adds the message of a recorded event, if it has one. */
  add(event: TranscriptEvent): void {
    if (event.type === "message_added") this.#messages.push(event.message);
  }
}
