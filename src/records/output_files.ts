import { dirname, join, resolve } from "@std/path";
import { KarotteError, messageOf } from "../base/errors.ts";
import { exists } from "../base/files.ts";
import { logLine } from "../base/log.ts";
import type { EvaluationRunConfig } from "../schemas/run_config.ts";
import { EVENTS_SUFFIX, TRANSCRIPT_SUFFIX, withoutSuffix } from "./file_names.ts";
import { giveToInvokingUser } from "./invoking_user.ts";

/** The files of a run that begins. The events file is there, empty, and nobody else's. */
export interface OutputFiles {
  readonly events: Deno.FsFile;
  readonly eventsPath: string;
  /** Null: no final file is wanted. */
  readonly transcriptPath: string | null;
  /** The folder in which artifact folders are made. */
  readonly directory: string;
}

/** Folder for the files of runs that name none, below the command's directory. */
const OUTPUT_FOLDER = "out";

/**
 * Creates the run's events file. A named transcript that exists is kept under a number; without
 * a name it is `out/<name>`, or the first free number after it. Throws a usage error if the folder
 * can't be written.
 */
export async function claimOutputFiles(
  config: EvaluationRunConfig,
  { directory, name }: { directory: string; name: string },
): Promise<OutputFiles> {
  const named = config.transcript_file ?? undefined;
  const base = resolve(
    directory,
    named === undefined ? join(OUTPUT_FOLDER, name) : withoutSuffix(named),
  );
  try {
    await makeFolder(dirname(base));
    if (named !== undefined) await keepEarlier(base);
    return await claim(base, config, named !== undefined);
  } catch (error) {
    if (error instanceof KarotteError) throw error;
    throw new KarotteError("usage", `Cannot write to "${dirname(base)}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Moves the finished transcript to its place; if that was taken meanwhile, to the next free one.
 */
export async function placeTranscript(partial: string, wanted: string): Promise<string> {
  const base = withoutSuffix(wanted);
  for (let n = 0;; n++) {
    const path = n === 0 ? wanted : `${base}.${n}${TRANSCRIPT_SUFFIX}`;
    try {
      await Deno.link(partial, path);
      await Deno.remove(partial);
      return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}

async function claim(
  base: string,
  config: EvaluationRunConfig,
  isNamed: boolean,
): Promise<OutputFiles> {
  for (let n = 1;; n++) {
    const stem = n === 1 ? base : `${base}.${n}`;
    const transcript = stem + TRANSCRIPT_SUFFIX;
    if (!isNamed && await exists(transcript)) continue;
    const eventsPath = stem + EVENTS_SUFFIX;
    try {
      const events = await Deno.open(eventsPath, { createNew: true, read: true, write: true });
      await giveToInvokingUser(eventsPath);
      if (n > 1) {
        logLine(`"${base}${TRANSCRIPT_SUFFIX}" is taken: this run is recorded as "${transcript}"`);
      }
      const transcriptPath = config.transcript_file === null ? null : transcript;
      return { events, eventsPath, transcriptPath, directory: dirname(base) };
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}

async function keepEarlier(base: string): Promise<void> {
  const suffixes = [TRANSCRIPT_SUFFIX, EVENTS_SUFFIX];
  const there = await filter(suffixes, (suffix) => exists(base + suffix));
  if (there.length === 0) return;
  let n = 1;
  while ((await filter(suffixes, (suffix) => exists(`${base}.${n}${suffix}`))).length > 0) n++;
  for (const suffix of there) await Deno.rename(base + suffix, `${base}.${n}${suffix}`);
  logLine(`kept the earlier "${base}${there[0]}" as "${base}.${n}${there[0]}"`);
}

async function filter<T>(values: T[], test: (value: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(values.map(test));
  return values.filter((_, index) => kept[index]);
}

/** Makes a folder and gives each one that was missing to the invoking user. */
async function makeFolder(path: string): Promise<void> {
  if (await exists(path)) return;
  await makeFolder(dirname(path));
  try {
    await Deno.mkdir(path);
    await giveToInvokingUser(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}
