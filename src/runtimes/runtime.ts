/** What starts sandboxes: one file a runtime, each implementing this contract. */
export interface Runtime {
  readonly name: string;
  /** Undefined: not on this machine. Throws a `KarotteError` if it is there but does not work. */
  probe(): Promise<RuntimeInfo | undefined>;
  /**
   * Removes what dead Karotte processes of this user left; returns how many runs that were. Rejects,
   * after all were tried, with a `KarotteError` that names those which could not be removed.
   */
  removeLeftovers(which?: LeftoverChoice): Promise<number>;
  /** Starts the harness in a new sandbox. Disposing the sandbox leaves nothing of it behind. */
  launch(spec: SandboxSpec): Promise<Sandbox>;
}

export interface RuntimeInfo {
  /** The version of the program behind it. */
  readonly version: string;
  /** Where sandboxes run, as engines write it (`linux/amd64`); absent: on this machine as it is. */
  readonly platform?: string;
  /** What is worth knowing besides (`rootless`, `remote`, `really podman`), for the user. */
  readonly remarks?: readonly string[];
}

/** Which leftovers to remove; by default those of any run, but none that was to be kept. */
export interface LeftoverChoice {
  /** Only of these runs; nobody misses bubblewrap's folders, so there it is those of any run. */
  readonly runIds?: readonly string[];
  /** Also what `keep` left on purpose. */
  readonly kept?: boolean;
}

export interface SandboxSpec {
  /** Names the sandbox; one path component. */
  readonly runId: string;
  /** The program that runs as root in the sandbox. */
  readonly program: SandboxProgram;
  /** Folder on the host that becomes `/opt/karotte/private` (root, 0700): a copy, never the original. */
  readonly privateDirectory: string;
  /** The environment's folder: its data directories are copied in (`reference: data directories`). */
  readonly environmentDirectory: string;
  /** Host folders that the sandbox must not see, wherever they lie. */
  readonly hidden: readonly string[];
  readonly mounts: readonly Mount[];
  readonly limits: SandboxLimits;
  /**
   * Id or reference of the image that the sandbox is made of; only engines take one, and need it.
   * The program, the private folder and the data directories are in it: theirs are not looked at.
   */
  readonly image?: string;
  /** What the sandbox reaches; `none` if absent, and all that some runtimes have. */
  readonly network?: Network;
  /** Options for the engine's `run`, as given, after Karotte's own; other runtimes take none. */
  readonly engineArguments?: readonly string[];
  /** Leave the stopped sandbox when it is disposed, where the runtime can; false if absent. */
  readonly keep?: boolean;
}

/**
 * `none`: loopback only. `internal`: a network of the sandbox's own, named like it: what somebody
 * attaches to it, and neither the host nor anything else. `open`: whatever the host reaches.
 */
export type Network = "none" | "internal" | "open";

/** Host files that become `/opt/karotte/bin/<name>`, and the argv (in there) that starts the harness. */
export interface SandboxProgram {
  readonly files: readonly { readonly name: string; readonly source: string }[];
  readonly argv: readonly string[];
}

export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** Of the sandbox as a whole; null = the runtime sets none. */
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
  /** How somebody on this machine gets into it. */
  readonly entrance: SandboxEntrance;
  /** Ends every process of the sandbox at once; resolves when they are gone. */
  kill(): Promise<void>;
}

/** Commands for a terminal, each word as it is. */
export interface SandboxEntrance {
  /** What the runtime calls the sandbox. */
  readonly name: string;
  readonly asRoot: readonly string[];
  /** Absent where the student's processes could get at the terminal. */
  readonly asStudent?: readonly string[];
}

export interface SandboxStatus {
  readonly code: number;
  /** True if the runtime knows that the sandbox ran into its memory or process limit. */
  readonly exhausted: boolean;
  /** What else the runtime knows about why it ended (`it was killed from outside`). */
  readonly cause?: string;
}
