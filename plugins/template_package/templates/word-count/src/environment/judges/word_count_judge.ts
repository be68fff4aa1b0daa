import {
  Judge,
  type RunContext,
  type Scoring,
  scoring,
  StudentFileError,
  type Transcript,
  z,
} from "@karotte/cli/sdk";

/** Passes if the answer's file holds the number that the protected store has. */
export class WordCountJudge extends Judge {
  readonly #options: { readonly answer: string; readonly expected: string };

  constructor(options: { readonly answer: string; readonly expected: string }) {
    super();
    this.#options = options;
  }

  override async evaluate(_transcript: Transcript, context: RunContext): Promise<Scoring> {
    const { answer, expected } = this.#options;
    const words = await context.store.read(expected, z.number());
    try {
      // With the student's rights: judges are root, and the path may be a link by now.
      const bytes = await context.student.readFile(answer, { maxBytes: 1000 });
      const found = new TextDecoder().decode(bytes).trim();
      return scoring(found === String(words) ? 1 : 0, { expected: String(words), found });
    } catch (error) {
      if (error instanceof StudentFileError) return scoring(0, { reason: error.message });
      throw error;
    }
  }
}
