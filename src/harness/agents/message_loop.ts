import { wellFormed } from "../../base/well_formed.ts";
import type { HostLink } from "../../protocol/host_link.ts";
import { ModelFailure } from "../../protocol/model_failure.ts";
import { CONTEXT_IS_FULL, MOST_PAUSES, PAUSED, type Turn } from "../../protocol/turn.ts";
import { type Message, message, type ToolCall } from "../../schemas/message.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import type { ToolResult } from "../../schemas/tool_result.ts";
import type { ToolContext } from "../../sdk/tool.ts";
import type { EventLog } from "../event_log.ts";
import { messageAdded, recordedResult, toolMessage, withMetrics, withNote } from "../messages.ts";
import type { Resources } from "../resources/resource_meter.ts";
import { callTool, type ConfiguredTool, malformedArguments } from "../tool_calls.ts";
import type { Agent } from "./agent.ts";
import { EmptyTurnLimitError, StepLimits } from "./limits.ts";
import type { TurnSource } from "./turn_source.ts";

export interface MessageLoopOptions {
  readonly config: EvaluationRunConfig;
  readonly source: TurnSource;
  readonly tools: ReadonlyMap<string, ConfiguredTool>;
  readonly toolContext: Omit<ToolContext, "config">;
  readonly events: EventLog;
  /** Measures what tool calls use, where the config asks for it; absent: nobody can tell. */
  readonly resources?: Resources;
  readonly link: HostLink;
}

/** The most empty turns in a row that are answered with a nudge. */
const MAX_EMPTY_TURNS = 3;
const NUDGE = "Your last message had no text and no tool call, or was cut off. Please go on with " +
  "the task, in smaller pieces if need be.";

/** The agent of Karotte's own: it takes a turn, makes its tool calls, and takes the next turn. */
export class MessageLoop implements Agent {
  readonly #options: MessageLoopOptions;
  #turns = 0;
  #emptyTurns = 0;
  #emptyPauses = 0;

  constructor(options: MessageLoopOptions) {
    this.#options = options;
  }

  async runStep(step: number, instructions: string): Promise<void> {
    const { config, events } = this.#options;
    using limits = new StepLimits(
      config,
      step,
      (metadata) => events.emit({ type: "step_limit_reached", metadata }),
    );
    await events.emit(messageAdded(message({ role: "user", content: instructions })));
    for (;;) {
      await this.#countTurn(limits);
      if (await limits.reached()) return;
      const turn = await this.#nextTurn(limits);
      if (turn === undefined) return;
      if (turn.finish_reason === "content_filter") return;
      if (turn.calls.length > 0) {
        this.#emptyTurns = 0;
        await this.#callTools(turn.calls, limits);
      } else if (turn.finish_reason === PAUSED) {
        this.#countPause(turn);
      } else if (isEmpty(turn)) {
        await this.#nudge();
      } else {
        return;
      }
    }
  }

  async #countTurn(limits: StepLimits): Promise<void> {
    const limit = this.#options.config.turn_limit;
    this.#turns += 1;
    if (limit !== null && this.#turns > limit) await limits.exceedTurns(limit);
  }

  /** Counts a turn that the provider paused; throws where such turns say nothing for ever. */
  #countPause(turn: Turn): void {
    this.#emptyPauses = hasText(turn.message) ? 0 : this.#emptyPauses + 1;
    if (this.#emptyPauses <= MOST_PAUSES) return;
    throw new EmptyTurnLimitError(`The model paused ${this.#emptyPauses} times in a row`);
  }

