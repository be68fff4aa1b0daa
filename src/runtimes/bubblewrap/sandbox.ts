import type { Sandbox, SandboxShell, SandboxStatus } from "../runtime.ts";
import { ENVIRONMENT } from "./confinement.ts";
import type { ControlGroup } from "./control_group.ts";
import { HostProcess } from "./processes.ts";
import type { StartedProgram } from "./start.ts";

/** The parts of a sandbox whose program runs. */
export interface SandboxParts {
  /** Names the run's folder and marks its processes. */
  readonly name: string;
  readonly started: StartedProgram;
  readonly group: ControlGroup;
  /** Removes what the run has on the host, once no process is left. */
  cleanUp(): Promise<void>;
}

/** A sandbox whose program runs. */
export class BubblewrapSandbox implements Sandbox {
  readonly stdin: Sandbox["stdin"];
  readonly stdout: Sandbox["stdout"];
  readonly stderr: Sandbox["stderr"];
  readonly status: Promise<SandboxStatus>;
  readonly shell: SandboxShell;
  readonly #parts: SandboxParts;
  readonly #init: HostProcess;
  #ended = false;
  #disposal: Promise<void> | undefined;

  constructor(parts: SandboxParts) {
    const { child, init, stdout } = parts.started;
    if (child.stdin === undefined) throw new TypeError("a sandbox needs a piped stdin");
    this.#parts = parts;
    this.#init = new HostProcess(init);
    this.shell = { name: parts.name, asRoot: entering(init) };
    this.stdin = child.stdin;
    this.stdout = stdout;
    this.stderr = child.stderr;
    this.status = this.#end();
    // Whoever disposes awaits it; a failure must not count as unhandled before.
    this.status.catch(() => {});
  }

  async kill(): Promise<void> {
    if (!this.#ended) {
      await this.#parts.group.kill();
      // The kernel ends the whole pid namespace with its init, before bwrap learns of it.
      if (!this.#init.kill()) this.#parts.started.child.kill("SIGKILL");
    }
    await this.status;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposal ??= this.#dispose();
  }

  async #dispose(): Promise<void> {
    await this.kill();
    // A stream that somebody holds is that one's to end; it sees the end of its pipe.
    const streams = [
      ...(this.stdin.locked ? [] : [this.stdin.abort()]),
      ...[this.stdout, this.stderr].filter(({ locked }) => !locked).map((each) => each.cancel()),
    ];
    await Promise.allSettled(streams);
    await this.#parts.cleanUp();
  }

  async #end(): Promise<SandboxStatus> {
    const { code } = await this.#parts.started.child.status;
    // After a SIGKILL to bwrap itself its init goes a moment later.
    await this.#init.gone();
    this.#ended = true;
    return { code, exhausted: await this.#parts.group.exhausted() };
  }
}

/**
 * Returns the command for a shell of the sandbox's root, without anything from the environment of
 * the terminal.
 */
function entering(init: number): string[] {
  const variables = ["TERM=xterm", `HOME=${ENVIRONMENT["HOME"]}`, `PATH=${ENVIRONMENT["PATH"]}`];
  const target = ["--target", String(init), "--all"];
  return ["nsenter", ...target, "--", "env", "--ignore-environment", ...variables, "bash"];
}
