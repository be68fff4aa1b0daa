import { KarotteError } from "../../base/errors.ts";
import { printable } from "../../base/one_line.ts";
import { NO_BASH, NO_GLIBC } from "./containerfile.ts";

/** A build that failed, as its output tells it. */
export interface FailedBuild {
  /** The environment's folder. */
  readonly directory: string;
  /** Undefined: before the first step. */
  readonly step: string | undefined;
  readonly lastLines: readonly string[];
  readonly logPath: string;
  /** True if it was Karotte's own layer. */
  readonly own: boolean;
}

/** Returns the error for a build that failed, with what is known about the reason. */
export function buildFailure(failed: FailedBuild): KarotteError {
  const cause = failed.own ? knownCause(failed.lastLines) : undefined;
  const action = `Cannot build the image of "${failed.directory}"`;
  const hint = `The whole log: ${failed.logPath}`;
  if (cause !== undefined) {
    return new KarotteError("run", `${action}: ${cause.found}`, { hint: `${cause.hint} ${hint}` });
  }
  const where = failed.step === undefined
    ? "it failed before its first step"
    : `step ${printable(failed.step)} failed`;
  const lines = failed.lastLines.map((line) => `  | ${printable(line)}`);
  return new KarotteError("run", [`${action}: ${where}`, ...lines].join("\n"), { hint });
}

interface Cause {
  readonly found: string;
  readonly hint: string;
}

function knownCause(lines: readonly string[]): Cause | undefined {
  const text = lines.join("\n");
  if (lines.includes(NO_BASH)) {
    return {
      found: "the image has no /bin/bash",
      hint: "Install bash in the Containerfile: the student's shell is /bin/bash.",
    };
  }
  if (lines.includes(NO_GLIBC)) {
    return {
      found: "the image has no glibc",
      hint: "Start from an image with glibc, like debian:bookworm; Alpine has musl.",
    };
  }
  if (/\/bin\/sh\b.*(no such file|not found)/i.test(text)) {
    return {
      found: "the image has no /bin/sh",
      hint: "Start from an image with a shell: Karotte needs /bin/sh and /bin/bash.",
    };
  }
  const glibc = /version `(GLIBC_[\d.]+)' not found/.exec(text);
  if (glibc !== null) {
    return {
      found: `the image's glibc is too old: ${glibc[1]} is missing`,
      hint: "Start from a newer image, like debian:bookworm.",
    };
  }
  return undefined;
}
