/**
 * Usage: deno run --allow-read scripts/faults.ts
 *
 * Lists the faults that were found in the product and mended, by number, for which there is no
 * test. The test of a fault has a name that begins with its number: `faults 2.3: ...`.
 */
import { join } from "@std/path";

/** Numbers of the faults: the last of each group. */
const FAULTS: Readonly<Record<number, number>> = { 1: 3, 2: 7, 3: 8, 4: 2 };
const FOLDERS = ["src", "tests", "scripts", "plugins"];

/** Returns the numbers that are in the name of no test, of these sources. */
export function untestedFaults(sources: Iterable<string>): string[] {
  const tested = new Set<string>();
  for (const source of sources) {
    for (const [, number = ""] of source.matchAll(/["'`]faults (\d+\.\d+): /g)) tested.add(number);
  }
  return Object.entries(FAULTS)
    .flatMap(([group, last]) => Array.from({ length: last }, (_, index) => `${group}.${index + 1}`))
    .filter((number) => !tested.has(number));
}

/** Reads the files of tests, and what they share, below a checkout. */
export async function readTests(root: string): Promise<string[]> {
  const sources: string[] = [];
  const visit = async (folder: string, isTests: boolean) => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = join(folder, name);
      if (isDirectory) await visit(path, isTests);
      else if (name.endsWith("_test.ts") || (isTests && name.endsWith(".ts"))) {
        sources.push(await Deno.readTextFile(path));
      }
    }
  };
  for (const folder of FOLDERS) await visit(join(root, folder), folder === "tests");
  return sources;
}

if (import.meta.main) {
  const root = join(import.meta.dirname ?? ".", "..");
  const untested = untestedFaults(await readTests(root));
  for (const number of untested) console.log(`faults ${number}: there is no test of it`);
  if (untested.length > 0) Deno.exit(1);
}
