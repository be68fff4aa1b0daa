import { KarotteError, messageOf } from "../base/errors.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { engineRuntime } from "./engine.ts";
import { dockerEngine, dockerGvisorEngine, nerdctlEngine, podmanEngine } from "./engine/engines.ts";
import type { Runtime, RuntimeInfo } from "./runtime.ts";

/** Makes each runtime that Karotte knows, in the order in which they are shown. */
const MAKERS: readonly (() => Runtime)[] = [
  () => engineRuntime(dockerEngine),
  () => engineRuntime(podmanEngine),
  () => bubblewrap(),
  () => engineRuntime(nerdctlEngine),
  () => engineRuntime(dockerGvisorEngine),
];

/** The runtimes of which the first that works is the default; others are used only by name. */
export const DEFAULTS: readonly string[] = ["docker", "podman", "bubblewrap"];

/**
 * The runtimes that are tried for hardware whose devices are handed through: plugins give arguments
 * for docker, and another engine would start without the devices.
 */
export const DEFAULTS_WITH_DEVICES: readonly string[] = ["docker"];

/** Makes all runtimes, whether they are here or not; nothing is asked or started. */
export function allRuntimes(): Runtime[] {
  return MAKERS.map((make) => make());
}

/** Lists the names of the runtimes that can do something, for the user. */
export function namesOfRuntimes(can: (runtime: Runtime) => boolean = () => true): string {
  return allRuntimes().filter(can).map(({ name }) => name).join(", ");
}

/** Makes the runtime of this name. Throws a usage error that lists all names if there is none. */
export function runtimeNamed(name: string): Runtime {
  const found = allRuntimes().find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new KarotteError("usage", `Cannot use runtime "${name}": there is no such runtime`, {
    hint: `runtimes: ${namesOfRuntimes()}`,
  });
}

/** The state of a runtime on this machine. */
export type RuntimeState =
  | { readonly state: "here"; readonly info: RuntimeInfo }
  | { readonly state: "broken"; readonly why: string; readonly hint: string | undefined }
  | { readonly state: "absent" };

/** Looks for a runtime on this machine; whatever is wrong with it is a value. */
export async function stateOf(runtime: Runtime): Promise<RuntimeState> {
  try {
    const info = await runtime.probe();
    return info === undefined ? { state: "absent" } : { state: "here", info };
  } catch (error) {
    const hint = error instanceof KarotteError ? error.hint : undefined;
    return { state: "broken", why: messageOf(error), hint };
  }
}
