/** Container engines as runtimes: one adapter, and a record for each engine. */
import { KarotteError } from "../base/errors.ts";
import { warn } from "../base/log.ts";
import { type CallerOptions, EngineCaller } from "./engine/caller.ts";
import { type EngineInformation, readInformation } from "./engine/information.ts";
import { launch } from "./engine/launch.ts";
import { removeLeftovers } from "./engine/leftovers.ts";
import { PRODUCTS } from "./engine/products.ts";
import type { Engine } from "./engine/record.ts";
import type { Runtime, RuntimeInfo } from "./runtime.ts";

export type { Engine } from "./engine/record.ts";

export interface EngineOptions extends CallerOptions {
  /** Told of limits that can't be enforced; stderr if absent. */
  warn?(text: string): void;
}

/** A runtime whose sandboxes are an engine's containers. */
export function engineRuntime(engine: Engine, options: EngineOptions = {}): Runtime {
  const caller = new EngineCaller(engine, options);
  let known: Promise<EngineInformation | undefined> | undefined;
  // Asked once: all sandboxes of a command have the same daemon.
  const information = () => known ??= readInformation(caller);
  return {
    name: engine.name,
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

function describe(engine: Engine, found: EngineInformation): RuntimeInfo {
  const remarks = [
    ...(found.product === engine.command[0] ? [] : [`really ${found.product}`]),
    ...(found.rootless ? ["rootless"] : []),
    ...(found.remote ? ["remote"] : []),
    ...(found.cgroupVersion === null ? [] : [`cgroups v${found.cgroupVersion}`]),
  ];
  return { version: found.version, platform: found.platform, remarks };
}
