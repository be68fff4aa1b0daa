import { BoundedBytes } from "../../base/bounded_bytes.ts";
import { KarotteError, messageOf } from "../../base/errors.ts";
import { ifThere } from "../../base/files.ts";
import type { Child } from "../../base/process.ts";
import type { TempDir } from "../../base/temp_dir.ts";
import { within } from "../../base/promises.ts";
import { STUDENT } from "../../protocol/layout.ts";
import type { Sandbox, SandboxShell, SandboxStatus } from "../runtime.ts";
import type { EngineCaller } from "./caller.ts";
import {
  type Container,
  inspectContainers,
  listContainers,
  removeContainers,
} from "./containers.ts";
import type { EngineInformation } from "./information.ts";
import { LAUNCH_LABEL, type Naming } from "./labels.ts";
import { listNetworks, removeNetworks } from "./networks.ts";
import { postMortem } from "./post_mortem.ts";
import { PRODUCTS } from "./products.ts";

/** The parts of a container whose client runs. */
export interface EngineSandboxParts {
  readonly caller: EngineCaller;
  readonly information: EngineInformation;
  readonly child: Child;
  readonly naming: Naming;
  readonly keep: boolean;
  /** The client's own folder, if it has one. */
  readonly folder: TempDir | undefined;
  /** Whether it has a network of its own. */
  readonly hasNetwork: boolean;
}

/**
 * The time in milliseconds for a killed container's client to end, and for one that still creates.
 */
const END_WITHIN_MS = 20_000;
const BOUND = { timeoutMs: END_WITHIN_MS };
const LOOK_EVERY_MS = 100;
/** Bytes kept of the end of the client's own words, for when the container never started. */
const KEPT_STDERR_BYTES = 8 * 1024;
const HELD_CHUNKS = 16;
const SAID_WITHIN_MS = 500;

/** A container whose client runs. */
export class EngineSandbox implements Sandbox {
  readonly stdin: Sandbox["stdin"];
  readonly stdout: Sandbox["stdout"];
  readonly stderr: Sandbox["stderr"];
  readonly status: Promise<SandboxStatus>;
  readonly shell: SandboxShell;
  readonly #parts: EngineSandboxParts;
  readonly #said = new BoundedBytes({ head: 0, tail: KEPT_STDERR_BYTES });
  readonly #saidAll = Promise.withResolvers<void>();
  #ended = false;
  #killed = false;
  /** Of the container that the client left; undefined: it is not known whether there is one. */
  #id: string | undefined;
  #disposal: Promise<void> | undefined;

