/** What a scripted model says in one turn; each wire format writes it in its own way. */
export interface ScriptedTurn {
  readonly reasoning?: string;
  /** Reasoning that only the provider can read, in whatever form the format has for it. */
  readonly hiddenReasoning?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Absent: `tool_calls` if there are any, else `stop`. */
  readonly finish?: Finish;
  /** Absent: `DEFAULT_USAGE`. Null: the provider reports none. */
  readonly usage?: ScriptedUsage | null;
  /** Text, reasoning and arguments come in pieces of this many characters. Absent: 5. */
  readonly pieceLength?: number;
  /** What is wrong with the answer. */
  readonly fault?: Fault;
}

export interface ScriptedCall {
  readonly name: string;
  /** Sent as it is, JSON or not. */
  readonly arguments: string;
  /** Absent: `call_1` and so on. */
  readonly id?: string;
}

export type Finish = "stop" | "length" | "tool_calls" | "content_filter";

/** Disjoint: the whole input is the sum of the first three. */
export interface ScriptedUsage {
  readonly input: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** All of the output, reasoning included. */
  readonly output: number;
  readonly reasoning?: number;
}

export const DEFAULT_USAGE: ScriptedUsage = { input: 100, output: 20 };

export type Fault =
  /** An answer that is no stream. Absent body: the format's own error object. */
  | {
    readonly kind: "status";
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  /** The connection breaks after that many events of the stream. */
  | { readonly kind: "break_off"; readonly afterEvents: number }
  /** The stream ends in peace after that many events. */
  | { readonly kind: "end_early"; readonly afterEvents: number }
  /** An event whose data is no JSON, after that many events; the stream goes on after it. */
  | { readonly kind: "invalid_json"; readonly afterEvents: number }
  /** The format's error event, after that many events; the stream ends after it. */
  | { readonly kind: "error_event"; readonly afterEvents: number; readonly message?: string }
  /** Status 200 and not one byte. */
  | { readonly kind: "empty" }
  /** So many bytes at a time, with a pause between them. */
  | { readonly kind: "trickle"; readonly bytes: number; readonly pauseMs: number }
  /** Status 200, that many events, then nothing until the client goes away. */
  | { readonly kind: "hang"; readonly afterEvents: number };

/** The reason that a turn ends with. */
export function finishOf(turn: ScriptedTurn): Finish {
  return turn.finish ?? (turn.toolCalls?.length ? "tool_calls" : "stop");
}

/** The id of a turn's call. */
export function callId(call: ScriptedCall, index: number): string {
  return call.id ?? `call_${index + 1}`;
}

/** A text in pieces; at least one, so that an empty text is said too. */
export function pieces(text: string, turn: ScriptedTurn): string[] {
  const length = turn.pieceLength ?? 5;
  // By code points: half a surrogate pair is no text.
  const characters = Array.from(text);
  const all: string[] = [];
  for (let start = 0; start < characters.length; start += length) {
    all.push(characters.slice(start, start + length).join(""));
  }
  return all.length === 0 ? [""] : all;
}
