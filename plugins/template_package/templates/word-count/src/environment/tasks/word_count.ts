import { createTask } from "@karotte/cli/sdk";
import { WordCountJudge } from "../judges/word_count_judge.ts";

const TEXT = "/workdir/data/text.txt";
const ANSWER = "/workdir/answer.txt";
/** The right answer in the run's protected store. */
const WORDS = "words";

export const wordCount = createTask({
  id: "word_count",
  tools: ["bash"],
  systemPrompt: null,
  // Before the student comes, who may write to the text.
  async preHook({ student, store }) {
    const text = new TextDecoder().decode(await student.readFile(TEXT));
    const words = text.split(/\s+/).filter(Boolean).length;
    await store.write(WORDS, words);
    return { words };
  },
  steps: [{
    instructions: `Count the words of ${TEXT}, and write the number, alone, to ${ANSWER}.`,
    submissionPaths: [ANSWER],
    submissionLimits: { maxFileBytes: 1000 },
    judge: new WordCountJudge({ answer: ANSWER, expected: WORDS }),
  }],
});