  constructor(parts: EngineSandboxParts) {
    const { child } = parts;
    if (child.stdin === undefined) throw new TypeError("a sandbox needs a piped stdin");
    this.#parts = parts;
    this.shell = shellOf(parts);
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr.pipeThrough(this.#listening());
    this.status = this.#end();
    // Whoever disposes awaits it; a failure must not count as unhandled before.
    this.status.catch(() => {});
  }

  async kill(): Promise<void> {
    const { child } = this.#parts;
    const deadline = performance.now() + END_WITHIN_MS;
    // The client is never killed while it creates: what it has asked for would come all the same.
    while (!this.#ended && performance.now() < deadline && await this.#tryKill()) {
      await within(child.status, LOOK_EVERY_MS, undefined);
    }
    if (!this.#ended) child.kill("SIGKILL");
    await this.status.catch(() => {}); // told to those who asked for the status
  }

  /**
   * Tries to kill; returns false if the engine does not answer any more, which the removal will
   * tell.
   */
  async #tryKill(): Promise<boolean> {
    try {
      const ids = await this.#ids();
      if (ids.length === 0) return true;
      this.#killed = true;
      // Fails while it is not started yet, and once it has ended.
      await this.#parts.caller.call(["kill", ...ids], BOUND);
      return true;
    } catch {
      return false;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposal ??= this.#dispose();
  }

  async #dispose(): Promise<void> {
    const { caller, naming, keep, hasNetwork } = this.#parts;
    if (!this.#ended) await this.kill();
    // A stream that somebody holds is that one's to end; it sees the end of its pipe.
    const streams = [
      ...(this.stdin.locked ? [] : [this.stdin.abort()]),
      ...[this.stdout, this.stderr].filter(({ locked }) => !locked).map((each) => each.cancel()),
    ];
    await Promise.allSettled(streams);
    await this.#parts.folder?.[Symbol.asyncDispose]();
    if (keep) return;
    const [ids, networks] = await this.#remains(hasNetwork);
    await removeContainers(caller, ids.map((id) => ({ id, name: naming.name })));
    await removeNetworks(caller, networks);
  }

  /** Lists what is left: ids of containers and names of networks. */
  async #remains(hasNetwork: boolean): Promise<[ids: string[], networks: string[]]> {
    const { caller, naming } = this.#parts;
    try {
      const ids = this.#id === undefined ? await this.#ids() : [this.#id];
      return [ids, hasNetwork ? await listNetworks(caller, this.#label, BOUND) : []];
    } catch (cause) {
      const message = `Cannot remove container ${naming.name}: ${messageOf(cause)}`;
      throw new KarotteError("runtime", message, { hint: "try again: karotte clean", cause });
    }
  }

  async #end(): Promise<SandboxStatus> {
    const { caller, child, naming } = this.#parts;
    const { code } = await child.status;
    this.#ended = true;
    let container: Container | undefined;
    try {
      container = await this.#container();
    } catch (error) {
      // With the sandbox, or without it: there is nobody to ask.
      return { code, exhausted: false, cause: `its engine went away: ${messageOf(error)}` };
    }
    this.#id = container?.id;
    // Nobody may be reading it.
    await within(this.#saidAll.promise, SAID_WITHIN_MS, undefined);
    const said = new TextDecoder().decode(this.#said.bytes());
    return await postMortem({
      ...{ caller, container, naming, code, said },
      killed: this.#killed,
      outOfMemory: await this.#outOfMemory(container),
    });
  }

  /** Tells whether memory ran out; undefined: nobody can tell. */
  async #outOfMemory(container: Container | undefined): Promise<boolean | undefined> {
    const { information, folder } = this.#parts;
    const { tellsOutOfMemory, outOfMemoryFile } = PRODUCTS[information.product];
    if (container?.outOfMemory) return true;
    if (folder !== undefined && outOfMemoryFile !== undefined) {
      return await ifThere(Deno.lstat(`${folder.path}/${outOfMemoryFile}`)) !== undefined;
    }
    return tellsOutOfMemory ? false : undefined;
  }

  /**
   * Keeps the end of what passes; holds some, so that a client's few words pass without a reader.
   */
  #listening(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    const transformer: Transformer<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> = {
      transform: (chunk, controller) => {
        this.#said.push(chunk.slice());
        controller.enqueue(chunk);
      },
      flush: () => this.#saidAll.resolve(),
    };
    return new TransformStream(transformer, undefined, { highWaterMark: HELD_CHUNKS });
  }

  async #container(): Promise<Container | undefined> {
    const { caller, naming } = this.#parts;
    const [named] = await inspectContainers(caller, [naming.name], BOUND);
    if (named?.labels[LAUNCH_LABEL] === naming.launch) return named;
    // Arguments of a plugin can have given it another name.
    const [labelled] = await inspectContainers(caller, await this.#ids());
    return labelled;
  }

  #ids(): Promise<string[]> {
    return listContainers(this.#parts.caller, this.#label, BOUND);
  }

  get #label(): string {
    return `${LAUNCH_LABEL}=${this.#parts.naming.launch}`;
  }
}

function shellOf({ caller, naming: { name } }: EngineSandboxParts): SandboxShell {
  const { uid, gid, home } = STUDENT;
  const exec = [...caller.engine.command, "exec", "-it"];
  const student = ["--user", `${uid}:${gid}`, "--workdir", home, "--env", `HOME=${home}`];
  return {
    name,
    asRoot: [...exec, name, "bash"],
    asStudent: [...exec, ...student, name, "bash"],
  };
}
