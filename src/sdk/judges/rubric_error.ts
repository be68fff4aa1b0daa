/** The model that a rubric judge asked can't judge: it fails at a question without the student. */
export class RubricJudgeError extends Error {
  /** The class's name. */
  override readonly name = "RubricJudgeError";
}
