import {
  Judge,
  type RunContext,
  type Scoring,
  scoring,
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
    // The harness's copy: judges are root, and at the path itself there may be a link by now.
    const copy = context.submission(answer);
    if (copy === undefined) return scoring(0, { reason: "the student left no answer" });
    const found = (await Deno.readTextFile(copy)).trim();
    return scoring(found === String(words) ? 1 : 0, { expected: String(words), found });
  }
}
