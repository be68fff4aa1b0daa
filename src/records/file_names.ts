/** Ending of a run's transcript, which is written when the run ends. */
export const TRANSCRIPT_SUFFIX = ".json";

/** Ending of the file that gets each event of a run as it comes. */
export const EVENTS_SUFFIX = ".events.ndjson";

/** A file of a run by its name. */
export interface RunFileName {
  readonly kind: "transcript" | "events";
  /** The part of the name that both files of a run have. */
  readonly stem: string;
}

/** Returns which file of a run has such a name; undefined if none has. */
export function runFileName(name: string): RunFileName | undefined {
  if (name.endsWith(EVENTS_SUFFIX)) {
    return { kind: "events", stem: name.slice(0, -EVENTS_SUFFIX.length) };
  }
  if (name.endsWith(TRANSCRIPT_SUFFIX)) {
    return { kind: "transcript", stem: name.slice(0, -TRANSCRIPT_SUFFIX.length) };
  }
  return undefined;
}

/** Returns a path without the ending of a transcript. */
export function withoutSuffix(transcriptPath: string): string {
  return transcriptPath.endsWith(TRANSCRIPT_SUFFIX)
    ? transcriptPath.slice(0, -TRANSCRIPT_SUFFIX.length)
    : transcriptPath;
}

/** Bytes of a file's name, as file systems have it. */
const MOST_NAME_BYTES = 255;

/** Returns the name of the `n`th file that is to have this name, from 2 on: `x.2.txt`. */
export function numberedName(name: string, n: number): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const room = MOST_NAME_BYTES - bytesOf(`.${n}${ending}`);
  // An ending that takes all the room is none.
  if (room < 1) return `${cut(name, MOST_NAME_BYTES - bytesOf(`.${n}`))}.${n}`;
  return `${cut(stem, room)}.${n}${ending}`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Keeps as much of a text's start as has room, in whole characters. */
function cut(text: string, bytes: number): string {
  let kept = text;
  while (bytesOf(kept) > bytes) kept = [...kept].slice(0, -1).join("");
  return kept;
}

/** Returns the name of a run's `n`th artifact folder, counted from 1: runs may share an id. */
export function artifactFolderName(runId: string, n: number): string {
  return `${runId}_artifacts${n === 1 ? "" : `_${n}`}`;
}

/** Returns the id of the runs that make artifact folders of such a name; undefined: none do. */
export function runIdOfArtifactFolder(name: string): string | undefined {
  return /^(.+)_artifacts(_[1-9]\d*)?$/s.exec(name)?.[1];
}
