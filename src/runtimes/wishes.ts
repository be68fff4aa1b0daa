import { KarotteError } from "../base/errors.ts";
import type { Abilities, Network } from "./abilities.ts";
import type { Mount } from "./runtime.ts";
import { namesOfRuntimes } from "./runtimes.ts";

/** What a run is to get of its sandbox: the flags of the user, the task, plugins. */
export interface SandboxWishes {
  /** The name of the runtime; undefined: Karotte chooses. */
  readonly runtime: string | undefined;
  readonly mounts: readonly Mount[];
  readonly network: Network;
  /** Whether the stopped sandbox is left. */
  readonly keep: boolean;
  /** Whether the last image that was built is taken, with the code of now. */
  readonly dev: boolean;
  /** Whether all is set up, and no step is run. */
  readonly prepareOnly: boolean;
  /** Arguments of plugins for the runtime's command; absent: it is not known yet. */
  readonly arguments?: WishedArguments;
  /** The name of the hardware whose devices are handed through; absent: there is none. */
  readonly passthrough?: string | undefined;
}

/** Arguments for the command that starts a sandbox, and the hooks that they are from. */
export interface WishedArguments {
  readonly hooks: readonly string[];
  readonly values: readonly string[];
}

/**
 * Throws an error for a wish that a runtime with these abilities can't fulfil, with the runtimes
 * that can. Returns warnings about wishes without which a run goes on.
 */
export function refuseUnable(wishes: SandboxWishes, abilities: Abilities, name: string): string[] {
  const { network, keep, dev } = wishes;
  const devices = passthroughRefusal(wishes, abilities);
  if (devices !== undefined) {
    throw new KarotteError("runtime", `Cannot run on "${name}": ${devices}`, {
      hint: othersThat((each) => each.passthrough),
    });
  }
  if (dev && !abilities.dev) {
    const reason = abilities.content === "files" ? "always uses the current files" : NO_SUCH_THING;
    throw new KarotteError("usage", `Cannot use --dev: "${name}" ${reason}`, {
      hint: `leave --dev out, or ${othersThat((each) => each.dev)}`,
    });
  }
  if (!abilities.networks.includes(network)) {
    throw new KarotteError("usage", `Cannot use --network ${network}: "${name}" ${NO_SUCH_THING}`, {
      hint: othersThat((each) => each.networks.includes(network)),
    });
  }
  if (keep && !abilities.keeps) {
    throw new KarotteError("usage", `Cannot use --keep-containers: "${name}" ${NO_SUCH_THING}`, {
      hint: othersThat((each) => each.keeps),
    });
  }
  const { hooks, values } = wishes.arguments ?? { hooks: [], values: [] };
  if (values.length === 0 || abilities.arguments) return [];
  const names = hooks.join(", ");
  return [`arguments of container_run_args (${names}) have no effect: "${name}" takes none`];
}

const NO_SUCH_THING = "has no such thing";

/** Says why a runtime can't be taken for a task with hardware of its own; undefined: it can. */
export function passthroughRefusal(
  { passthrough }: Pick<SandboxWishes, "passthrough">,
  abilities: Abilities,
): string | undefined {
  if (passthrough === undefined || abilities.passthrough) return undefined;
  return `hardware "${passthrough}" is passed through`;
}

function othersThat(can: (abilities: Abilities) => boolean): string {
  return `use --runtime with one that can: ${namesOfRuntimes(({ abilities }) => can(abilities))}`;
}
