/**
 * The network of a sandbox. `none`: loopback only. `internal`: a network of the sandbox's own,
 * named like it; the sandbox reaches what somebody attaches to it, and neither the host nor
 * anything else. `open`: whatever the host reaches.
 */
export type Network = "none" | "internal" | "open";

/** What a runtime can do for a run, and which limits it holds a sandbox to. */
export interface Abilities {
  /** The material of its sandboxes: an image, or files of this machine. */
  readonly content: "image" | "files";
  /** The networks that a sandbox can have; `none` is always among them. */
  readonly networks: readonly Network[];
  /** Whether it can leave a stopped sandbox for the user to look at. */
  readonly keeps: boolean;
  /** Whether it takes arguments of plugins for the command that starts a sandbox. */
  readonly arguments: boolean;
  /** Whether it hands devices of the machine through. */
  readonly passthrough: boolean;
  /** Whether a sandbox of an older image can be given the code of now. */
  readonly dev: boolean;
  /** The kernel that serves the student's processes, in words for the user. */
  readonly kernel: string;
  readonly limits: KeptLimits;
  /** The condition for all that `limits` calls prevented, for the user; absent: there is none. */
  readonly limitsHold?: string;
}

/** How each limit of a sandbox as a whole is kept. `files`: how many of them there are. */
export interface KeptLimits {
  readonly memory: LimitKeeping;
  readonly cpus: LimitKeeping;
  readonly processes: LimitKeeping;
  readonly disk: LimitKeeping;
  readonly files: LimitKeeping;
}

/**
 * `prevented`: the sandbox can't go beyond the limit. `detected`: it can, and is ended for it. `not
 * kept`: the limit means nothing.
 */
export type LimitKeeping = "prevented" | "detected" | "not kept";

/** What holds for a student in a runtime's sandboxes, in words for the user. */
export type Guarantees = Readonly<Record<"kernel" | keyof KeptLimits | "network", string>>;

/** Puts what a runtime can do into words. */
export function guaranteesOf({ kernel, limits, limitsHold, networks }: Abilities): Guarantees {
  const words: Readonly<Record<LimitKeeping, string>> = {
    prevented: ["limited as a whole", ...(limitsHold === undefined ? [] : [limitsHold])].join(" "),
    detected: "not limited, but a run that goes beyond its limit ends",
    "not kept": "not limited",
  };
  const inMemory = limits.disk === "not kept" ? ", but for /tmp, /run and /dev/shm" : "";
  return {
    kernel,
    memory: words[limits.memory],
    cpus: words[limits.cpus],
    processes: words[limits.processes],
    disk: words[limits.disk] + inMemory,
    files: words[limits.files],
    network: networks.length > 1 ? "none unless asked for" : "none",
  };
}
