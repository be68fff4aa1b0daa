import { KarotteError, messageWithHint } from "../base/errors.ts";
import type { Sandbox } from "../runtimes/runtime.ts";
import type { TranscriptEvent } from "../schemas/transcript.ts";
import { Conversation } from "./models/conversation.ts";
import type { Recording } from "./run/recording.ts";
import { Redactor } from "../records/redactor.ts";
import { runInSandbox, type RunOnceOptions } from "./run/sandboxed.ts";
import { InterruptedError } from "./run/session.ts";

export interface HoldOnceOptions
  extends Omit<RunOnceOptions, "outputName" | "directory" | "index" | "onPrepared"> {
  /** Called when all is set up. */
  onPrepared(sandbox: Sandbox): void;
}

/**
 * Sets a run up and holds its sandbox until the signal; writes no file. Throws a
 * run error if the setup fails or the sandbox dies, the signal's reason if that comes before all is
 * set up, and a runtime error for what could not be cleaned up.
 */
export async function holdOnce(options: HoldOnceOptions): Promise<void> {
  const { config, models, progress, signal } = options;
  const redactor = new Redactor(options.environment.secrets);
  const answers = models.forRun({
    ...{ config, conversation: new Conversation(), turnLimit: 0, index: 0, redactor },
    told: (line) => progress.note(redactor.text(line)),
    external: () => undefined,
  });
  const faults: string[] = [];
  let isPrepared = false;
  let failure: string | undefined;
  const see = (received: TranscriptEvent) => {
    const event = redactor.json(received);
    progress.event(event, models.price);
    if (event.type === "error") failure = `${event.exception_type}: ${event.message}`;
    return Promise.resolve();
  };
  const recording: Recording = {
    recorder: {
      record: see,
      recordNew: (event) => see({ timestamp: new Date().toISOString(), ...event }),
    },
    artifacts: { open: () => Promise.reject(new Error("nothing is kept of a run without steps")) },
    ...{ redactor, answers, faults },
  };
  const onPrepared = (sandbox: Sandbox) => {
    isPrepared = true;
    options.onPrepared(sandbox);
  };
  try {
    await runInSandbox({ ...options, onPrepared }, recording);
  } catch (error) {
    if (!(error instanceof InterruptedError)) failure = messageWithHint(error);
    else if (!isPrepared) throw signal.reason;
  }
  if (failure !== undefined) {
    const all = [failure, ...faults].join("; ");
    throw new KarotteError("run", `Cannot prepare task "${config.task_id}": ${all}`);
  }
  if (faults.length > 0) throw new KarotteError("runtime", faults.join("; "));
}
