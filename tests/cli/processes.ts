/** A process of this machine. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly argv: readonly string[];
}

/** All processes that can be looked at; zombies have no argv. */
export function processes(): Process[] {
  return [...Deno.readDirSync("/proc")].flatMap(({ name }) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = Deno.readTextFileSync(`/proc/${name}/stat`);
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      const argv = Deno.readTextFileSync(`/proc/${name}/cmdline`).split("\0").slice(0, -1);
      return [{ pid: Number(name), parent, argv }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** Those that came of a process, outer ones first. */
export function descendants(pid: number): Process[] {
  const all = processes();
  const found: Process[] = [];
  for (let parents = new Set([pid]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map((child) => child.pid));
  }
  return found;
}

export function withCommand(program: string, argument: string): Process[] {
  return processes().filter(({ argv }) => argv[0] === program && argv[1] === argument);
}

/** Looks until it holds; an error after 30 s names what was awaited. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let look = 0; look < 600; look++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`awaited in vain: ${what}`);
}
