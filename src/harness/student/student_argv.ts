import { demotion, trustedProgram } from "./demotion.ts";

/** How a program of the student's is started. */
export interface StudentStart {
  readonly uid: number;
  readonly gid: number;
  /** Entered with the student's rights. */
  readonly folder: string;
  /** All that it has. */
  readonly variables: Readonly<Record<string, string>>;
  /** The most address space of each of its processes, in KiB (`ulimit -v`); absent: no limit. */
  readonly memoryKib?: number;
  /** Its stderr goes where its stdout does. */
  readonly oneStream?: boolean;
}

/**
 * Returns the argv of a program of the student's, which goes first when memory runs out; the
 * program and its arguments follow in `argv`. Its stdout and stderr have to be pipes of its own:
 * they become the student's. The variables come after root is given up: LD_PRELOAD and its like may
 * name files that the student can write.
 */
export function studentArgv(argv: readonly string[], start: StudentStart): string[] {
  const { uid, gid, folder, variables, memoryKib, oneStream = false } = start;
  const bash = trustedProgram("bash", 'install "bash" in the image');
  const [chown, env] = ["chown", "env"].map((name) =>
    trustedProgram(name, 'install "coreutils" in the image')
  ) as [string, string];
  const asRoot = [bash, "-pc", AS_ROOT, "karotte", `${uid}:${gid}`, chown];
  const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const withVariables = [env, "-i", "--", ...pairs];
  const script = [
    AS_STUDENT,
    ...(memoryKib === undefined ? [] : [`ulimit -v ${memoryKib} &&`]),
    ...(oneStream ? ["exec 2>&1 &&"] : []),
    'exec -- "$@"',
  ].join(" ");
  const inFolder = [bash, "-pc", script, "bash", folder];
  return [...asRoot, ...demotion({ uid, gid }), ...withVariables, ...inFolder, ...argv];
}

/** Still root: the pipes become the student's, or it could not open them by name. */
const AS_ROOT =
  'echo 1000 >/proc/self/oom_score_adj; "$2" -- "$1" /proc/self/fd/1 /proc/self/fd/2; ' +
  'shift 2; exec -- "$@"';

/**
 * The folder is entered with the student's rights, since it may be a link of its making. What the
 * student makes is for others to read, whatever the files of the caller are.
 */
const AS_STUDENT = 'cd -- "$1" && shift && unset OLDPWD && umask 022 &&';
