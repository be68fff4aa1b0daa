import { type TranscriptEvent, z } from "@karotte/cli/sdk";

/** What one run scored; the names are those of transcripts. */
export interface RunScores {
  run_id: string;
  task_id: string;
  /** Of the steps in order; a step that was not scored is not among them. */
  scores: number[];
  /** Null: no step was scored. */
  mean: number | null;
}

/** As much of a transcript as this needs; `TranscriptEvent` says what else is in it. */
const transcript = z.object({
  run_id: z.string(),
  events: z.array(z.custom<TranscriptEvent>((event) => Object(event) === event)),
});

/** Reads every transcript of a folder, in the order of their names; no folder: no runs. */
export async function readRuns(folder: string) {
  const runs: RunScores[] = [];
  const unreadable: string[] = [];
  for (const name of await transcriptNames(folder)) {
    try {
      const text = await Deno.readTextFile(`${folder}/${name}`);
      const { run_id, events } = transcript.parse(JSON.parse(text));
      runs.push({ run_id, ...scoresOf(events) });
    } catch (error) {
      unreadable.push(`cannot read "${folder}/${name}": ${firstLine(error)}`);
    }
  }
  return { runs, unreadable };
}

async function transcriptNames(folder: string): Promise<string[]> {
  try {
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    return names.filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function scoresOf(events: readonly TranscriptEvent[]): Omit<RunScores, "run_id"> {
  const started = events.find((event) => event.type === "task_started");
  const scores = events.flatMap((event) => event.type === "scoring" ? [event.scoring.score] : []);
  const sum = scores.reduce((total, score) => total + score, 0);
  return {
    task_id: started?.task_id ?? "unknown",
    scores,
    mean: scores.length === 0 ? null : sum / scores.length,
  };
}

function firstLine(error: unknown): string {
  return String(error).split("\n")[0] ?? "";
}
