import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import { PRIVATE_DIRECTORY } from "../protocol/layout.ts";
import { type NewEvent, warningEvent } from "../schemas/transcript.ts";
import type { RunContext } from "../sdk/run_context.ts";
import type { ProtectedStore } from "../sdk/protected_store.ts";
import type { Student } from "../sdk/student.ts";
import { deleteFiles } from "./delete_files.ts";
import type { Submissions } from "./submissions.ts";
import { selfCommand } from "../base/self_command.ts";
import { scriptFile } from "./script_file.ts";

export interface RunContextParts {
  readonly config: EvaluationRunConfig;
  readonly signal: AbortSignal;
  readonly student: Student;
  readonly store: ProtectedStore;
  readonly variables: RunContext["variables"];
  readonly submissions: Submissions;
  saveArtifact(path: string): Promise<void>;
  /** Records an event of the run. */
  record(event: NewEvent): Promise<void>;
  readonly askJudge: RunContext["askJudge"];
}

/** What hooks and judges get, made of the harness's own parts. */
export function runContext({ record, submissions, ...parts }: RunContextParts): RunContext {
  return {
    ...parts,
    async submitAnswers(answers) {
      for (const [name, answer] of Object.entries(answers)) {
        if (typeof answer === "string") continue;
        throw new TypeError(`Answer "${name}" is no text: ${typeof answer}`);
      }
      await record({ type: "answers_submitted", answers: { ...answers } });
    },
    async warn(warning) {
      if (typeof warning !== "string") {
        throw new TypeError(`A warning is no text: ${typeof warning}`);
      }
      await record(warningEvent(warning));
    },
    submission: (path) => submissions.copyOf(path),
    saveSubmission: (path, limits) => submissions.save(path, limits),
    deleteFiles: (folders, { except = [] } = {}) =>
      deleteFiles(folders, { uid: parts.student.uid, except }),
    saveArtifact: async (path) => {
      if (parts.config.save_artifacts) await parts.saveArtifact(path);
    },
    scriptCommand(script, args = []) {
      return [...selfCommand(), "exec", scriptFile(PRIVATE_DIRECTORY, script), ...args];
    },
  };
}
