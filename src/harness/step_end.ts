import { readTextIfThereSync } from "../base/files.ts";
import { isGuardOn } from "../protocol/guards.ts";
import type { LeftFile, LinkReport } from "../schemas/step_end.ts";
import { warningEvent } from "../schemas/transcript.ts";
import { StudentMisbehaviorError } from "../sdk/misbehavior.ts";
import { StudentFileError } from "../sdk/student.ts";
import type { Step } from "../sdk/task.ts";
import type { EventLog } from "./event_log.ts";
import { walkLinks } from "./links/link_walk.ts";
import { rootPlaces } from "./links/root_places.ts";
import { walkRoots } from "./links/walk_roots.ts";
import type { HarnessStudent } from "./student/student.ts";

/** The parts of a run that the end of a step has to do with. */
export interface StepEndParts {
  readonly student: HarnessStudent;
  readonly events: Pick<EventLog, "emit">;
  /** Copies the step's submissions. Throws a `StudentMisbehaviorError` for what is refused. */
  collectSubmissions(step: Step): Promise<void>;
}

/**
 * Ends the student's part of a step, before any code of root's looks at what it left: its processes
 * end, and links that would lead root astray are found. Throws a `StudentMisbehaviorError` for what
 * scores 0.
 */
export async function endStudentsPart(step: Step, parts: StepEndParts): Promise<void> {
  const { keepProcesses } = step;
  if (!keepProcesses && isGuardOn("kill")) await endProcesses(parts);
  // With the student's rights: also where its processes are kept, and before links are removed.
  await parts.collectSubmissions(step);
  if (keepProcesses) {
    await parts.events.emit({ type: "student_links", metadata: NOT_WALKED });
  } else if (isGuardOn("links")) {
    await checkLinks(step, parts);
  }
}

/** Ends the student's processes, and tells which they were. */
async function endProcesses({ student, events }: StepEndParts): Promise<void> {
  const report = await student.processes();
  await student.killAll();
  if (report.count === 0 && report.other_listening.length === 0) return;
  await events.emit({ type: "student_processes_ended", metadata: report });
}

const NOTHING = { count: 0, files: [] };

/** A walk beside processes that go on would prove nothing: they can lay a link after it. */
const NOT_WALKED: LinkReport = {
  ...{ walked: false, reason: "keepProcesses: true on the step: links can be laid at any time" },
  ...{ entries: 0, into_root_places: NOTHING, removed: NOTHING },
};

async function checkLinks(step: Step, { student, events }: StepEndParts): Promise<void> {
  const { uid, gid } = student;
  const report = await walkLinks({
    ...{ uid, gid, roots: walkRoots(student), places: rootPlaces() },
    areHardLinksSafe: areHardLinksSafe(),
    mayRead: (path) => mayRead(student, path),
  });
  const { reason, into_root_places: astray, removed } = report;
  if (astray.count + removed.count > 0 || reason !== null) {
    await events.emit({ type: "student_links", metadata: report });
  }
  if (reason !== null) await events.emit(warningEvent(`${UNFINISHED}: ${reason}`));
  const [first] = astray.files;
  if (first === undefined || step.studentLinks === "allow") return;
  throw new StudentMisbehaviorError(astrayText(first, astray.count));
}

const UNFINISHED = "Links in the student's files were not all looked for";

function astrayText({ path, kind, target }: LeftFile, count: number): string {
  const shown = target === null ? JSON.stringify(path) : `${JSON.stringify(path)} -> ${target}`;
  const more = count > 1 ? ` (and ${count - 1} more)` : "";
  return `The student left a ${kind} into a place of root's: ${shown}${more}; ` +
    'where that is meant, studentLinks: "allow" on the step lets it be';
}

/** With the kernel's own guard, only who may read and write a file can give it a second name. */
function areHardLinksSafe(): boolean {
  return /^[1-9]/.test(readTextIfThereSync("/proc/sys/fs/protected_hardlinks") ?? "");
}

async function mayRead(student: HarnessStudent, path: string): Promise<boolean> {
  try {
    await student.files.read(path, { offset: 0, maxBytes: 0 });
    return true;
  } catch (error) {
    if (error instanceof StudentFileError) return false;
    throw error;
  }
}
