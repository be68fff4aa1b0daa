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
import { type Buffered, bufferTrees, folderInMemory } from "./small_submission.ts";
import type { StudentFiles } from "./student/student_files.ts";
import type { TreePart } from "./student/tree_reader.ts";
import { isStudentsDoing, writeTree } from "./submission_copy.ts";

/** The variable that names the folder of a step's copies to the programs of judges. */
const VARIABLE = "KAROTTE_SUBMISSION";

/**
 * Takes copies of the student's work for judges. It is read with the student's rights and without
 * following any link, so a link to an answer yields nothing; what is refused is misbehaviour.
 * Dispose it when the run is over.
 */
export class Submissions implements AsyncDisposable {
  readonly #directory: string;
  readonly #files: StudentFiles;
  #folders = 0;
  /** The folder of the step that was collected last. */
  #folder: string | undefined;
  /** Its copies, by the original's path. */
  #copies: ReadonlyMap<string, string | undefined> | undefined;

  /** `directory` is only root's; it is made when it is needed. */
  constructor(directory: string, files: StudentFiles) {
    this.#directory = directory;
    this.#files = files;
  }

  /**
   * Copies a step's submissions, each to its whole path below a new folder, and returns the paths
   * of the copies that there are; those of the step before are gone then. Throws a
   * `StudentMisbehaviorError` for what is refused, a `TypeError` for a path that can be none, and
   * then leaves no copy.
   */
  async collect(
    paths: readonly string[],
    limits: SubmissionLimits = {},
  ): Promise<CollectedSubmission[]> {
    await this.#drop();
    const all = [...new Set(paths.map(submissionPath))].sort();
    // What lies in another one is copied with it.
    const outer = all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
    const folder = all.length === 0 ? undefined : await this.#copyAll(outer, limits);
    const copies = new Map(all.map((path) => {
      const copy = `${folder}${path}`;
      return [path, isReachableSync(copy) ? copy : undefined];
    }));
    this.#copies = copies;
    this.#folder = folder;
    if (folder !== undefined) Deno.env.set(VARIABLE, folder);
    return outer.flatMap((path) => {
      const copy = copies.get(path);
      return copy === undefined ? [] : [{ path, copy }];
    });
  }

  /** Returns the path of the copy of a submission; undefined: the student left nothing there. */
  copyOf(path: string): string | undefined {
    const plain = submissionPath(path);
    if (this.#copies === undefined) {
      throw new TypeError(`Submission "${path}": nothing is collected before the step is scored`);
    }
    if (this.#copies.has(plain)) return this.#copies.get(plain);
    const known = [...this.#copies.keys()].join(", ") || "none";
    throw new TypeError(`Submission "${path}" is not in the step's submissionPaths: ${known}`);
  }

  /**
   * Copies one more path and returns the path of the copy, which stays until the run is over;
   * undefined: nothing is there. Throws as `collect` does.
   */
  async save(path: string, limits: SubmissionLimits = {}): Promise<string | undefined> {
    const plain = submissionPath(path);
    const folder = await this.#copyToDisk([plain], (each) => this.#read(each, limits));
    if (isReachableSync(folder + plain)) return folder + plain;
    await removeIfThere(folder);
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#drop();
  }

  async #drop(): Promise<void> {
    const folder = this.#folder;
    this.#copies = undefined;
    this.#folder = undefined;
    Deno.env.delete(VARIABLE);
    if (folder !== undefined) await removeIfThere(folder);
  }

  /** Returns the folder of the copies: in memory where they are small, for a disk may be slow. */
  async #copyAll(paths: readonly string[], limits: SubmissionLimits): Promise<string> {
    const read = (path: string) => this.#read(path, limits);
    const small = isGuardOn("submission") ? await bufferTrees(paths, read) : undefined;
    return (small && await folderInMemory(small)) ?? await this.#copyToDisk(paths, read, small);
  }

  /** Returns a new folder with the copies; throws a `StudentMisbehaviorError` for a full disk. */
  async #copyToDisk(
    paths: readonly string[],
    read: (path: string) => AsyncIterable<TreePart[]>,
    buffered?: Buffered,
  ): Promise<string> {
    await Deno.mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const folder = `${await Deno.realPath(this.#directory)}/${this.#folders++}`;
    await Deno.mkdir(folder, { mode: 0o700 });
    try {
      for (const path of paths) {
        await Deno.mkdir(dirname(folder + path), { recursive: true, mode: 0o700 });
        if (isGuardOn("submission")) {
          await writeTree(folder + path, buffered?.get(path) ?? read(path));
        } else await copyAsRoot(path, folder + path);
      }
      return folder;
    } catch (error) {
      await removeIfThere(folder);
      if (!isStudentsDoing(error)) throw error;
      throw new StudentMisbehaviorError(`Submission can't be copied: ${messageOf(error)}`);
    }
  }

  /** Reads what lies at a path; nothing if nothing is there. */
  async *#read(path: string, limits: SubmissionLimits): AsyncGenerator<TreePart[]> {
    try {
      yield* this.#files.readTree(path, { ...DEFAULT_SUBMISSION_LIMITS, ...limits });
    } catch (error) {
      if (!(error instanceof StudentFileError)) throw error;
      if (error.reason === "not_found") return;
      throw new StudentMisbehaviorError(`Submission ${error.message}`);
    }
  }
}

/** A submission, and where its copy lies. */
export interface CollectedSubmission {
  readonly path: string;
  readonly copy: string;
}
