/** The folder of all that Karotte puts into a sandbox; places are the same on every runtime. */
export const KAROTTE_DIRECTORY = "/opt/karotte";
/** Root, 0755: the program. */
export const PROGRAM_DIRECTORY = "/opt/karotte/bin";
/** Root, 0700: bundles and environment files. */
export const PRIVATE_DIRECTORY = "/opt/karotte/private";
/** Root, 0700, in images only: Deno's cache, so that it need not look at the program again. */
export const CACHE_DIRECTORY = "/opt/karotte/cache";
/** The file that marks an image whose places have their owners and modes already. */
export const PREPARED_MARK = "/opt/karotte/prepared";
/** Root, 0600, in images only: JSON with the variables that the base image sets, by name. */
export const IMAGE_VARIABLES = "/opt/karotte/variables.json";
/** Root, 0700: what the harness writes during a run (protected store, submissions). */
export const STATE_DIRECTORY = "/var/lib/karotte";
/** Root, 1777: home and working directory of the student. */
export const WORK_DIRECTORY = "/workdir";

/** The student account, in every sandbox. */
export const STUDENT = { name: "student", uid: 1000, gid: 1000, home: WORK_DIRECTORY } as const;

/** A folder of the environment that is copied into the sandbox. */
export interface DataDirectory {
  /** Its path in the environment's folder, where it need not exist. */
  readonly source: string;
  /** Its path in the sandbox. */
  readonly target: string;
  /**
   * `student`: all in it is the student's, and the folder itself is root's with the student's group
   * (`STUDENT_DATA_MODE`). `shared`: root's, read-only for others. `root`: root's, 0700.
   */
  readonly access: "student" | "shared" | "root";
}

/** What the student is handed out. */
export const STUDENT_DATA = "/workdir/data";
/**
 * The mode of a folder that is root's and that the student's group works in as in one of its own,
 * but for renaming or removing the folder: `/workdir` is sticky, and its owner could do that.
 */
export const STUDENT_DATA_MODE = 0o775;

export const DATA_DIRECTORIES: readonly DataDirectory[] = [
  { source: "student_data", target: STUDENT_DATA, access: "student" },
  { source: "shared_data", target: "/workdir/shared", access: "shared" },
  { source: "root_data", target: "/root_data", access: "root" },
  { source: "intermediate_data", target: "/intermediate_data", access: "root" },
];
