import { KarotteError } from "../../base/errors.ts";

/** What `as-student` is asked to run. */
export interface AsStudentOptions {
  /** Seconds until the program and all that it started are killed. */
  readonly timeoutSeconds: number;
  /** The most bytes of address space of each process; undefined: no limit of its own. */
  readonly memoryBytes: number | undefined;
  /** The program and its arguments. */
  readonly argv: readonly string[];
}

/** Seconds, as for `student.run`: a program that never ends must not use up the scoring's time. */
const DEFAULT_TIMEOUT_SECONDS = 60;
const USAGE = "[--timeout SECONDS] [--memory BYTES] -- PROGRAM ARGUMENTS...";

/** Reads the arguments. Throws a usage error for what it does not know, or without a program. */
export function parseAsStudent(args: readonly string[]): AsStudentOptions {
  let timeoutSeconds = DEFAULT_TIMEOUT_SECONDS;
  let memoryBytes: number | undefined;
  let index = 0;
  for (; args[index]?.startsWith("-"); index += 2) {
    const name = args[index];
    if (name === "--") {
      index += 1;
      break;
    }
    const value = Number(args[index + 1] || NaN);
    if (name === "--timeout" && value > 0 && Number.isFinite(value)) timeoutSeconds = value;
    else if (name === "--memory" && value > 0 && Number.isInteger(value)) memoryBytes = value;
    else throw refused(`Cannot use "${[name, args[index + 1]].join(" ").trim()}"`);
  }
  const argv = args.slice(index);
  if (argv.length === 0) throw refused("Cannot run a program as the student: none is named");
  return { timeoutSeconds, memoryBytes, argv };
}

function refused(message: string): KarotteError {
  return new KarotteError("usage", message, { hint: `$KAROTTE_AS_STUDENT takes ${USAGE}` });
}
