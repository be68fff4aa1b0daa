import type { KeptLimits } from "../abilities.ts";

/**
 * A container engine as data; what differs between engines is a field here or in `products.ts`. The
 * client, on PATH, finds its daemon itself: contexts, `DOCKER_HOST`, `CONTAINER_HOST`.
 */
export interface Engine {
  /** The runtime's name (`docker:gvisor`). */
  readonly name: string;
  /** The client's program and its global arguments. */
  readonly command: readonly [program: string, ...globalArguments: string[]];
  /** The product of that client, unless it says that it is podman. */
  readonly product: Product;
  /**
   * What makes its images: docker's own builder (or BuildKit, with its plugin), podman's, BuildKit.
   */
  readonly builder: "docker" | "buildah" | "buildkit";
  /** Arguments of `run`, besides those that every engine is given. */
  readonly runArguments: readonly string[];
  /** The value of `KAROTTE_SANDBOX`: what stands between the student and the host's kernel. */
  readonly confinedBy: string;
  /** The low-level runtime that the daemon must have registered; absent: its default one. */
  readonly lowLevelRuntime?: string;
  /** The runtime with which it shares a daemon, and so what dead runs left there; absent: none. */
  readonly daemonOf?: string;
  /** The kernel that serves its containers, for the user; absent: the host's. */
  readonly kernel?: string;
  /** Limits that it does not keep as engines do. */
  readonly limits?: Partial<KeptLimits>;
  /** How to get it: one sentence. */
  readonly setUp: string;
}

/** What is really behind a client: `docker` may be podman's. */
export type Product = "docker" | "podman" | "nerdctl";
