const CLI_AGENT: unique symbol = Symbol.for("karotte.cli_agent");

/**
 * A coding agent that is a program of its own and drives the student in place of Karotte's loop.
 * Extend it and register the class, not an instance, under `karotte.cli_agents`:
 *
 * ```ts
 * export class AcmeAgent extends CliAgent {
 *   readonly name = "acme";
 *   readonly version = "1.2.3";
 *   readonly providerUrl = "https://api.acme.example";
 *   static override install(): string[] {
 *     return ["npm install --global acme-agent@1.2.3"];
 *   }
 * }
 * ```
 *
 * The constructor gets no arguments and must have no effects: it runs to learn the name.
 */
export abstract class CliAgent {
  /** @internal Says what the class is, whichever copy of this module it extends. */
  static readonly [CLI_AGENT] = true;

  /** What a run config's `agent` says: lower-case letters, digits, `-` and `_`. */
  abstract readonly name: string;
  /** The version that `install` installs. */
  abstract readonly version: string;
  /** Root of the provider's API, without `/v1`. */
  abstract readonly providerUrl: string;
  /** Tools that the agent brings itself; Karotte's of these names are not offered to it. */
  readonly nativeToolNames: readonly string[] = [];

  /** Shell commands that install it; they run as root when the image is built. */
  static install(): string[] {
    return [];
  }
}

/** A class that extends `CliAgent` and can be constructed. */
export interface CliAgentClass {
  /** Makes an agent for a run. */
  new (): CliAgent;
  /** Returns shell commands that install the agent as root when the image is built. */
  install(): string[];
}

/** Whether a value is a class that extends `CliAgent` of any copy of this module. */
export function isCliAgentClass(value: unknown): value is CliAgentClass {
  return typeof value === "function" && CLI_AGENT in value && !Object.hasOwn(value, CLI_AGENT);
}
