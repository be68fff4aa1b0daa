import { logLine } from "../../base/log.ts";
import { printable } from "../../base/one_line.ts";
import { costOf } from "../../models/cost.ts";
import type { ModelPrice } from "../../models/model_spec.ts";
import { limitText } from "../../records/limit_text.ts";
import { hasTokens, usageText } from "../../records/usage_text.ts";
import type { TranscriptEvent, TranscriptEventOf } from "../../schemas/transcript.ts";

/** Tells on stderr what happens in a run, a line an event; the student's text is made harmless. */
export class Progress {
  readonly #prefix: string;
  readonly #write: (line: string) => void;

  /** With a `name` each line starts with it: several runs share the terminal. */
  constructor(name: string | undefined, write: (line: string) => void = logLine) {
    this.#prefix = name === undefined ? "" : `[${name}] `;
    this.#write = write;
  }

  /** Tells of an event; takes the price of the student's model, if it is known. */
  event(event: TranscriptEvent, price: ModelPrice | null = null): void {
    const line = event.type === "token_usage" ? usageLine(event, price) : lineOf(event);
    if (line !== undefined) this.#write(this.#prefix + printable(line));
  }

  /** A line of the host's own. */
  note(line: string): void {
    this.#write(`${this.#prefix}  ${printable(line)}`);
  }

  /** A line that the sandbox wrote to its log. */
  log(line: string): void {
    this.#write(`${this.#prefix}  | ${printable(line)}`);
  }
}

function usageLine(
  usage: TranscriptEventOf<"token_usage">,
  price: ModelPrice | null,
): string | undefined {
  const cost = price === null ? null : costOf(usage, price);
  const spent = { ...usage, cost };
  return hasTokens(spent) ? `  ${usageText(spent)}` : undefined;
}

function lineOf(event: TranscriptEvent): string | undefined {
  switch (event.type) {
    case "task_started":
      return `task "${event.task_id}" started, ${
        event.n_steps < 0 ? "steps as they come" : `${event.n_steps} step(s)`
      }`;
    case "step_started":
      return `step ${event.step}`;
    case "message_added": {
      const { role, content } = event.message;
      if (role !== "assistant" || typeof content !== "string" || content === "") return undefined;
      return `  student: ${content}`;
    }
    case "tool_call_started": {
      const { name, arguments: input } = event.tool_call.function;
      return `  tool ${name}: ${soleText(input) ?? input}`;
    }
    case "tool_call_completed":
      return event.result.isError ? `  tool error: ${textOf(event)}` : undefined;
    case "scoring":
      return `  score ${event.scoring.score}`;
    case "warning":
      return `  warning: ${event.metadata.warning}`;
    case "step_limit_reached":
      return `  ${limitText(event.metadata)}`;
    case "error":
      return `error: ${event.exception_type}: ${event.message}`;
    default:
      return undefined;
  }
}

/** A call's only argument, if it is text: a command reads better without its JSON. */
function soleText(input: string): string | undefined {
  try {
    const values = Object.values(JSON.parse(input));
    return values.length === 1 && typeof values[0] === "string" ? values[0] : undefined;
  } catch {
    return undefined;
  }
}

function textOf(event: Extract<TranscriptEvent, { type: "tool_call_completed" }>): string {
  const [block] = event.result.content;
  return block?.type === "text" ? block.text : "";
}
