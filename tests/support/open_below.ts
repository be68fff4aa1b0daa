import { ifThereSync } from "../../src/base/files.ts";

/** Looks, with 10 ms between two of them, until what another thread is closing is closed. */
const LOOKS = 50;

/**
 * Lists what this process has open of some folders and below them: a number of descriptors says
 * nothing, for other tests of the process have theirs.
 */
export async function openBelow(folders: Iterable<string>): Promise<string[]> {
  const places = [...folders];
  for (let look = 1;; look++) {
    const targets = [...Deno.readDirSync("/proc/self/fd")].map(({ name }) =>
      ifThereSync(() => Deno.readLinkSync(`/proc/self/fd/${name}`)) ?? ""
    );
    // What is removed has " (deleted)" behind its path.
    const found = targets.filter((target) =>
      places.some((place) =>
        target.split(" (deleted)")[0] === place || target.startsWith(`${place}/`)
      )
    );
    if (found.length === 0 || look === LOOKS) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
