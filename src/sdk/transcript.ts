import type { Message, ToolCall } from "../schemas/message.ts";
import type { ToolResult } from "../schemas/tool_result.ts";
import type { TranscriptEvent } from "../schemas/transcript.ts";

/** The events of a run so far, as judges read them. */
export class Transcript {
  /** The id of the run config. */
  readonly runId: string;
  /** All events, in the order in which they came. */
  readonly events: readonly TranscriptEvent[];

  /** Keeps the array: events that are recorded later are seen. */
  constructor(runId: string, events: readonly TranscriptEvent[]) {
    this.runId = runId;
    this.events = events;
  }

  /**
   * The events since the start of the newest step: for a judge, those of the step that it scores.
   * A transcript without a step is returned whole.
   */
  get lastStep(): Transcript {
    const start = this.events.findLastIndex(({ type }) => type === "step_started");
    return new Transcript(this.runId, this.events.slice(Math.max(0, start)));
  }

  /** All messages, in the order in which they came. */
  get messages(): Message[] {
    return this.events.flatMap((event) => event.type === "message_added" ? [event.message] : []);
  }

  /** All submitted answers merged; the later one wins. */
  get answers(): Record<string, string> {
    const submitted = this.events.flatMap((event) =>
      event.type === "answers_submitted" ? [event.answers] : []
    );
    return Object.assign({}, ...submitted);
  }

  /** Each completed tool call with its result, in order. */
  get toolCalls(): { call: ToolCall; result: ToolResult }[] {
    const started = new Map<string, ToolCall>();
    const completed: { call: ToolCall; result: ToolResult }[] = [];
    for (const event of this.events) {
      if (event.type === "tool_call_started") started.set(event.tool_call.id, event.tool_call);
      if (event.type !== "tool_call_completed") continue;
      const call = started.get(event.tool_call_id);
      if (call) completed.push({ call, result: event.result });
    }
    return completed;
  }
}

/** The text of a message: its string, or its text parts joined by newlines. */
export function textOf(message: Message): string {
  if (message.content === null) return "";
  if (typeof message.content === "string") return message.content;
  return message.content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
}
