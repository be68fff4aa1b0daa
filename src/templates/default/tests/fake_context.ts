import { type RunContext, StudentFileError } from "@karotte/cli/sdk";

/**
 * A context for judges, hooks and tools over the student's files in memory: no sandbox, no
 * permissions. Nothing was submitted.
 */
export function fakeContext(files: Readonly<Record<string, string>>): RunContext {
  const stored = new Map<string, string>();
  // Cast: what a test calls beyond these members fails loudly as "not a function".
  return {
    student: fakeStudent(files),
    submission: () => undefined,
    store: {
      write: (name: string, value: unknown) => Promise.resolve(stored.set(name, String(value))),
      readText: (name: string) => Promise.resolve(stored.get(name)),
    },
  } as unknown as RunContext;
}

/** A student that owns the given files, by path. */
export function fakeStudent(files: Readonly<Record<string, string>>): RunContext["student"] {
  return {
    readFile(path: string) {
      const content = files[path];
      return content === undefined
        ? Promise.reject(new StudentFileError("not_found", `${path} is not there`))
        : Promise.resolve(new TextEncoder().encode(content));
    },
  } as unknown as RunContext["student"];
}
