import { closeOnExecFrom } from "../../src/base/libc.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { createStudent, type HarnessStudent } from "../../src/harness/student/student.ts";

/** A student for one test, which has to be run by root. */
export interface TempStudent extends AsyncDisposable {
  /** A folder of root that the student can look into. */
  readonly path: string;
  /** With a home of its own below `path`. */
  readonly student: HarnessStudent;
}

// Opens the C library before any test runs, or the first one would seem to leak it.
closeOnExecFrom(1_000_000);

/**
 * A student whose user no other test has, so that tests which kill by user can run side by side.
 * Its processes and files are gone when it goes out of scope.
 */
export async function tempStudent(): Promise<TempStudent> {
  const dir = await tempDir();
  const uid = 100_000 + crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000_000;
  await Deno.chmod(dir.path, 0o755);
  const home = `${dir.path}/home`;
  await Deno.mkdir(home);
  await Deno.chown(home, uid, uid);
  const student = createStudent({ uid, gid: uid, home, variables: { PATH: "/usr/bin:/bin" } });
  return {
    path: dir.path,
    student,
    async [Symbol.asyncDispose]() {
      await student.killAll();
      student[Symbol.dispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
