import { BoundedBytes } from "./bounded_bytes.ts";
import { KarotteError } from "./errors.ts";
import { isReachableDirectorySync } from "./files.ts";

export interface SpawnOptions {
  cwd?: string;
  /** Added to the caller's environment, or the whole environment with `clearEnv`. */
  env?: Readonly<Record<string, string>>;
  /** Start from an empty environment. Anything that is not fully trusted gets this. */
  clearEnv?: boolean;
  /** `inherit`: the caller's own; absent: `null`. */
  stdin?: "null" | "piped" | "inherit";
  /** The bits that files it makes do not get; absent: the caller's. */
  umask?: number;
}

/** A running program in a session (and process group) of its own. */
export interface Child {
  readonly pid: number;
  /** Present with `stdin: "piped"`. */
  readonly stdin: WritableStream<Uint8Array<ArrayBuffer>> | undefined;
  /** Both must be drained from the start, or the program stops at a full pipe. */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Resolves when the program ends, whoever still holds its pipes. */
  readonly status: Promise<ExitStatus>;
  /** Signals the program's whole process group; one that has ended is fine. */
  kill(signal: Deno.Signal): void;
}

export interface ExitStatus {
  /** 128 + n after signal n. */
  code: number;
  signal: Deno.Signal | null;
}

export interface RunOptions extends Omit<SpawnOptions, "stdin"> {
  /** Written to the program's stdin, which is then closed; absent: stdin is null. */
  stdin?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
  /** After this many milliseconds: `stopSignal` to the group, `graceMs`, then KILL. */
  timeoutMs?: number;
  /** Asks the program to end; TERM if absent. */
  stopSignal?: Deno.Signal;
  /** Milliseconds between `stopSignal` and KILL; 2000 if absent. */
  graceMs?: number;
  /** Bytes kept of each stream, half from its start and half from its end; 16 MiB if absent. */
  maxOutputBytes?: number;
  /** Called once the program runs, for a caller that has its own way to end it. */
  onSpawn?: (child: Child) => void;
  /** Called with each piece of output as it comes; it must not change the bytes. */
  onOutput?: (stream: "stdout" | "stderr", chunk: Uint8Array<ArrayBuffer>) => void;
  /** Kill what the program left running in its process group when it ends. */
  killLeftovers?: boolean;
}

export interface RunResult extends ExitStatus {
  stdout: Uint8Array<ArrayBuffer>;
  stderr: Uint8Array<ArrayBuffer>;
  /** True if the time-out or the caller's signal ended the program. */
  timedOut: boolean;
}

export type Run = (argv: readonly string[], options?: RunOptions) => Promise<RunResult>;

const DEFAULT_MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const DEFAULT_GRACE_MS = 2000;
/** How long output is awaited after the program ended while something else holds its pipes. */
const DRAIN_MS = 200;

/**
 * Starts a program. Throws a `KarotteError` that tells a missing program from a missing `cwd`.
 * No shell, and both streams are always piped.
 */
export function spawn(argv: readonly string[], options: SpawnOptions = {}): Child {
  const [program, ...args] = argv;
  if (program === undefined) throw new TypeError("spawn needs a program");
  let child: Deno.ChildProcess;
  // The child has what its parent has at that moment.
  const umask = options.umask === undefined ? undefined : Deno.umask(options.umask);
  try {
    child = new Deno.Command(program, {
      args,
      detached: true,
      stdin: options.stdin ?? "null",
      stdout: "piped",
      stderr: "piped",
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: { ...options.env } }),
      clearEnv: options.clearEnv ?? false,
    }).spawn();
  } catch (error) {
    throw spawnError(program, options.cwd, error);
  } finally {
    if (umask !== undefined) Deno.umask(umask);
  }
  return {
    pid: child.pid,
    stdin: options.stdin === "piped" ? child.stdin : undefined,
    stdout: child.stdout,
    stderr: child.stderr,
    status: child.status.then(({ code, signal }) => ({ code, signal })),
    kill: (signal) => killGroup(child.pid, signal),
  };
}

/**
 * Runs a program to its end and returns what it said. A non-zero status is a value, not an error.
 */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  options.signal?.throwIfAborted();
  const { stdin, ...rest } = options;
  const child = spawn(argv, { ...rest, stdin: stdin === undefined ? "null" : "piped" });
  options.onSpawn?.(child);
  const half = Math.ceil((options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES) / 2);
  const { onOutput } = options;
  const stdout = collect(child.stdout, half, (chunk) => onOutput?.("stdout", chunk));
  const stderr = collect(child.stderr, half, (chunk) => onOutput?.("stderr", chunk));
  const feeding = child.stdin === undefined ? undefined : feed(child.stdin, stdin ?? "");
  const stop = stopper(child, options);
  const status = await child.status;
  stop.clear();
  await Promise.all([stdout.finish(), stderr.finish(), feeding]);
  return { ...status, stdout: stdout.bytes(), stderr: stderr.bytes(), timedOut: stop.fired() };
}

/** Signals a process group; one that is gone already is fine. */
function killGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(-pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || (error as { code?: string })?.code === "ESRCH";
}

function stopper(child: Child, options: RunOptions) {
  let fired = false;
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    if (fired) return;
    fired = true;
    child.kill(options.stopSignal ?? "SIGTERM");
    killTimer = setTimeout(() => child.kill("SIGKILL"), options.graceMs ?? DEFAULT_GRACE_MS);
  };
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(end, options.timeoutMs);
  options.signal?.addEventListener("abort", end);
  return {
    fired: () => fired,
    clear() {
      clearTimeout(timer);
      clearTimeout(killTimer);
      options.signal?.removeEventListener("abort", end);
      // What the program left behind in its group must not outlive a stop.
      if (fired || options.killLeftovers) child.kill("SIGKILL");
    },
  };
}

function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  half: number,
  onChunk: (chunk: Uint8Array<ArrayBuffer>) => void,
) {
  const kept = new BoundedBytes({ head: half, tail: half });
  const reader = stream.getReader();
  const done = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onChunk(value);
      kept.push(value);
    }
  })();
  return {
    bytes: () => kept.bytes() as Uint8Array<ArrayBuffer>,
    /** Waits for the end of the stream, but not for a daemon that holds it. */
    async finish() {
      const timer = setTimeout(() => reader.cancel(), DRAIN_MS);
      try {
        await done;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function feed(
  stream: WritableStream<Uint8Array<ArrayBuffer>>,
  input: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const writer = stream.getWriter();
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  try {
    await writer.write(bytes);
    await writer.close();
  } catch {
    // The program closed its stdin or ended before it had read everything: its status says more.
    await writer.abort().catch(() => {});
  }
}

function spawnError(program: string, cwd: string | undefined, error: unknown): unknown {
  if (!(error instanceof Deno.errors.NotFound)) {
    return new KarotteError("runtime", `Cannot start "${program}": ${String(error)}`, {
      cause: error,
    });
  }
  if (cwd !== undefined && !isReachableDirectorySync(cwd)) {
    return new KarotteError("usage", `Cannot start "${program}" in "${cwd}": no such directory`);
  }
  return new KarotteError("runtime", `Cannot start "${program}": program not found`, {
    cause: error,
  });
}
