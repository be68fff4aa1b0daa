import { KarotteError } from "../base/errors.ts";
import { ifThere } from "../base/files.ts";
import {
  CACHE_DIRECTORY,
  DATA_DIRECTORIES,
  type DataDirectory,
  KAROTTE_DIRECTORY,
  PRIVATE_DIRECTORY,
  PROGRAM_DIRECTORY,
  STATE_DIRECTORY,
  STUDENT,
  STUDENT_DATA_MODE,
  WORK_DIRECTORY,
} from "../protocol/layout.ts";

interface Expected {
  readonly path: string;
  readonly uid: number;
  /** Absent: any. */
  readonly gid?: number | undefined;
  /** Undefined: any that gives others no right to write. */
  readonly mode: number | undefined;
}

const MODES: Readonly<Record<DataDirectory["access"], number | undefined>> = {
  root: 0o700,
  shared: undefined,
  student: STUDENT_DATA_MODE,
};

const PLACES: readonly Expected[] = [
  { path: "/", uid: 0, mode: undefined },
  { path: "/etc", uid: 0, mode: undefined },
  { path: "/opt", uid: 0, mode: undefined },
  { path: KAROTTE_DIRECTORY, uid: 0, mode: 0o755 },
  { path: PROGRAM_DIRECTORY, uid: 0, mode: 0o755 },
  { path: PRIVATE_DIRECTORY, uid: 0, mode: 0o700 },
  { path: CACHE_DIRECTORY, uid: 0, mode: 0o700 },
  { path: STATE_DIRECTORY, uid: 0, mode: 0o700 },
  { path: WORK_DIRECTORY, uid: 0, mode: 0o1777 },
  ...DATA_DIRECTORIES.map(({ target, access }) => ({
    path: target,
    uid: 0,
    gid: access === "student" ? STUDENT.gid : undefined,
    mode: MODES[access],
  })),
];

/** Throws if a place of the sandbox has another owner or mode than it must have. */
export async function checkPermissions(): Promise<void> {
  for (const { path, uid, gid, mode } of PLACES) {
    const info = await ifThere(Deno.lstat(path));
    if (info === undefined) continue;
    const bits = (info.mode ?? 0) & 0o7777;
    const right = info.isDirectory && info.uid === uid &&
      (gid === undefined || info.gid === gid) &&
      (mode === undefined ? (bits & 0o022) === 0 : bits === mode);
    if (right) continue;
    const found = info.isDirectory
      ? `owner ${info.uid}, group ${info.gid}, mode ${octal(bits)}`
      : "no folder";
    const wanted = mode === undefined ? "nobody else may write" : `mode ${octal(mode)}`;
    throw new KarotteError("usage", `Cannot use the image: "${path}" has ${found}`, {
      hint: `It has to be a folder of user ${uid}${gid ? `, group ${gid}` : ""}, ${wanted}.`,
    });
  }
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
