import type { Child } from "../../base/process.ts";
import { startTicksOf } from "../../base/process_table.ts";

/** How long a killed process may take to go, in milliseconds, and how often that is looked at. */
const GONE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 5;

/** A process of the host, told from later ones of the same pid. */
export class HostProcess {
  readonly #pid: number;
  readonly #startTicks: number | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#startTicks = startTicksOf(pid);
  }

  runs(): boolean {
    return this.#startTicks !== undefined && startTicksOf(this.#pid) === this.#startTicks;
  }

  /** Sends SIGKILL; false if the process is gone. */
  kill(): boolean {
    if (!this.runs()) return false;
    try {
      Deno.kill(this.#pid, "SIGKILL");
      return true;
    } catch (error) {
      if (this.runs()) throw error;
      return false;
    }
  }

  /** Resolves when the process is gone; throws if that takes 10 s. */
  async gone(): Promise<void> {
    for (let waited = 0; this.runs(); waited += LOOK_EVERY_MS) {
      if (waited > GONE_WITHIN_MS) throw new Error(`process ${this.#pid} does not go away`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

/** The host's bwrap processes with `word` among their arguments. */
export function bwrapsWith(word: string): HostProcess[] {
  const pids = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(
    Number.isInteger,
  );
  return pids.filter((pid) => {
    const isBwrap = readProcess(pid, "comm") === "bwrap\n";
    return isBwrap && readProcess(pid, "cmdline").split("\0").includes(word);
  }).map((pid) => new HostProcess(pid));
}

function readProcess(pid: number, file: "comm" | "cmdline"): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${file}`);
  } catch {
    // It ended while we looked.
    return "";
  }
}

/** Ends the programs of a start that failed; resolves when they are gone. */
export async function abandon(child: Child, init: number | undefined): Promise<void> {
  const first = init === undefined ? undefined : new HostProcess(init);
  child.kill("SIGKILL");
  await child.status;
  await first?.gone();
}
