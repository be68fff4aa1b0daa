import type { ProgramBuild } from "../../src/loader/bundler/program_build.ts";

/**
 * Deno 2.6 leaves TLS to `node:http` for the sockets of this package, and knows them by this name
 * in the stack trace of whoever makes one. Elsewhere it starts TLS twice and the request fails with
 * "socket hang up", so the file that has the package must have the name in its path.
 */
export const RECOGNISED = "@npmcli/agent";

/** The program's files with the package's in a folder of its name, and the imports to match. */
export function withRecognisedAgent({ files, outputs }: ProgramBuild): Map<string, string> {
  const moved = [...files.keys()].filter((name) =>
    Object.keys(outputs[name]?.inputs ?? {}).some((path) => path.includes(`/${RECOGNISED}/`))
  );
  return new Map([...files].map(([name, text]) => {
    if (!moved.includes(name)) return [name, pointedTo(text, moved, `./${RECOGNISED}/`)];
    const others = [...files.keys()].filter((other) => !moved.includes(other));
    return [`${RECOGNISED}/${name}`, pointedTo(text, others, "../../")];
  }));
}

/** Names have a digest in them, so nothing else in a text looks like an import of one. */
function pointedTo(text: string, names: readonly string[], folder: string): string {
  return names.reduce((now, name) => now.replaceAll(`"./${name}"`, `"${folder}${name}"`), text);
}
