import { messageOf } from "../../base/errors.ts";
import { RpcRefusal } from "../../base/rpc_peer.ts";
import type { HostLink, NextTurnOptions } from "../../protocol/host_link.ts";
import type { ArtifactFile } from "../../protocol/rpc.ts";
import type { ToolSchema } from "../../protocol/tool_schema.ts";
import type { TranscriptEvent } from "../../schemas/transcript.ts";
import type { JudgeAnswer, JudgeQuestion, Turn } from "../../protocol/turn.ts";
import type { ArtifactStore } from "../../records/artifact_store.ts";
import type { RunAnswers } from "../models/run_answers.ts";

export interface LocalHostOptions {
  /** Resolves when the event is on disk. */
  record(event: TranscriptEvent): Promise<void>;
  readonly artifacts: Pick<ArtifactStore, "open">;
  readonly answers: RunAnswers;
}

/** A host in the harness's own process: what the channel does elsewhere is a call here. */
export class LocalHost implements HostLink {
  readonly #options: LocalHostOptions;
  readonly #unrecorded = new Set<Promise<void>>();

  constructor(options: LocalHostOptions) {
    this.#options = options;
  }

  record(event: TranscriptEvent): Promise<void> {
    const recorded = this.#options.record(event);
    this.#unrecorded.add(recorded);
    // A failure stays, for `recorded`.
    recorded.then(() => this.#unrecorded.delete(recorded), () => {});
    return Promise.resolve();
  }

  async recorded(): Promise<void> {
    await Promise.all(this.#unrecorded);
  }

  /** There is nobody who could end this process if it hangs. */
  activity(): Promise<void> {
    return Promise.resolve();
  }

  async saveArtifactFile(file: ArtifactFile, content: AsyncIterable<Uint8Array>): Promise<void> {
    const sink = await refusable(() => this.#options.artifacts.open({ artifact: file }));
    try {
      for await (const chunk of content) {
        await refusable(async () => await sink.write(new Uint8Array(chunk)));
      }
    } catch (error) {
      await sink.abort();
      throw error;
    }
    await refusable(async () => await sink.close());
  }

  declareTools(tools: readonly ToolSchema[]): Promise<void> {
    this.#options.answers.conversation.tools = tools;
    return Promise.resolve();
  }

  async nextTurn(options: NextTurnOptions): Promise<Turn> {
    await this.recorded();
    return await this.#options.answers.nextTurn(options);
  }

  async askJudge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer> {
    return await this.#options.answers.askJudge(question, signal);
  }

  async finish(): Promise<void> {
    await this.recorded();
  }
}

/** What the store refuses is told as over the channel; the harness's own errors are not touched. */
async function refusable<Value>(body: () => Promise<Value>): Promise<Value> {
  try {
    return await body();
  } catch (error) {
    throw new RpcRefusal(messageOf(error), { cause: error });
  }
}
