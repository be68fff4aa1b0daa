import { byteCount } from "../../base/byte_count.ts";
import { logLine } from "../../base/log.ts";
import { printable } from "../../base/one_line.ts";
import { costOf } from "../../models/cost.ts";
import type { ModelPrice } from "../../models/model_spec.ts";
import { limitText } from "../../records/limit_text.ts";
import { hasTokens, usageText } from "../../records/usage_text.ts";
import type { LinkReport, ProcessReport } from "../../schemas/step_end.ts";
import type { ResourceMetrics } from "../../schemas/resource_metrics.ts";
import type { StudentLimits } from "../../schemas/student_limits.ts";
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
      return `  score ${event.scoring.score}${memoryNote(event.resource_metrics)}`;
    case "warning":
      return `  warning: ${event.metadata.warning}`;
    case "step_limit_reached":
      return `  ${limitText(event.metadata)}`;
    case "student_processes_ended":
      return endedText(event.metadata);
    case "student_links":
      return linksText(event.metadata);
    case "student_limits":
      return limitsText(event.metadata);
    case "error":
      return `error: ${event.exception_type}: ${event.message}`;
    default:
      return undefined;
  }
}

function limitsText(limits: StudentLimits): string {
  const { sandbox_memory_bytes, sandbox_memory_source, student_memory_bytes, contracts } = limits;
  const ofSandbox = `the sandbox's ${byteCount(sandbox_memory_bytes)}`;
  const source = sandbox_memory_source.replace("_", " ");
  const own = student_memory_bytes === null ? "none left" : byteCount(student_memory_bytes);
  return `  limits of the student: memory ${own} of ${ofSandbox} (${source}), ${
    contracts.memory.replaceAll("_", " ")
  }`;
}

/** Tells only of those that listened: a task may need them, and others are left by any shell. */
function endedText({ count, processes, other_listening }: ProcessReport): string | undefined {
  const listening = processes.filter((each) => each.listening.length > 0);
  const addresses = [...listening.flatMap((each) => each.listening), ...other_listening];
  const [first] = addresses;
  if (first === undefined) return undefined;
  const ended = count === 1 ? "1 process" : `${count} processes`;
  const listen = listening.length > 1 ? `${listening.length} listen` : "one listens";
  const more = addresses.length > 1 ? ` and ${addresses.length - 1} more` : "";
  return `  ${ended} of the student ended before scoring, ${listen} on ${
    first.slice(0, 40)
  }${more}: ` +
    "keepProcesses: true on the step keeps them";
}

function linksText({ into_root_places: astray, removed }: LinkReport): string | undefined {
  const [first] = astray.files;
  if (first !== undefined) {
    const target = first.target === null ? "" : ` -> ${first.target}`;
    return `  the student left a ${first.kind} into a place of root's: ${first.path}${target}`;
  }
  const [gone] = removed.files;
  if (gone === undefined) return undefined;
  return `  removed before scoring: ${removed.count} pipes and links, the first is ${gone.path}`;
}

/** Tells of processes that are gone because the sandbox had no more memory. */
function memoryNote(metrics: ResourceMetrics | null): string {
  const { memory_limit_kills: kills, memory_limit_bytes: bytes } = metrics ?? {};
  if (!kills) return "";
  const limit = bytes ? `the memory limit of ${bytes} bytes` : "memory";
  return ` (${limit} was reached: ${kills} process(es) killed)`;
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