  /** Returns undefined where the time or the context is used up and the step is to be scored. */
  async #nextTurn(limits: StepLimits): Promise<RecordedTurn | undefined> {
    const { source, events, link, toolContext: { signal } } = this.#options;
    await link.activity({ name: `turn ${this.#turns}`, kind: "turn" });
    let turn: Turn;
    try {
      // Well-formed as in events, so that tools get what the transcript shows.
      turn = wellFormed(await source.nextTurn({ signal, remainingMs: limits.remainingMs }));
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      if (error.kind === "context_length") await limits.exceedContext(error);
      else if (error.kind === "time_over") await limits.exceedTime(error);
      else throw error;
      return undefined;
    }
    const calls = (turn.message.tool_calls ?? []).map(pendingCall);
    const recorded: Message = calls.length === 0
      ? turn.message
      : { ...turn.message, tool_calls: calls.map(({ call }) => call) };
    await events.emit(messageAdded(recorded, turn.finish_reason));
    if (turn.usage) {
      limits.contextTokens = turn.usage.input_tokens;
      await events.emit({ type: "token_usage", ...turn.usage });
    }
    if (turn.finish_reason === CONTEXT_IS_FULL) {
      await limits.exceedContext(
        new Error("The model's context was full before its turn was over"),
      );
      return undefined;
    }
    return { ...turn, message: recorded, calls };
  }

  /**
   * Makes the calls one after another; only the last tool message gets the notes. At the end of the
   * step's time the call that runs is cut, and those after it are answered without being made.
   */
  async #callTools(calls: readonly PendingCall[], limits: StepLimits): Promise<void> {
    const { events, link, tools, toolContext } = this.#options;
    for (const [index, { call, malformed }] of calls.entries()) {
      await link.activity({
        name: `tool "${call.function.name ?? ""}"`.slice(0, 500),
        kind: "tool",
      });
      await events.emit({ type: "tool_call_started", tool_call: call });
      const context = { ...toolContext, cut: limits.cut };
      const result = malformed ?? await this.#profiled(() => callTool(call, tools, context));
      await events.emit({
        type: "tool_call_completed",
        tool_call_id: call.id,
        result: recordedResult(result),
      });
      const isLast = index === calls.length - 1;
      const notes = isLast ? limits.notes() : [];
      await events.emit(messageAdded(notes.reduce(withNote, toolMessage(call, result))));
    }
  }

  /** Makes a call and adds what it used to its result, if the config asks for it. */
  async #profiled(call: () => Promise<ToolResult>): Promise<ToolResult> {
    const { config, resources } = this.#options;
    if (!config.mcp_server_config.profile_tool_calls) return await call();
    using meter = resources?.meter();
    const result = await call();
    return withMetrics(result, meter?.end() ?? null);
  }

  async #nudge(): Promise<void> {
    this.#emptyTurns += 1;
    if (this.#emptyTurns > MAX_EMPTY_TURNS) {
      throw new EmptyTurnLimitError(`The model sent ${this.#emptyTurns} empty turns in a row`);
    }
    await this.#options.events.emit(messageAdded(message({ role: "user", content: NUDGE })));
  }
}

interface RecordedTurn extends Turn {
  readonly calls: readonly PendingCall[];
}

interface PendingCall {
  readonly call: ToolCall;
  /** The answer to arguments that are not JSON: the tool is not called. */
  readonly malformed: ToolResult | undefined;
}

/** Replaces arguments that are not JSON in the history too: providers would reject them later. */
function pendingCall(call: ToolCall): PendingCall {
  const malformed = malformedArguments(call);
  if (malformed) {
    const replacement = JSON.stringify({ error: "the arguments were not valid JSON" });
    return { call: withArguments(call, replacement), malformed };
  }
  if (call.function.arguments === "") return { call, malformed };
  const value: unknown = JSON.parse(call.function.arguments);
  const clean = wellFormed(value);
  return {
    // Half of a surrogate pair may be written as an escape.
    call: clean === value ? call : withArguments(call, JSON.stringify(clean)),
    malformed,
  };
}

function withArguments(call: ToolCall, text: string): ToolCall {
  return { ...call, function: { ...call.function, arguments: text } };
}

/** Tells whether a turn says nothing by accident: cut off, only reasoning, or without its calls. */
function isEmpty(turn: Turn): boolean {
  if (hasText(turn.message)) return false;
  if (turn.finish_reason === "length" || turn.finish_reason === "tool_calls") return true;
  return (turn.message.reasoning_content ?? "").trim() !== "";
}

function hasText({ content }: Message): boolean {
  if (content === null) return false;
  if (typeof content === "string") return content.trim() !== "";
  return content.some((part) => part.type === "text" && part.text.trim() !== "");
}
