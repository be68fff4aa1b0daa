import { KarotteError } from "../base/errors.ts";
import { warn } from "../base/log.ts";
import { WORK_DIRECTORY } from "../protocol/layout.ts";
import type { Abilities } from "./abilities.ts";
import { type CallerOptions, EngineCaller } from "./engine/caller.ts";
import { engineImages } from "./engine/images.ts";
import { type EngineInformation, readInformation } from "./engine/information.ts";
import { containerName } from "./engine/labels.ts";
import { launch } from "./engine/launch.ts";
import { removeLeftovers } from "./engine/leftovers.ts";
import { PRODUCTS } from "./engine/products.ts";
import type { Engine } from "./engine/record.ts";
import { weakeningArguments } from "./engine/weakening.ts";
import type { Runtime, RuntimeInfo } from "./runtime.ts";
import { checkSpec } from "./spec_check.ts";

/** How an engine is called, and who hears its warnings. */
export interface EngineOptions extends CallerOptions {
  /** Told of limits that can't be enforced; stderr if absent. */
  warn?(text: string): void;
}

/** Makes a runtime whose sandboxes are an engine's containers. */
export function engineRuntime(engine: Engine, options: EngineOptions = {}): Runtime {
  const caller = new EngineCaller(engine, options);
  let known: Promise<EngineInformation | undefined> | undefined;
  // Asked once: all sandboxes of a command have the same daemon.
  const information = () => known ??= readInformation(caller);
  return {
    name: engine.name,
    setUp: engine.setUp,
    abilities: engineAbilities(engine),
    images: engineImages(caller),
    ...(engine.daemonOf === undefined ? {} : { daemonOf: engine.daemonOf }),
    weakeningArguments,
    keptCopy: (runId) => [...engine.command, "cp", `${containerName(runId)}:${WORK_DIRECTORY}/`],
    async probe() {
      const found = await information();
      return found && describe(engine, found);
    },
    async removeLeftovers(which) {
      const product = (await information())?.product;
      const withNetworks = product !== undefined && PRODUCTS[product].internalNetwork !== undefined;
      return await removeLeftovers(caller, which, { withNetworks });
    },
    async launch(spec) {
      checkSpec(spec, this);
      const found = await information();
      if (found === undefined) {
        const state = `${engine.command[0]} is not installed`;
        throw new KarotteError("runtime", `Cannot use ${engine.name}: ${state}`, {
          hint: engine.setUp,
        });
      }
      return await launch(spec, {
        caller,
        information: found,
        warn: options.warn ?? warn,
      });
    },
  };
}

/** Returns what containers of an engine can do. */
function engineAbilities(engine: Engine): Abilities {
  const hasInternal = PRODUCTS[engine.product].internalNetwork !== undefined;
  return {
    content: "image",
    networks: hasInternal ? ["none", "internal", "open"] : ["none", "open"],
    keeps: true,
    arguments: true,
    passthrough: true,
    dev: true,
    kernel: engine.kernel ?? "the host's",
    limits: {
      memory: "prevented",
      cpus: "prevented",
      processes: "prevented",
      disk: "not kept",
      files: "not kept",
      ...engine.limits,
    },
  };
}

function describe(engine: Engine, found: EngineInformation): RuntimeInfo {
  const remarks = [
    ...(found.product === engine.command[0] ? [] : [`really ${found.product}`]),
    ...(found.rootless ? ["rootless"] : []),
    ...(found.remote ? ["remote"] : []),
    ...(found.cgroupVersion === null ? [] : [`cgroups v${found.cgroupVersion}`]),
  ];
  const { version, platform, memoryBytes } = found;
  return { version, platform, remarks, ...(memoryBytes > 0 ? { memoryBytes } : {}) };
}
