/** The confinement that every sandbox has, whatever starts it. */
import { STUDENT, WORK_DIRECTORY } from "../protocol/layout.ts";

/** The name that the sandbox gives itself. */
export const HOSTNAME = "sandbox";

/** The capabilities that root in the sandbox keeps; each is needed by the harness. */
export const CAPABILITIES = [
  "chown", // hands the student its data
  "dac_override", // reads and stores what the student wrote, whatever its mode
  "fowner", // sets modes on the student's files, and removes them from sticky folders
  "setuid", // becomes the student
  "setgid", // and its group, with no other ones
  "kill", // ends the student's processes
  "setpcap", // takes the student's bounding set away
] as const;

const MIB = 1024 * 1024;
/** Bytes of /tmp; in memory, so within the sandbox's memory limit too. */
export const TMP_BYTES = 1024 * MIB;
/** Bytes of /run and of /dev/shm: as docker gives /dev/shm. */
export const SMALL_BYTES = 64 * MIB;

/** The variables of a sandbox that differ between runtimes. */
export interface EnvironmentOptions {
  /** The name of what confines the sandbox. */
  readonly confinedBy: string;
  /** A folder that only root can write to: what Deno keeps there runs as root. */
  readonly cacheDirectory: string;
}

/** Returns the variables of the sandbox's first program. */
export function environmentOf(
  { confinedBy, cacheDirectory }: EnvironmentOptions,
): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: "/root",
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    DENO_DIR: cacheDirectory,
    KAROTTE_CONTAINERIZED: "1",
    KAROTTE_SANDBOX: confinedBy,
    KAROTTE_WORKDIR: WORK_DIRECTORY,
    KAROTTE_DEMOTE_ID: String(STUDENT.uid),
  };
}
