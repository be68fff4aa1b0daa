import type { Product } from "./record.ts";

/** The needs of a product where they differ from docker's. */
export interface ProductDifferences {
  /** Options of `run` that only this product knows. */
  readonly runArguments: readonly string[];
  /** Options of every tmpfs. */
  readonly tmpfsOptions: readonly string[];
  /**
   * The options with which an internal network keeps the host out too; undefined: it can't be had.
   */
  readonly internalNetwork: InternalNetwork | undefined;
  /** Whether `inspect` tells a container that ran out of memory from one that was killed. */
  readonly tellsOutOfMemory: boolean;
  /** The file that appears in the folder where the client was started when memory ran out. */
  readonly outOfMemoryFile: string | undefined;
}

/** The options of a network without a way out. */
export interface InternalNetwork {
  /** Options of `network create`. */
  readonly createArguments: readonly string[];
  /** Options of `run` for what is in it. */
  readonly runArguments: readonly string[];
}

/** The differences of each product. */
export const PRODUCTS: Readonly<Record<Product, ProductDifferences>> = {
  docker: {
    runArguments: [],
    tmpfsOptions: [],
    internalNetwork: {
      // Without it the host has an address there, and all that listens on the host is reached.
      createArguments: ["--opt", "com.docker.network.bridge.inhibit_ipv4=true"],
      // Docker's own name server asks the host's, for whom there is a way out (CVE-2024-29018).
      runArguments: ["--dns", "127.0.0.1"],
    },
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
    internalNetwork: {
      // A name server would be the host's, with an address there.
      createArguments: ["--disable-dns"],
      // The host's end of the network has an address of its own accord with IPv6.
      runArguments: ["--dns", "127.0.0.1", "--sysctl", "net.ipv6.conf.all.disable_ipv6=1"],
    },
    tellsOutOfMemory: false,
    // Conmon's, which 4.3.1 does not find again.
    outOfMemoryFile: "oom",
  },
  nerdctl: {
    runArguments: [],
    tmpfsOptions: [],
    internalNetwork: undefined,
    tellsOutOfMemory: false,
    outOfMemoryFile: undefined,
  },
};
