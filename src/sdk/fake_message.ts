/**
 * One scripted turn of the student, as `src/environment/fake_model.ts` returns them from
 * `getMessages(config)`. What is left out gets its default.
 */
export interface FakeMessage {
  /** The student's own. */
  readonly role?: "assistant";
  /** Null if absent. */
  readonly content?: string | null;
  /** Null if absent. */
  readonly reasoning_content?: string | null;
  /** Null if absent. */
  readonly tool_calls?: readonly FakeToolCall[] | null;
}

/** A call of a tool in a scripted turn. */
export interface FakeToolCall {
  /** Made up if absent. */
  readonly id?: string;
  /** The only type that there is. */
  readonly type?: "function";
  /** `arguments` is JSON text, as models send it. */
  readonly function: { readonly name: string; readonly arguments: string };
}
