import { KarotteError } from "../../base/errors.ts";
import { CAPABILITIES, environmentOf, HOSTNAME, SMALL_BYTES, TMP_BYTES } from "../confinement.ts";
import { CACHE_DIRECTORY } from "../../protocol/layout.ts";
import type { Cover } from "../mounts.ts";
import type { Network } from "../abilities.ts";
import type { Mount, SandboxLimits, SandboxSpec } from "../runtime.ts";
import type { EngineInformation } from "./information.ts";
import type { Naming } from "./labels.ts";
import { PRODUCTS } from "./products.ts";
import type { Engine } from "./record.ts";

/** All that the arguments of `run` depend on besides the spec. */
export interface RunArgumentsOptions {
  readonly engine: Engine;
  readonly information: EngineInformation;
  readonly naming: Naming;
  /** As they are to be mounted. */
  readonly mounts: readonly Mount[];
  readonly covers: readonly Cover[];
  /** Path of the file; the engine's default if undefined. */
  readonly seccompProfile: string | undefined;
}

/** Returns the engine's command for a sandbox, from `run` to the image. */
export function sandboxArguments(spec: SandboxSpec, options: RunArgumentsOptions): string[] {
  const { engine, information, naming, mounts, covers, seccompProfile } = options;
  const { runArguments, tmpfsOptions } = PRODUCTS[information.product];
  const tmpfs = (path: string, bytes: number, mode: string) => [
    "--tmpfs",
    // `exec`, as on any machine: docker's default is to refuse it.
    `${path}:${["rw,exec,nosuid,nodev", `size=${bytes},mode=${mode}`, ...tmpfsOptions].join(",")}`,
  ];
  return [
    ...["run", "--interactive", "--name", naming.name],
    ...Object.entries(naming.labels).flatMap(([name, value]) => ["--label", `${name}=${value}`]),
    // The channel would be logged to the daemon's disk.
    ...["--log-driver", "none"],
    ...["--sig-proxy=false", "--pull", "never", "--init", "--hostname", HOSTNAME],
    ...networkArguments(spec.network ?? "none", options),
    ...["--user", "0:0", "--workdir", "/"],
    ...["--cap-drop", "ALL"],
    ...CAPABILITIES.flatMap((name) => ["--cap-add", name.toUpperCase()]),
    ...["--security-opt", "no-new-privileges", "--cgroupns", "private"],
    ...(seccompProfile === undefined ? [] : ["--security-opt", `seccomp=${seccompProfile}`]),
    ...limitArguments(spec.limits, information),
    ...tmpfs("/tmp", TMP_BYTES, "1777"),
    ...tmpfs("/run", SMALL_BYTES, "0755"),
    ...["--shm-size", String(SMALL_BYTES)],
    ...environmentArguments(engine),
    ...runArguments,
    ...engine.runArguments,
    ...mounts.flatMap((mount) => ["--mount", mountOption(mount)]),
    ...covers.flatMap((cover) => ["--mount", coverOption(cover, tmpfsOptions)]),
    ...(spec.arguments ?? []),
    imageOf(spec),
  ];
}

/** Returns the options for the variables of a sandbox's program, besides those of its image. */
function environmentArguments(engine: Engine): string[] {
  const entries = Object.entries(environmentOf({ ...engine, cacheDirectory: CACHE_DIRECTORY }));
  return entries.flatMap(([name, value]) => ["--env", `${name}=${value}`]);
}

/**
 * Tells whether the engine can hold a sandbox to its limits: a rootless one can't with cgroups v1.
 */
export function canLimit({ rootless, cgroupVersion }: EngineInformation): boolean {
  return !rootless || cgroupVersion !== 1;
}

function limitArguments(limits: SandboxLimits, information: EngineInformation): string[] {
  if (!canLimit(information)) return [];
  const { memoryBytes, processes, cpus } = limits;
  const memory = String(memoryBytes);
  // Engines refuse more processors than there are.
  const shares = cpus === null ? null : Math.min(cpus, information.processors || cpus);
  return [
    // Equal: no swap on top.
    ...(memoryBytes === null ? [] : ["--memory", memory, "--memory-swap", memory]),
    ...(processes === null ? [] : ["--pids-limit", String(processes)]),
    ...(shares === null ? [] : ["--cpus", String(shares)]),
  ];
}

function networkArguments(
  network: Network,
  { information: { product, rootless }, naming }: RunArgumentsOptions,
): string[] {
  switch (network) {
    case "none":
      return ["--network", "none"];
    case "open":
      // A rootless podman has a network of another kind, which is its default.
      return product === "podman" && rootless ? [] : ["--network", "bridge"];
    case "internal": {
      const internal = PRODUCTS[product].internalNetwork;
      if (internal === undefined) {
        throw new TypeError(`${product} has no internal network that keeps the host out`);
      }
      return ["--network", naming.name, ...internal.runArguments];
    }
  }
}

function mountOption({ source, target, readOnly }: Mount): string {
  return csv([
    "type=bind",
    `source=${source}`,
    `target=${target}`,
    ...(readOnly ? ["readonly"] : []),
  ]);
}

/** Returns the value of --mount for an empty folder or file over what must not be seen. */
function coverOption({ path, isDirectory }: Cover, tmpfsOptions: readonly string[]): string {
  return isDirectory
    ? csv(["type=tmpfs", `target=${path}`, "tmpfs-mode=0755", ...tmpfsOptions])
    : csv(["type=bind", "source=/dev/null", `target=${path}`, "readonly"]);
}

/** Writes one record of CSV, which the value of --mount is. */
export function csv(fields: readonly string[]): string {
  return fields.map((field) => /[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)
    .join(",");
}

function imageOf({ content, runId }: SandboxSpec): string {
  if (content.kind !== "image") throw new TypeError(`run "${runId}" names no image`);
  if (content.id.startsWith("-") || content.id === "") {
    throw new KarotteError("usage", `Cannot use image "${content.id}": that is no image's name`);
  }
  return content.id;
}
