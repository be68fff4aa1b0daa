import { KarotteError, messageOf } from "../../base/errors.ts";
import type { RunOptions } from "../../base/process.ts";
import type { EngineCaller } from "./caller.ts";
import { parseIds } from "./containers.ts";
import type { Naming } from "./labels.ts";

/** A network as `inspect` shows it. */
export interface EngineNetwork {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The engine's command that makes a network without a way out, called as the sandbox is. */
export function createNetworkArguments(
  { name, labels }: Naming,
  options: readonly string[],
): string[] {
  const labelled = Object.entries(labels).flatMap(([key, value]) => ["--label", `${key}=${value}`]);
  return ["network", "create", "--internal", ...labelled, ...options, name];
}

/** Names of the networks that have the label (`name` or `name=value`). */
export async function listNetworks(
  caller: EngineCaller,
  label: string,
  options: RunOptions = {},
): Promise<string[]> {
  const args = ["network", "ls", "--filter", `label=${label}`, "--format", "{{.Name}}"];
  const text = await caller.ask("list networks", args, options);
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** Those of the networks that are still there. */
export async function inspectNetworks(
  caller: EngineCaller,
  names: readonly string[],
): Promise<EngineNetwork[]> {
  if (names.length === 0) return [];
  const result = await caller.call(["network", "inspect", ...names]);
  const said = new TextDecoder().decode(result.stderr);
  if (result.code !== 0 && !isGone(said)) throw caller.failure("inspect networks", result);
  const text = new TextDecoder().decode(result.stdout).trim();
  return text === "" ? [] : parseNetworks(text);
}

/** Reads the JSON of `network inspect`: docker's names begin with a capital, podman's do not. */
export function parseNetworks(text: string): EngineNetwork[] {
  // An engine's answer: fields that are not there read as undefined.
  const said = JSON.parse(text) as readonly InspectedNetwork[];
  return said.map(({ Name, name, Labels, labels }) => ({
    name: Name ?? name ?? "",
    labels: Labels ?? labels ?? {},
  }));
}

interface InspectedNetwork {
  readonly Name?: string;
  readonly name?: string;
  readonly Labels?: Readonly<Record<string, string>> | null;
  readonly labels?: Readonly<Record<string, string>> | null;
}

/**
 * Removes networks; containers that somebody attached are taken out of them first. Throws, after
 * all were tried, an error naming those that stay, with the command to try again.
 */
export async function removeNetworks(
  caller: EngineCaller,
  names: readonly string[],
): Promise<void> {
  const staying: string[] = [];
  let reason = "";
  for (const name of names) {
    await detachAll(caller, name);
    const result = await caller.call(["network", "rm", name]);
    if (result.code === 0 || isGone(new TextDecoder().decode(result.stderr))) continue;
    staying.push(name);
    reason = messageOf(caller.failure("remove it", result));
  }
  if (staying.length === 0) return;
  const again = [...caller.engine.command, "network", "rm", ...staying].join(" ");
  throw new KarotteError("runtime", `Cannot remove network ${staying.join(" ")}: ${reason}`, {
    hint: `try again: ${again}`,
  });
}

/** What fails here shows when the network is removed. */
async function detachAll(caller: EngineCaller, network: string): Promise<void> {
  const args = ["ps", "--all", "--quiet", "--no-trunc", "--filter", `network=${network}`];
  const { stdout } = await caller.call(args);
  for (const id of parseIds(new TextDecoder().decode(stdout))) {
    await caller.call(["network", "disconnect", "--force", network, id]);
  }
}

function isGone(said: string): boolean {
  return /no such network|network (\S+ )?not found|unable to find network/i.test(said);
}
