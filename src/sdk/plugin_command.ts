/** A sub-command that a plugin adds: the value of an entry of `karotte.cli`. */
export interface PluginCommand {
  /** Paragraphs for `karotte help NAME`. */
  readonly description: string;
  /**
   * Runs it with all that stood after its name, `--help` included. The number it returns is the
   * exit status; nothing means 0.
   */
  main(
    args: readonly string[],
    context: PluginCommandContext,
  ): number | void | Promise<number | void>;
}

/** What a plugin's command is given besides its arguments. */
export interface PluginCommandContext {
  /** How it was called, for messages: `karotte mytool`. */
  readonly path: string;
  /** Absolute path of the environment: `-C DIR`, or the current folder. */
  readonly directory: string;
  /** Writes a result, a line, to stdout; it is lost quietly where nobody reads any more. */
  printLine(text: string): void;
  /** Writes a remark, a line, to stderr; likewise. */
  logLine(text: string): void;
}
