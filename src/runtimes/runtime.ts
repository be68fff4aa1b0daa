import type { Abilities, Network } from "./abilities.ts";
import type { ImageStore } from "./image_store.ts";

/** The contract of what starts sandboxes: a runtime is one file, and a row in `runtimes.ts`. */
export interface Runtime {
  readonly name: string;
  /** How to get it: one sentence. */
  readonly setUp: string;
  readonly abilities: Abilities;
  /** The images that its sandboxes are made of; absent where they are made of files. */
  readonly images?: ImageStore;
  /** The runtime with which it shares a daemon, and so what dead runs left there; absent: none. */
  readonly daemonOf?: string;
  /**
   * Picks the arguments of plugins that weaken a sandbox, each with its value; absent: it takes
   * none.
   */
  weakeningArguments?(args: readonly string[]): string[];
  /** Returns the command that copies the work folder of a kept sandbox, but for its target. */
  keptCopy?(runId: string): readonly string[];
  /** Undefined: not on this machine. Throws a `KarotteError` if it is there but does not work. */
  probe(): Promise<RuntimeInfo | undefined>;
  /**
   * Removes what dead Karotte processes of this user left; returns how many runs that were.
   * Rejects, after all were tried, with a `KarotteError` that names those which could not be
   * removed.
   */
  removeLeftovers(which?: LeftoverChoice): Promise<number>;
  /**
   * Starts the harness in a new sandbox. Disposing the sandbox leaves nothing of it behind. Throws
   * a `TypeError` for a spec that is beyond `abilities`.
   */
  launch(spec: SandboxSpec): Promise<Sandbox>;
}

/** What a runtime says of itself on this machine. */
export interface RuntimeInfo {
  /** The version of the program behind it. */
  readonly version: string;
  /** Where sandboxes run, as engines write it (`linux/amd64`); absent: on this machine as it is. */
  readonly platform?: string;
  /** The most memory in bytes that all its sandboxes together can have; absent: it does not say. */
  readonly memoryBytes?: number;
  /** What is worth knowing besides (`rootless`, `remote`, `really podman`), for the user. */
  readonly remarks?: readonly string[];
}

/** A choice of leftovers; by default those of any run, but none that was to be kept. */
export interface LeftoverChoice {
  /** Only of these runs; nobody misses bubblewrap's folders, so there it is those of any run. */
  readonly runIds?: readonly string[];
  /** Also what `keep` left on purpose. */
  readonly kept?: boolean;
}

/** A sandbox to be started. */
export interface SandboxSpec {
  /** Names the sandbox; one path component. */
  readonly runId: string;
  readonly content: SandboxContent;
  /** Host folders that the sandbox must not see, wherever they lie. */
  readonly hidden: readonly string[];
  readonly mounts: readonly Mount[];
  readonly limits: SandboxLimits;
  /** `none` if absent. */
  readonly network?: Network;
  /** Arguments for the command that starts the sandbox, as given, after Karotte's own. */
  readonly arguments?: readonly string[];
  /** Whether the stopped sandbox is left when it is disposed; false if absent. */
  readonly keep?: boolean;
}

/**
 * The material of a sandbox. `image`: an image by id or reference, with program, private folder and
 * data directories in it. `files`: files of this machine.
 */
export type SandboxContent = { readonly kind: "image"; readonly id: string } | SandboxFiles;

/** Files of this machine that a sandbox is made of. */
export interface SandboxFiles {
  readonly kind: "files";
  /** The program that runs as root in the sandbox. */
  readonly program: SandboxProgram;
  /**
   * Folder on the host that becomes `/opt/karotte/private` (root, 0700): a copy, never the
   * original.
   */
  readonly privateDirectory: string;
  /**
   * The environment's folder: its data directories are copied in (`reference: data directories`).
   */
  readonly environmentDirectory: string;
}

/**
 * Host files that become `/opt/karotte/bin/<name>`, and the argv (in there) that starts the
 * harness.
 */
export interface SandboxProgram {
  readonly files: readonly { readonly name: string; readonly source: string }[];
  readonly argv: readonly string[];
}

/** A path of the host that is seen in the sandbox. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** The limits of a sandbox as a whole; null = the runtime sets none. */
export interface SandboxLimits {
  readonly memoryBytes: number | null;
  readonly processes: number | null;
  /** Processors' worth of time; may be a fraction. */
  readonly cpus: number | null;
}

/** A started sandbox: the only thing that has streams. */
export interface Sandbox extends AsyncDisposable {
  /** To the harness: the channel. */
  readonly stdin: WritableStream<Uint8Array<ArrayBuffer>>;
  /** From the harness: the channel. */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Plain log. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Resolves when the harness ended; rejects if it never started, or what it ran in broke. */
  readonly status: Promise<SandboxStatus>;
  /** The way into it for somebody on this machine. */
  readonly shell: SandboxShell;
  /** Ends every process of the sandbox at once; resolves when they are gone. */
  kill(): Promise<void>;
}

/** Commands that open a shell in a sandbox from a terminal, each word as it is. */
export interface SandboxShell {
  /** What the runtime calls the sandbox. */
  readonly name: string;
  readonly asRoot: readonly string[];
  /** Absent where the student's processes could get at the terminal. */
  readonly asStudent?: readonly string[];
}

/** The end of a sandbox. */
export interface SandboxStatus {
  readonly code: number;
  /** True if the runtime knows that the sandbox ran into its memory or process limit. */
  readonly exhausted: boolean;
  /** What else the runtime knows about why it ended (`it was killed from outside`). */
  readonly cause?: string;
}
