/** What starts sandboxes: one file a runtime, each implementing this contract. */
export interface Runtime {
  readonly name: string;
  /** Undefined: not on this machine. Throws a `KarotteError` if it is there but does not work. */
  probe(): Promise<RuntimeInfo | undefined>;
  /** Removes what dead Karotte processes of this user left; returns how many runs that were. */
  removeLeftovers(): Promise<number>;
  /** Starts the harness in a new sandbox. Disposing the sandbox leaves nothing of it behind. */
  launch(spec: SandboxSpec): Promise<Sandbox>;
}

export interface RuntimeInfo {
  /** The version of the program behind it. */
  readonly version: string;
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
}

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
}

/** A started sandbox: the only thing that has streams. */
export interface Sandbox extends AsyncDisposable {
  /** To the harness: the channel. */
  readonly stdin: WritableStream<Uint8Array<ArrayBuffer>>;
  /** From the harness: the channel. */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Plain log. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Resolves when the harness ended. */
  readonly status: Promise<SandboxStatus>;
  /** Ends every process of the sandbox at once; resolves when they are gone. */
  kill(): Promise<void>;
}

export interface SandboxStatus {
  readonly code: number;
  /** True if the runtime knows that the sandbox ran into its memory or process limit. */
  readonly exhausted: boolean;
}
