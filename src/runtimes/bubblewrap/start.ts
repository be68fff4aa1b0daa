import { BoundedBytes } from "../../base/bounded_bytes.ts";
import { KarotteError } from "../../base/errors.ts";
import { type Child, spawn } from "../../base/process.ts";
import type { NamespaceEntry } from "./namespace_entry.ts";
import type { Identity } from "./identity.ts";
import { Prelude } from "./prelude.ts";
import { abandon } from "./processes.ts";
import { explain } from "./requirements.ts";
import { SYSTEM_ENVIRONMENT } from "./system_programs.ts";

/** The line with which the sandbox's first program says that it runs; it then awaits one. */
export const STARTED = "started";
/**
 * The time in milliseconds for a start. It takes well under a second; this is for a host in
 * trouble.
 */
const START_WITHIN_MS = 60_000;
const MAX_STDERR_BYTES = 8 * 1024;

/** A sandbox's program that has said that it runs. */
export interface StartedProgram {
  readonly child: Child;
  /** The host's pid of the first process of the new pid namespace. */
  readonly init: number;
  /** The output of the program after the line `started`. */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Runs `argv`, which goes through `entry`, until its program says `started`, and answers with a
 * line. If it fails nothing is left running, and the `KarotteError` holds what was said and what to
 * do.
 */
export async function start(
  argv: readonly string[],
  entry: NamespaceEntry,
  identity: Identity,
): Promise<StartedProgram> {
  const options = { cwd: "/", clearEnv: true, env: SYSTEM_ENVIRONMENT };
  const child = spawn(argv, { ...options, stdin: "piped" });
  const prelude = new Prelude(child.stdout);
  let init: number | undefined;
  const timer = setTimeout(() => child.kill("SIGKILL"), START_WITHIN_MS);
  try {
    const answer = (text: string) => writeTo(child, text);
    init = await entry.open({ pid: child.pid, prelude, identity, answer });
    await prelude.expect(STARTED);
    await answer("\n");
    return { child, init, stdout: prelude.channel() };
  } catch (error) {
    await abandon(child, init);
    await Promise.allSettled([child.stdin?.abort(), prelude.cancel()]);
    const said = await readEnd(child.stderr);
    throw explain(said, error);
  } finally {
    clearTimeout(timer);
  }
}

async function writeTo(child: Child, text: string): Promise<void> {
  if (child.stdin === undefined) throw new TypeError("a sandbox needs a piped stdin");
  const writer = child.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
  } catch (error) {
    throw new KarotteError("runtime", "Cannot start the sandbox: the starting program ended", {
      cause: error,
    });
  } finally {
    writer.releaseLock();
  }
}

async function readEnd(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const kept = new BoundedBytes({ head: MAX_STDERR_BYTES, tail: 0 });
  for await (const chunk of stream) kept.push(chunk);
  return new TextDecoder().decode(kept.bytes()).trim();
}
