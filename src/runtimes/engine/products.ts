import type { Product } from "./record.ts";

/** What one product needs otherwise than docker. */
export interface ProductDifferences {
  /** Options of `run` that only this product knows. */
  readonly runArguments: readonly string[];
  /** Options of every tmpfs. */
  readonly tmpfsOptions: readonly string[];
  /** Whether `inspect` tells a container that ran out of memory from one that was killed. */
  readonly tellsOutOfMemory: boolean;
}

export const PRODUCTS: Readonly<Record<Product, ProductDifferences>> = {
  docker: { runArguments: [], tmpfsOptions: [], tellsOutOfMemory: true },
  podman: {
    runArguments: [
      // By default podman hands the host's proxy variables on.
      "--http-proxy=false",
      // By default podman mounts more for a program that it takes for systemd.
      "--systemd=false",
    ],
    // By default podman copies what the tmpfs is to cover into it.
    tmpfsOptions: ["notmpcopyup"],
    // Seen with 4.3.1 (conmon 2.1.6) and cgroups v1.
    tellsOutOfMemory: false,
  },
  nerdctl: { runArguments: [], tmpfsOptions: [], tellsOutOfMemory: false },
};
