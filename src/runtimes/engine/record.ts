import type { EngineClient } from "./client.ts";

/**
 * A container engine as data; what differs between engines is a field here or in `products.ts`. Its
 * name is the runtime's (`docker:gvisor`). The client, on PATH, finds its daemon itself: contexts,
 * `DOCKER_HOST`, `CONTAINER_HOST`.
 */
export interface Engine extends EngineClient {
  readonly command: readonly [program: string, ...globalArguments: string[]];
  /** For `run`, besides what every engine is given. */
  readonly runArguments: readonly string[];
  /** The value of `KAROTTE_SANDBOX`: what stands between the student and the host's kernel. */
  readonly confinedBy: string;
  /** The low-level runtime that the daemon must have registered; undefined: its default one. */
  readonly lowLevelRuntime: string | undefined;
  /** How to get it: one sentence. */
  readonly setUp: string;
}

/** What is really behind a client: `docker` may be podman's. */
export type Product = "docker" | "podman" | "nerdctl";
