/**
 * A judge's question is not passed on to a model. The message is all that the transcript will have
 * of it, so it says what to do as well.
 */
export class JudgeRefusal extends Error {
  override readonly name = "JudgeRefusal";
}
