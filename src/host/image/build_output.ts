/** A line of a builder's output, by what it says. */
export type BuildLine =
  | { readonly kind: "step"; readonly step: string }
  | { readonly kind: "cached" }
  | { readonly kind: "failed"; readonly step: string }
  | { readonly kind: "text" };

/**
 * Reads a line of the classic builder of docker (`Step 2/7 : RUN make`), podman (`STEP 2/7: RUN
 * make`) and BuildKit (`#6 [2/7] RUN make`, `#6 CACHED`, ` > [2/7] RUN make:`).
 */
export function parseBuildLine(line: string): BuildLine {
  const step = /^STEP (\d+\/\d+) ?: (.*)$/i.exec(line) ??
    /^#\d+ \[(?:\S+ )?(\d+\/\d+)\] (.*)$/.exec(line);
  if (step !== null) return { kind: "step", step: `${step[1]}: ${step[2]}` };
  const failed = /^ > \[(?:\S+ )?(\d+\/\d+)\] (.*):$/.exec(line);
  if (failed !== null) return { kind: "failed", step: `${failed[1]}: ${failed[2]}` };
  if (/^( ?-+> Using cache|#\d+ CACHED)/.test(line)) return { kind: "cached" };
  return { kind: "text" };
}

/** The lines of a failed step that are shown. */
const LAST_LINES = 50;
const MAX_LINE_CHARS = 2000;
const COLOURS = new RegExp("\u001b\\[[0-9;]*m", "g");

/** A follower of a build's output: which step is under way, and what it said. */
export class BuildProgress {
  readonly #onStep: (step: string) => void;
  readonly #onLine: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #step: string | undefined;
  #told = true;
  #failed: string | undefined;
  #lines: string[] = [];

  /**
   * `onStep` is called for each step that is not in the builder's cache, `onLine` for what it says.
   */
  constructor(handlers: { onStep(step: string): void; onLine(line: string): void }) {
    this.#onStep = handlers.onStep;
    this.#onLine = handlers.onLine;
  }

  /** The step that failed, if the build failed; undefined: it failed before its first step. */
  get step(): string | undefined {
    return this.#failed ?? this.#step;
  }

  /** The last lines of the step under way. */
  get lastLines(): readonly string[] {
    return this.#lines;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = (lines.pop() ?? "").slice(-MAX_LINE_CHARS);
    for (const line of lines) this.#line(line.slice(0, MAX_LINE_CHARS));
  }

  /** Takes what came without an end of line. */
  finish(): void {
    if (this.#rest !== "") this.#line(this.#rest);
    this.#rest = "";
  }

  #line(written: string): void {
    // What a terminal would show of a line that was written over and over, without its colours.
    const line = written.replace(COLOURS, "").replace(/\r+$/, "").replace(/^.*\r/s, "");
    const said = parseBuildLine(line);
    if (said.kind === "step") {
      this.#step = said.step;
      this.#told = false;
      this.#lines = [];
      return;
    }
    if (said.kind === "cached") {
      this.#told = true;
      return;
    }
    if (said.kind === "failed") this.#failed = said.step;
    // BuildKit names a step by its digest before it says whether the step is cached.
    if (line.trim() === "" || /^#\d+ sha256:[0-9a-f]{64}$/.test(line)) return;
    if (!this.#told && this.#step !== undefined) this.#onStep(this.#step);
    this.#told = true;
    this.#lines.push(line);
    if (this.#lines.length > LAST_LINES) this.#lines.shift();
    this.#onLine(line);
  }
}
