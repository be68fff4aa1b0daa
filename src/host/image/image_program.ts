import { KarotteError } from "../../base/errors.ts";
import { ifThereSync } from "../../base/files.ts";
import { PROGRAM_DIRECTORY } from "../../protocol/layout.ts";
import { denoProgram, type HarnessProgram } from "../environment/harness_program.ts";
import { fileStamp } from "../../cache/stamps.ts";

/**
 * The program of an image: files for its `bin/`, and the argv that starts it, without a command.
 */
export interface ImageProgram {
  readonly files: readonly { readonly name: string; readonly source: string }[];
  readonly command: readonly string[];
}

const VARIABLE = "KAROTTE_HARNESS";

/** Names of architectures as images give them, and their number in the header of a program. */
const MACHINES = { amd64: 62, arm64: 183 } as const;
export type Architecture = keyof typeof MACHINES;
const OURS: Readonly<Record<string, string>> = { x86_64: "amd64", aarch64: "arm64" };

/** The platform of an image. */
export interface ImagePlatform {
  readonly os: string;
  readonly architecture: string;
}

/** The places from which an image's program can come. */
export interface ImageProgramOptions {
  /** What this program runs on; found out if absent. */
  readonly here?: ImagePlatform;
  /** The value of `KAROTTE_HARNESS`. */
  readonly named?: string | undefined;
  /** The path of a Deno for an architecture, and that of the harness as one file. */
  parts(architecture: Architecture): Promise<{ deno: string; bundle: string }>;
}

/**
 * Returns the program that runs on an image's platform: this one if it does, else the one that
 * `KAROTTE_HARNESS` names, else a Deno for it with the harness as one file. Throws a runtime error
 * where there is none.
 */
export async function imageProgram(
  program: HarnessProgram,
  platform: ImagePlatform,
  { here = thisMachine(), named = Deno.env.get(VARIABLE), parts }: ImageProgramOptions,
): Promise<ImageProgram> {
  const wanted = nameOf(platform);
  const { os, architecture } = platform;
  if (os !== "linux" || !isKnown(architecture)) {
    throw new KarotteError(
      "runtime",
      `Cannot use an image for ${wanted}: Karotte has no program for it`,
      {
        hint: "Use an image for linux/amd64 or linux/arm64.",
      },
    );
  }
  if (nameOf(here) === wanted) return { files: program.inSandbox.files, command: program.command };
  if (named) return await namedProgram(named, { machine: MACHINES[architecture], wanted });
  return denoProgram(await parts(architecture));
}

/**
 * Returns a text that changes with the program that `KAROTTE_HARNESS` names; null: it names none.
 */
export function namedStamp(named = Deno.env.get(VARIABLE)): string | null {
  if (!named) return null;
  const info = ifThereSync(() => Deno.statSync(named));
  // Where it is needed, its absence is told.
  return info === undefined ? named : `${named}:${fileStamp(info)}`;
}

function isKnown(architecture: string): architecture is Architecture {
  return Object.hasOwn(MACHINES, architecture);
}

function thisMachine(): ImagePlatform {
  return { os: Deno.build.os, architecture: OURS[Deno.build.arch] ?? Deno.build.arch };
}

function nameOf({ os, architecture }: ImagePlatform): string {
  return `${os}/${architecture}`;
}

async function namedProgram(
  path: string,
  { machine, wanted }: { machine: number; wanted: string },
): Promise<ImageProgram> {
  if (await machineOf(path) === machine) {
    return {
      files: [{ name: "karotte", source: path }],
      command: [`${PROGRAM_DIRECTORY}/karotte`],
    };
  }
  throw new KarotteError("usage", `Cannot use ${VARIABLE} "${path}": no program for ${wanted}`, {
    hint: `Name the file of a release for ${wanted}.`,
  });
}

/** Returns the number of the machine in an ELF file's header; undefined: it is no such file. */
async function machineOf(path: string): Promise<number | undefined> {
  try {
    using file = await Deno.open(path);
    const header = new Uint8Array(20);
    if (await file.read(header) !== header.length) return undefined;
    const view = new DataView(header.buffer);
    return view.getUint32(0) === ELF_MAGIC ? view.getUint16(18, true) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const ELF_MAGIC = 0x7f454c46;
