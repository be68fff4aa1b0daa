import type { Product } from "./record.ts";

/** What one product needs otherwise than docker. */
export interface ProductDifferences {
  /** Options of `run` that only this product knows. */
  readonly runArguments: readonly string[];
  /** Options of every tmpfs. */
  readonly tmpfsOptions: readonly string[];
  /** Whether `inspect` tells a container that ran out of memory from one that was killed. */
  readonly tellsOutOfMemory: boolean;
  /** What appears in the folder where the client was started when memory ran out. */
  readonly outOfMemoryFile: string | undefined;
}

export const PRODUCTS: Readonly<Record<Product, ProductDifferences>> = {
  docker: {
    runArguments: [],
    tmpfsOptions: [],
    tellsOutOfMemory: true,
    outOfMemoryFile: undefined,
  },
  podman: {
    runArguments: [
      // By default podman hands the host's proxy variables on.
      "--http-proxy=false",
      // By default podman mounts more for a program that it takes for systemd.
      "--systemd=false",
    ],
    // By default podman copies what the tmpfs is to cover into it.
    tmpfsOptions: ["notmpcopyup"],
    tellsOutOfMemory: false,
    // Conmon's, which 4.3.1 does not find again.
    outOfMemoryFile: "oom",
  },
  nerdctl: {
    runArguments: [],
    tmpfsOptions: [],
    tellsOutOfMemory: false,
    outOfMemoryFile: undefined,
  },
};
