import type { RunStatus, TranscriptEvent } from "../schemas/transcript.ts";

/** What a run has come to, derived from its events. */
export class RunSummary {
  /** Null while the run is going on. */
  status: RunStatus | null = null;
  /** The step under way, counted from 0; null outside of steps. */
  currentStep: number | null = null;
  readonly stepScores: { readonly step: number; readonly score: number }[] = [];
  readonly warnings: string[] = [];
  error: { readonly type: string; readonly message: string } | null = null;

  /** The score of the run: that of the last step that was scored. */
  get score(): number | null {
    return this.stepScores.at(-1)?.score ?? null;
  }

  add(event: TranscriptEvent): void {
    switch (event.type) {
      case "step_started":
        this.currentStep = event.step;
        break;
      case "step_completed":
        this.currentStep = null;
        break;
      case "scoring":
        this.stepScores.push({ step: this.currentStep ?? 0, score: event.scoring.score });
        break;
      case "warning":
        this.warnings.push(event.message);
        break;
      case "error":
        this.error = { type: event.exception_type, message: event.message };
        break;
      case "task_completed":
        this.status = event.status;
        break;
    }
  }
}
