import { restrictOpening } from "../base/landlock.ts";
import { libc } from "../base/libc.ts";
import { selfCommand } from "../base/self_command.ts";
import { type DescribeAnswer, describeAnswerSchema } from "../schemas/task_description.ts";
import type { DescribingOptions } from "./describe.ts";
import { givenConfig } from "./given_config.ts";

/** Tells the program that it has been started anew, shut in by the kernel. */
const SHUT_IN = "--shut-in";

const DROPPED = ["net", "run", "env", "write", "ffi", "sys"] as const;

/**
 * Is `karotte describe` of the compiled program, which starts with all rights, and whose imports
 * look at none: the kernel lets it open only what it consists of and the bundle's folder, from a
 * new start on, so that this holds for all threads. The bundle is imported in a Worker that has
 * Deno's right to read this folder and no other.
 */
export async function describeConfined(
  [directory = ".", ...marks]: readonly string[],
): Promise<DescribeAnswer> {
  if (!marks.includes(SHUT_IN)) return startShutIn(directory, marks);
  for (const name of DROPPED) await Deno.permissions.revoke({ name });
  return await describeInWorker(directory, await givenConfig(marks));
}

function startShutIn(directory: string, marks: readonly string[]): never {
  restrictOpening({
    folders: [directory],
    files: ["/etc/ld.so.cache", "/etc/localtime"],
    programs: [Deno.execPath(), ...mappedPrograms()],
  });
  const variables = Object.entries(Deno.env.toObject()).map(([name, value]) => `${name}=${value}`);
  libc().execve([...selfCommand(), "describe", directory, ...marks, SHUT_IN], variables);
  throw new Error("unreachable: the program was replaced");
}

/** Returns what this program consists of: its own file and the libraries that it loaded. */
function mappedPrograms(): string[] {
  const maps = Deno.readTextFileSync("/proc/self/maps");
  const paths = maps.matchAll(/^\S+ r-xp (?:\S+ +){3}(\/.*)$/gm).map(([, path = ""]) => path);
  return [...new Set(paths)];
}

async function describeInWorker(
  directory: string,
  options: DescribingOptions,
): Promise<DescribeAnswer> {
  const nothing = { net: false, run: false, env: false, write: false, ffi: false, sys: false };
  const worker = new Worker(new URL("./describe_worker.js", Deno.mainModule), {
    type: "module",
    name: directory,
    deno: { permissions: { ...nothing, import: false, read: [directory] } },
  });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.postMessage(options);
  // An error that nobody catches there is printed, and ends this process too, as it does from
  // source.
  return describeAnswerSchema.parse(JSON.parse(String(await promise)));
}
