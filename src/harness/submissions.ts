import { dirname } from "node:path";
import { messageOf } from "../base/errors.ts";
import { isReachableSync } from "../base/files.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import { isGuardOn } from "../protocol/guards.ts";
import { StudentMisbehaviorError } from "../sdk/misbehavior.ts";
import { StudentFileError } from "../sdk/student.ts";
import {
  DEFAULT_SUBMISSION_LIMITS,
  type SubmissionLimits,
  submissionPath,
} from "../sdk/submission.ts";
import { copyAsRoot } from "./careless_copy.ts";
import type { StudentFiles } from "./student/student_files.ts";
import { isStudentsDoing, writeTree } from "./submission_copy.ts";

/** The variable that names the folder of a step's copies to the programs of judges. */
const VARIABLE = "KAROTTE_SUBMISSION";

/**
 * Takes copies of the student's work for judges. It is read with the student's rights and without
 * following any link, so a link to an answer yields nothing; what is refused is misbehaviour.
 */
export class Submissions {
  readonly #directory: string;
  readonly #files: StudentFiles;
  #folders = 0;
  /** The copies of the step that was collected last: by the original's path. */
  #copies: ReadonlyMap<string, string | undefined> | undefined;

  /** `directory` is only root's; it is made when it is needed. */
  constructor(directory: string, files: StudentFiles) {
    this.#directory = directory;
    this.#files = files;
  }

  /**
   * Copies a step's submissions, each to its whole path below a new folder, and returns the paths
   * of the copies that there are. Throws a `StudentMisbehaviorError` for what is refused, a
   * `TypeError` for a path that can be none, and then leaves no copy.
   */
  async collect(paths: readonly string[], limits: SubmissionLimits = {}): Promise<Collected[]> {
    this.#copies = undefined;
    Deno.env.delete(VARIABLE);
    const all = [...new Set(paths.map(submissionPath))].sort();
    if (all.length === 0) {
      this.#copies = new Map();
      return [];
    }
    const folder = await this.#newFolder();
    // What lies in another one is copied with it.
    const outer = all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
    await this.#copyAll(folder, outer, limits);
    const copies = new Map<string, string | undefined>();
    for (const path of all) {
      copies.set(path, isReachableSync(folder + path) ? folder + path : undefined);
    }
    this.#copies = copies;
    Deno.env.set(VARIABLE, folder);
    return outer.flatMap((path) => {
      const copy = copies.get(path);
      return copy === undefined ? [] : [{ path, copy }];
    });
  }

  /** The path of the copy of a submission; undefined if the student left nothing there. */
  copyOf(path: string): string | undefined {
    const plain = submissionPath(path);
    if (this.#copies === undefined) {
      throw new TypeError(`Submission "${path}": nothing is collected before the step is scored`);
    }
    if (this.#copies.has(plain)) return this.#copies.get(plain);
    const known = [...this.#copies.keys()].join(", ") || "none";
    throw new TypeError(`Submission "${path}" is not in the step's submissionPaths: ${known}`);
  }

  /** Copies one more path; undefined: nothing is there. Throws as `collect` does. */
  async save(path: string, limits: SubmissionLimits = {}): Promise<string | undefined> {
    const plain = submissionPath(path);
    const folder = await this.#newFolder();
    await this.#copyAll(folder, [plain], limits);
    if (isReachableSync(folder + plain)) return folder + plain;
    await removeIfThere(folder);
    return undefined;
  }

  async #newFolder(): Promise<string> {
    await Deno.mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const folder = `${await Deno.realPath(this.#directory)}/${this.#folders++}`;
    await Deno.mkdir(folder, { mode: 0o700 });
    return folder;
  }

  async #copyAll(
    folder: string,
    paths: readonly string[],
    limits: SubmissionLimits,
  ): Promise<void> {
    try {
      for (const path of paths) await this.#copy(path, folder + path, limits);
    } catch (error) {
      await removeIfThere(folder);
      throw error;
    }
  }

  async #copy(path: string, copy: string, limits: SubmissionLimits): Promise<void> {
    await Deno.mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    if (!isGuardOn("submission")) return await copyAsRoot(path, copy);
    try {
      const tree = this.#files.readTree(path, { ...DEFAULT_SUBMISSION_LIMITS, ...limits });
      await writeTree(copy, tree);
    } catch (error) {
      if (isStudentsDoing(error)) {
        throw new StudentMisbehaviorError(`Submission "${path}": ${messageOf(error)}`);
      }
      if (!(error instanceof StudentFileError)) throw error;
      if (error.reason === "not_found") return;
      throw new StudentMisbehaviorError(`Submission ${error.message}`);
    }
  }
}

/** A submission, and where its copy lies. */
export interface Collected {
  readonly path: string;
  readonly copy: string;
}
