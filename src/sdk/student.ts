/** The account under test, and the way to act with its rights instead of root's. */
export interface Student {
  /** The number of the account. */
  readonly uid: number;
  /** Home and working directory, `/workdir` in a sandbox. */
  readonly home: string;
  /** Runs a program as the student, in `home` and the student's environment. */
  run(argv: readonly string[], options?: StudentRunOptions): Promise<StudentRunResult>;
  /**
   * Reads a regular file with the student's rights. Throws a `StudentFileError` if the student may
   * not, if it is not a regular file, or if it holds more than `maxBytes` (256 MiB if absent).
   */
  readFile(path: string, options?: { maxBytes?: number }): Promise<Uint8Array<ArrayBuffer>>;
  /** Creates or overwrites a regular file with the student's rights; mode 0644 minus umask. */
  writeFile(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void>;
  /**
   * Kills every process of the student; returns when none is left. Throws a
   * `StudentMisbehaviorError` if some can't be ended, which scores 0 in `preScoringHook` and
   * judges.
   */
  killAll(): Promise<void>;
}

/** How a program of the student's is run. */
export interface StudentRunOptions {
  /** The folder to run it in; absent: `home`. */
  cwd?: string;
  /** Added to the student's environment. */
  env?: Readonly<Record<string, string>>;
  /** Absent: empty. */
  stdin?: string | Uint8Array<ArrayBuffer>;
  /** Milliseconds until its whole session is killed; 60,000 if absent. */
  timeoutMs?: number;
  /** Kills the whole session when it is aborted. */
  signal?: AbortSignal;
  /** Bytes kept of each stream, start and end; 16 MiB if absent. */
  maxOutputBytes?: number;
}

/** The outcome of a program of the student's. */
export interface StudentRunResult {
  /** 128 + n after signal n. */
  code: number;
  /** Its start and its end, if it was longer than is kept. */
  stdout: Uint8Array<ArrayBuffer>;
  /** Its start and its end, if it was longer than is kept. */
  stderr: Uint8Array<ArrayBuffer>;
  /** Whether it was killed because its time was over. */
  timedOut: boolean;
}

/** Why the kernel refused something to the student, as text that may be shown to the model. */
export class StudentFileError extends Error {
  /** The class's name. */
  override readonly name = "StudentFileError";
  /** A word for programs; the message is for people. */
  readonly reason: StudentFileErrorReason;

  /** Makes an error with a message that may be shown to the model. */
  constructor(reason: StudentFileErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The reasons that are told apart; `other` is what the kernel says besides. */
export type StudentFileErrorReason =
  | "not_found"
  | "permission_denied"
  | "not_a_regular_file"
  | "too_large"
  | "timeout"
  | "other";
