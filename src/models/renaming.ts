import { createHash } from "node:crypto";

/** Names that an API accepts for names that it may not, one for one. */
export class Renaming {
  readonly #fit: (name: string, attempt: number) => string;
  readonly #sent = new Map<string, string>();
  readonly #original = new Map<string, string>();

  /** `fit` returns the name itself where that will do; attempts count from 0. */
  constructor(fit: (name: string, attempt: number) => string) {
    this.#fit = fit;
  }

  /** The name to send; the same one each time, and no other name's. */
  sent(name: string): string {
    const known = this.#sent.get(name);
    if (known !== undefined) return known;
    let attempt = 0;
    let fitting = this.#fit(name, attempt);
    while (this.#original.has(fitting)) fitting = this.#fit(name, ++attempt);
    this.#sent.set(name, fitting);
    this.#original.set(fitting, name);
    return fitting;
  }

  /** The name that was sent so; what was not sent comes back as it is. */
  original(sent: string): string {
    return this.#original.get(sent) ?? sent;
  }
}

/** Letters, digits, `_` and `-`, at most 64, the first no digit: a tool's name for any provider. */
export function fitToolName(name: string, attempt: number): string {
  if (attempt === 0 && /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)) return name;
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").replace(/^(?![a-zA-Z_])/, "_");
  return `${plain.slice(0, 55)}_${shortHash(name, attempt)}`;
}

/** Claude's ids: letters, digits, `_` and `-`. */
export function fitClaudeCallId(id: string, attempt: number): string {
  if (attempt === 0 && /^[a-zA-Z0-9_-]{1,128}$/.test(id)) return id;
  return `call_${shortHash(id, attempt)}`;
}

/** Mistral's ids: nine letters and digits. */
export function fitMistralCallId(id: string, attempt: number): string {
  if (attempt === 0 && /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return `c${shortHash(id, attempt)}`;
}

/** Eight letters and digits. */
function shortHash(text: string, attempt: number): string {
  return createHash("sha256").update(`${attempt}:${text}`).digest("hex").slice(0, 8);
}
