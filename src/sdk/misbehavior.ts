/**
 * The student did something that earns it no score. Thrown in `preScoringHook`, while `judge` is
 * read, or in `evaluate`, the step scores 0 with this message as metadata `misbehavior` and the
 * run goes on to its end; thrown elsewhere it is an ordinary error of the run.
 */
export class StudentMisbehaviorError extends Error {
  /** The class's name; a subclass may have its own. */
  override readonly name: string = "StudentMisbehaviorError";
}
