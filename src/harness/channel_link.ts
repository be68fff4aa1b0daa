import type { RpcPeer } from "../base/rpc_peer.ts";
import { ModelFailure } from "../protocol/model_failure.ts";
import type { HostLink, NextTurnOptions } from "../protocol/host_link.ts";
import {
  type Activity,
  type ArtifactFile,
  type CallFailure,
  judgeResultSchema,
  nextTurnResultSchema,
} from "../protocol/rpc.ts";
import type { ToolSchema } from "../protocol/tool_schema.ts";
import type { TranscriptEvent } from "../schemas/transcript.ts";
import type { JudgeAnswer, JudgeQuestion, Turn } from "../protocol/turn.ts";

/** The host at the other end of the channel. */
export class ChannelLink implements HostLink {
  readonly #peer: RpcPeer;
  #sent = 0;
  /** Settles when the last event has left: events leave in order whatever their size. */
  #sending: Promise<unknown> = Promise.resolve();
  readonly #unacknowledged = new Set<Promise<unknown>>();

  constructor(peer: RpcPeer) {
    this.#peer = peer;
  }

  async record(event: TranscriptEvent): Promise<void> {
    const seq = this.#sent++;
    const sent = this.#sending.then(() => this.#peer.send("event", { seq, event }));
    this.#sending = sent.catch(() => {}); // told by `sent`
    const { answer } = await sent;
    this.#unacknowledged.add(answer);
    // A refusal stays, for `recorded`.
    answer.then(() => this.#unacknowledged.delete(answer), () => {});
  }

  async recorded(): Promise<void> {
    await this.#sending;
    await Promise.all(this.#unacknowledged);
  }

  async activity(activity: Activity): Promise<void> {
    await this.#peer.notify("activity", activity);
  }

  async saveArtifactFile(file: ArtifactFile, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#peer.sendBlob({ artifact: file }, content);
  }

  async declareTools(tools: readonly ToolSchema[]): Promise<void> {
    await this.#peer.notify("tools", { tools });
  }

  async nextTurn({ signal, remainingMs }: NextTurnOptions): Promise<Turn> {
    await this.#sending;
    const params = { role: "student", seq: this.#sent, remaining_ms: remainingMs };
    const result = nextTurnResultSchema.parse(
      await this.#peer.request("model.next", params, signal),
    );
    if ("failure" in result) throw failureOf(result.failure);
    return result.turn;
  }

  async askJudge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer> {
    await this.#sending; // the host records the question after them
    const params = { role: "judge", question };
    const result = judgeResultSchema.parse(await this.#peer.request("model.judge", params, signal));
    if ("failure" in result) throw failureOf(result.failure);
    return result.answer;
  }

  async finish(): Promise<void> {
    await this.recorded();
    await this.#peer.request("finish", { events: this.#sent });
  }
}

/** Returns the error that the host had, as far as it was told. */
function failureOf({ name, message, kind }: CallFailure): Error {
  if (kind !== null) return new ModelFailure(message, { kind });
  return Object.assign(new Error(message), { name });
}
