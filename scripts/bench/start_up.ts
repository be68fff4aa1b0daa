import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import type { Measured } from "./measured.ts";
import { median, significant, timesOf } from "./samples.ts";
import { successful } from "./successful.ts";

/** What `karotte --help` adds to the start of Deno itself. */
export async function measureStartUp(signal: AbortSignal): Promise<Measured> {
  await using dir = await tempDir();
  const cwd = dir.path;
  await Deno.writeTextFile(`${cwd}/empty.ts`, "");
  const bodies = [
    () => successful(["--help"], { cwd }),
    () => run([Deno.execPath(), "run", "empty.ts"], { cwd }),
  ];
  const times = await timesOf(bodies, { rounds: 15, signal });
  const [help, empty] = times.map(median) as [number, number];
  return {
    what: "karotte --help against an empty deno run",
    value: help / empty,
    unit: "x",
    target: 3,
    detail: `${significant(help)} ms against ${significant(empty)} ms`,
  };
}
