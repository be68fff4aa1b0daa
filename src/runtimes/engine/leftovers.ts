import { isDead } from "../owner.ts";
import type { LeftoverChoice } from "../runtime.ts";
import type { EngineCaller } from "./caller.ts";
import {
  type Container,
  inspectContainers,
  listContainers,
  removeContainers,
} from "./containers.ts";
import { KEPT_LABEL, OWNER_LABEL, parseOwner, RUN_ID_LABEL } from "./labels.ts";

/**
 * Removes containers that have our labels and a dead owner; returns how many. Throws, after all were
 * tried, an error naming those that stay.
 */
export async function removeLeftovers(
  caller: EngineCaller,
  which: LeftoverChoice = {},
): Promise<number> {
  const found = await inspectContainers(caller, await listContainers(caller, OWNER_LABEL));
  const leftovers = found.filter((container) => isLeftover(container, which));
  const running = leftovers.filter(({ status }) => status === "running").map(({ id }) => id);
  // Podman's removal would first ask them to end, and wait.
  if (running.length > 0) await caller.call(["kill", ...running]);
  await removeContainers(caller, leftovers);
  return leftovers.length;
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
