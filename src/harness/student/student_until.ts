import type { Student } from "../../sdk/student.ts";

/**
 * Returns the student for as long as a signal has not fired: its programs that run are ended then,
 * and whatever is asked of it later throws the signal's reason.
 */
export function studentUntil(signal: AbortSignal, student: Student): Student {
  return {
    ...student,
    run(argv, options = {}) {
      const either = options.signal ? AbortSignal.any([options.signal, signal]) : signal;
      return student.run(argv, { ...options, signal: either });
    },
    async readFile(path, options) {
      signal.throwIfAborted();
      return await student.readFile(path, options);
    },
    async writeFile(path, content) {
      signal.throwIfAborted();
      await student.writeFile(path, content);
    },
  };
}
