import { spawn } from "../../base/process.ts";
import { type TempDir, tempDir } from "../../base/temp_dir.ts";
import { checkMounts, covers } from "../mounts.ts";
import type { Sandbox, SandboxSpec } from "../runtime.ts";
import { attendedClient, type AttendedNetwork } from "./attended_client.ts";
import type { EngineCaller } from "./caller.ts";
import type { EngineInformation } from "./information.ts";
import { LAUNCH_LABEL, nameContainer, type Naming } from "./labels.ts";
import { createNetworkArguments } from "./networks.ts";
import { PRODUCTS } from "./products.ts";
import { canLimit, sandboxArguments } from "./run_arguments.ts";
import { EngineSandbox } from "./sandbox.ts";
import { stricterProfile } from "./seccomp.ts";

/** The engine's part in a launch. */
export interface EngineLaunchOptions {
  readonly caller: EngineCaller;
  readonly information: EngineInformation;
  /** Told of limits that can't be enforced. */
  warn(text: string): void;
}

/**
 * Starts a sandbox from the spec's image. Returns as soon as the engine's client runs; the
 * sandbox's `status` tells what keeps the container from starting.
 */
export async function launch(spec: SandboxSpec, options: EngineLaunchOptions): Promise<Sandbox> {
  const { caller, information } = options;
  reportWeaknesses(information, options);
  const keep = spec.keep ?? false;
  const mounts = await checkMounts(spec.mounts, { sourcesAreHere: !information.remote });
  const covered = await covers(spec.hidden, mounts);
  const naming = nameContainer(spec.runId, { keep });
  const args = sandboxArguments(spec, {
    engine: caller.engine,
    information,
    naming,
    mounts,
    covers: covered,
    seccompProfile: await profileFor(information),
  });
  const folder = await clientFolder(information);
  const label = `${LAUNCH_LABEL}=${naming.launch}`;
  const network = spec.network === "internal" ? networkOf(naming, information) : undefined;
  const argv = attendedClient(caller.engine.command, args, {
    ...{ label, keep, network },
    folder: folder?.path,
  });
  try {
    const child = spawn(argv, {
      stdin: "piped",
      env: caller.variables,
      ...(folder ? { cwd: folder.path } : {}),
    });
    const hasNetwork = network !== undefined;
    return new EngineSandbox({ caller, information, child, naming, keep, folder, hasNetwork });
  } catch (error) {
    await folder?.[Symbol.asyncDispose]();
    throw error;
  }
}

function networkOf(naming: Naming, { product }: EngineInformation): AttendedNetwork {
  const options = PRODUCTS[product].internalNetwork?.createArguments ?? [];
  return { name: naming.name, create: createNetworkArguments(naming, options) };
}

/** Makes the folder of a client that leaves a file behind when memory runs out. */
async function clientFolder({ product, remote }: EngineInformation): Promise<TempDir | undefined> {
  if (remote || PRODUCTS[product].outOfMemoryFile === undefined) return undefined;
  return await tempDir("karotte-client-");
}

/**
 * Returns the path of a profile that the client reads; one elsewhere is podman's service's to read.
 */
async function profileFor({ seccompProfile, remote }: EngineInformation) {
  return seccompProfile === null || remote ? undefined : await stricterProfile(seccompProfile);
}

function reportWeaknesses(information: EngineInformation, { warn }: EngineLaunchOptions): void {
  if (canLimit(information)) return;
  const { product } = information;
  warn(`the sandbox's limits are not enforced: a rootless ${product} needs cgroups v2`);
}
