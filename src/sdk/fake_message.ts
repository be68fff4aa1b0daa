/**
 * One scripted turn of the student, as `src/environment/fake_model.ts` returns them from
 * `getMessages(config)`. What is left out gets its default.
 */
export interface FakeMessage {
  readonly role?: "assistant";
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly FakeToolCall[] | null;
}

export interface FakeToolCall {
  /** Made up if absent. */
  readonly id?: string;
  readonly type?: "function";
  /** `arguments` is JSON text, as models send it. */
  readonly function: { readonly name: string; readonly arguments: string };
}
