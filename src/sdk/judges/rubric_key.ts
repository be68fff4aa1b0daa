/** Other variables are none of an environment's business: it comes from who knows where. */
const KEY_REFERENCE = /^\$[A-Z][A-Z0-9_]*_API_KEY$/;

/** Whether a value is `$NAME` with the name of a variable that looks like one for a key. */
export function isKeyReference(value: unknown): value is string {
  return typeof value === "string" && KEY_REFERENCE.test(value);
}

/** An environment holds a key, or asks for a variable that is not one for keys. */
export class KeyReferenceError extends TypeError {
  /** The value is not told: it may be a key. */
  constructor() {
    super(
      "RubricJudge: apiKey must be the name of a variable on the host that ends with _API_KEY, " +
        'like "$OPENAI_API_KEY": keys never belong into an environment',
    );
  }
}
