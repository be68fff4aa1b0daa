import { z } from "zod";
import { eventSchema } from "../schemas/transcript.ts";

/** Characters of the shortest secret that is taken out: shorter ones would be found everywhere. */
const MIN_SECRET_CHARS = 6;

/** The warning about a secret that is not `isRedactable`. */
export const NOT_REDACTABLE = `is shorter than ${MIN_SECRET_CHARS} characters or a word of every ` +
  "transcript: it can't be taken out of what is recorded and shown";

/** Returns true if a value can be taken out of events without taking them apart. */
export function isRedactable(secret: string): boolean {
  if (secret.length < MIN_SECRET_CHARS) return false;
  return !/^[a-z_]+$/i.test(secret) || !wordsOfEvents().includes(secret);
}

let words: string | undefined;

/** A text that has all names and constants of events in it. */
function wordsOfEvents(): string {
  return words ??= JSON.stringify(z.toJSONSchema(eventSchema, { unrepresentable: "any" }));
}

const REPLACEMENT = "[redacted]";

/** Takes secret values out of whatever is recorded or shown. What is not `isRedactable` is left. */
export class Redactor {
  #secrets: readonly string[] = [];

  constructor(secrets: Iterable<string>) {
    this.add(secrets);
  }

  /** Takes these out too, from now on. */
  add(secrets: Iterable<string>): void {
    const all = new Set([...this.#secrets, ...secrets]);
    // Longer ones first: one secret may be a part of another.
    this.#secrets = [...all].filter(isRedactable).sort((a, b) => b.length - a.length);
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
