import type { Runtime, SandboxSpec } from "./runtime.ts";

/**
 * Throws a `TypeError` for a spec that asks for more than the runtime can do: a wish of the user is
 * refused before it comes to that, and nothing is left out silently.
 */
export function checkSpec(
  { runId, content, network = "none", keep = false, arguments: given = [] }: SandboxSpec,
  { name, abilities }: Pick<Runtime, "name" | "abilities">,
): void {
  const faults = [
    content.kind === abilities.content ? [] : [`content of kind "${content.kind}"`],
    abilities.networks.includes(network) ? [] : [`network "${network}"`],
    keep && !abilities.keeps ? ["a sandbox to be kept"] : [],
    given.length > 0 && !abilities.arguments ? ["arguments"] : [],
  ].flat();
  if (faults.length === 0) return;
  throw new TypeError(`runtime "${name}" can't start "${runId}" with ${faults.join(", ")}`);
}
