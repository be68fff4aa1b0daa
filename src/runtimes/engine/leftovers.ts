import { isDead } from "../owner.ts";
import type { LeftoverChoice } from "../runtime.ts";
import type { EngineCaller } from "./caller.ts";
import {
  type Container,
  inspectContainers,
  listContainers,
  removeContainers,
} from "./containers.ts";
import { KEPT_LABEL, LAUNCH_LABEL, OWNER_LABEL, parseOwner, RUN_ID_LABEL } from "./labels.ts";
import { inspectNetworks, listNetworks, removeNetworks } from "./networks.ts";

/**
 * Removes containers, and networks if the engine makes them, that have our labels and a dead owner;
 * returns how many runs they are of. Throws, after all were tried, an error naming those that stay.
 */
export async function removeLeftovers(
  caller: EngineCaller,
  which: LeftoverChoice = {},
  { withNetworks }: { withNetworks: boolean } = { withNetworks: false },
): Promise<number> {
  const [containers, networks] = await Promise.all([
    listContainers(caller, OWNER_LABEL).then((ids) => inspectContainers(caller, ids)),
    withNetworks
      ? listNetworks(caller, OWNER_LABEL).then((names) => inspectNetworks(caller, names))
      : [],
  ]);
  const left = containers.filter((container) => isLeftover(container, which));
  const running = left.filter(({ status }) => status === "running").map(({ id }) => id);
  // Podman's removal would first ask them to end, and wait.
  if (running.length > 0) await caller.call(["kill", ...running]);
  await removeContainers(caller, left);
  const leftNetworks = networks.filter((network) => isLeftover(network, which));
  await removeNetworks(caller, leftNetworks.map(({ name }) => name));
  return new Set([...left, ...leftNetworks].map(({ labels }) => labels[LAUNCH_LABEL] ?? labels))
    .size;
}

/** Whether nobody can need the container any more. */
export function isLeftover(
  { labels }: Pick<Container, "labels">,
  { runIds, kept = false }: LeftoverChoice = {},
): boolean {
  const owner = parseOwner(labels[OWNER_LABEL]);
  const runId = labels[RUN_ID_LABEL];
  if (owner === undefined || runId === undefined) return false;
  if (KEPT_LABEL in labels && !kept) return false;
  return (runIds?.includes(runId) ?? true) && isDead(owner);
}
