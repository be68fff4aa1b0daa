import type { Product } from "./record.ts";

/** Options of `run` that only one product knows, and needs. */
export const PRODUCT_RUN_ARGUMENTS: Readonly<Record<Product, readonly string[]>> = {
  docker: [],
  podman: [
    // By default podman hands the host's proxy variables on.
    "--http-proxy=false",
    // By default podman mounts more for a program that it takes for systemd.
    "--systemd=false",
  ],
  nerdctl: [],
};
