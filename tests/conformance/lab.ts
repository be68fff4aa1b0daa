import { type TempDir, tempDir } from "../../src/base/temp_dir.ts";
import type { Runtime, Sandbox, SandboxProgram, SandboxSpec } from "../../src/runtimes/runtime.ts";

/** Runs a command as the student; scripts begin with it. */
export const AS_STUDENT = `student() { setpriv --reuid 1000 --regid 1000 --clear-groups ` +
  `--no-new-privs --inh-caps=-all --bounding-set=-all -- "$@"; }\n`;

export interface Outcome {
  /** What the program wrote to the channel (descriptor 4). */
  readonly out: string;
  readonly err: string;
  readonly code: number;
  readonly exhausted: boolean;
}

/**
 * Folders of a run, with names that quoting mistakes trip over, and what starts sandboxes on them.
 */
export interface Lab extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly environment: string;
  readonly private: string;
  /** A host folder for whatever else a test needs. */
  readonly scratch: string;
  /** Starts `script` under sh as the sandbox's program. */
  launch(script: string, changes?: Changes): Promise<Sandbox>;
  /** The same, to its end. */
  run(script: string, changes?: Changes & { input?: string }): Promise<Outcome>;
}

/** Differences to the sandbox of a test; `program` takes the place of the script. */
type Changes = Partial<SandboxSpec> & { readonly program?: SandboxProgram };

let launches = 0;

export async function lab(runtime: Runtime): Promise<Lab> {
  const dir: TempDir = await tempDir("karotte-é #1 lab-");
  const folder = async (name: string) => {
    await Deno.mkdir(`${dir.path}/${name}`);
    return `${dir.path}/${name}`;
  };
  const environment = await folder("my é env #2");
  const privateDirectory = await folder("private é #3");
  const scratch = await folder("scratch");
  await Deno.writeTextFile(`${privateDirectory}/bundle.js`, "private\n");
  await Deno.writeTextFile(`${scratch}/tool é`, "#!/bin/sh\necho tool runs\n", { mode: 0o755 });
  const launch = (script: string, { program, ...changes }: Changes = {}) =>
    runtime.launch({
      runId: `conformance_${Deno.pid}_${++launches}`,
      content: {
        kind: "files",
        program: program ?? {
          files: [{ name: "tool", source: `${scratch}/tool é` }],
          argv: ["/bin/sh", "-c", AS_STUDENT + script],
        },
        privateDirectory,
        environmentDirectory: environment,
      },
      hidden: [environment],
      mounts: [],
      limits: { memoryBytes: null, processes: null, cpus: null },
      ...changes,
    });
  return {
    ...{ runtime, environment, scratch, launch },
    private: privateDirectory,
    async run(script, { input = "", ...changes } = {}) {
      await using sandbox = await launch(script, changes);
      return await finish(sandbox, input);
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** Writes the input, reads both outputs and waits for the end. */
export async function finish(sandbox: Sandbox, input: string): Promise<Outcome> {
  const writing = send(sandbox, input);
  const [out, err, status] = await Promise.all([
    new Response(sandbox.stdout).text(),
    new Response(sandbox.stderr).text(),
    sandbox.status,
  ]);
  await writing;
  return { out, err, ...status };
}

async function send(sandbox: Sandbox, input: string): Promise<void> {
  const writer = sandbox.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
  } catch {
    // A program may end without having read its input; what it said is what counts.
  }
}

/** Reads the stream until it has said `text`; what comes after is dropped. */
export async function waitFor(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  text: string,
): Promise<string> {
  let said = "";
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  while (!said.includes(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended before "${text}", after "${said}"`);
    said += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return said;
}

/** The host's processes whose command line holds `mark`. */
export function processesWith(mark: string): number[] {
  const found: number[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const line = Deno.readTextFileSync(`/proc/${name}/cmdline`);
      if (line.includes(mark) && Number(name) !== Deno.pid) found.push(Number(name));
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

/** Asks again and again, for 20 s at most. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
