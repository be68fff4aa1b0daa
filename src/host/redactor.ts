/** Shorter values would be found everywhere: they are refused as secrets. */
export const MIN_SECRET_CHARS = 6;

const REPLACEMENT = "[redacted]";

/** Takes secret values out of whatever is recorded or shown. Secrets of too few characters are left. */
export class Redactor {
  #secrets: readonly string[] = [];

  constructor(secrets: Iterable<string>) {
    this.add(secrets);
  }

  /** From now on these are taken out too. */
  add(secrets: Iterable<string>): void {
    const all = new Set([...this.#secrets, ...secrets]);
    const long = [...all].filter((secret) => secret.length >= MIN_SECRET_CHARS);
    // Longer ones first: one secret may be a part of another.
    this.#secrets = long.sort((a, b) => b.length - a.length);
  }

  text(text: string): string {
    return this.#secrets.reduce((left, secret) => left.replaceAll(secret, REPLACEMENT), text);
  }

  /** A value of JSON with the secrets taken out of every text in it, keys included. */
  json<Value>(value: Value): Value {
    if (this.#secrets.length === 0) return value;
    const text = JSON.stringify(value);
    const redacted = this.#secrets.reduce(
      (left, secret) => left.replaceAll(JSON.stringify(secret).slice(1, -1), REPLACEMENT),
      text,
    );
    // The cast holds: only the content of texts was changed.
    return redacted === text ? value : JSON.parse(redacted) as Value;
  }
}
