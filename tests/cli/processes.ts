import { descendantsOf, listProcesses, type ProcessEntry } from "../../src/base/process_table.ts";

/** A process of this machine. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly argv: readonly string[];
}

/** Lists those that came of a process, outer ones first; zombies have no argv. */
export function descendants(pid: number): Process[] {
  return descendantsOf(pid).flatMap(withArguments);
}

/** Lists the processes that can be looked at and run a program with this first argument. */
export function withCommand(program: string, argument: string): Process[] {
  return listProcesses().flatMap(withArguments).filter(({ argv }) =>
    argv[0] === program && argv[1] === argument
  );
}

function withArguments({ pid, parent }: ProcessEntry): Process[] {
  try {
    const argv = Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0").slice(0, -1);
    return [{ pid, parent, argv }];
  } catch {
    return []; // it ended meanwhile
  }
}

/** Looks until it holds; an error after 30 s names what was awaited. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let look = 0; look < 600; look++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`awaited in vain: ${what}`);
}
