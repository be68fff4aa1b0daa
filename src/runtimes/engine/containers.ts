import { KarotteError, messageOf } from "../../base/errors.ts";
import type { RunOptions } from "../../base/process.ts";
import type { EngineCaller } from "./caller.ts";

/** A container as `inspect` shows it. */
export interface Container {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `created` one never ran. */
  readonly status: string;
  readonly exitCode: number;
  readonly outOfMemory: boolean;
  /** Why it did not start; mostly empty. */
  readonly error: string;
}

/** Ids of the containers, running or not, that have the label (`name` or `name=value`). */
export async function listContainers(
  caller: EngineCaller,
  label: string,
  options: RunOptions = {},
): Promise<string[]> {
  const args = ["ps", "--all", "--quiet", "--no-trunc", "--filter", `label=${label}`];
  return parseIds(await caller.ask("list containers", args, options));
}

/** One id a line; other lines are none. */
export function parseIds(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) =>
    /^[0-9a-f]{12,64}$/.test(line)
  );
}

/** Those of the containers, by id or name, that are still there. */
export async function inspectContainers(
  caller: EngineCaller,
  names: readonly string[],
  options: RunOptions = {},
): Promise<Container[]> {
  if (names.length === 0) return [];
  const result = await caller.call(["inspect", "--type", "container", ...names], options);
  const text = new TextDecoder().decode(result.stdout).trim();
  const said = new TextDecoder().decode(result.stderr);
  // One that is gone makes it fail, and the others are shown all the same.
  if (result.code !== 0 && !/no such (container|object)/i.test(said)) {
    throw caller.failure("inspect containers", result);
  }
  return text === "" ? [] : parseContainers(text);
}

/** Reads the JSON of `inspect`; all engines have docker's shape. */
export function parseContainers(text: string): Container[] {
  // An engine's answer: fields that are not there read as undefined.
  const said = JSON.parse(text) as readonly InspectedContainer[];
  return said.map(({ Id = "", Name = "", Config, State }) => ({
    id: Id,
    name: Name.replace(/^\//, ""),
    labels: Config?.Labels ?? {},
    status: State?.Status ?? "",
    exitCode: State?.ExitCode ?? -1,
    outOfMemory: State?.OOMKilled === true,
    error: State?.Error ?? "",
  }));
}

interface InspectedContainer {
  readonly Id?: string;
  readonly Name?: string;
  readonly Config?: { readonly Labels?: Readonly<Record<string, string>> | null };
  readonly State?: {
    readonly Status?: string;
    readonly ExitCode?: number;
    readonly OOMKilled?: boolean;
    readonly Error?: string;
  };
}

/**
 * Ends and removes containers with their unnamed volumes; those that are gone are fine. Throws,
 * after all were tried, an error naming those that stay, with the command to try again.
 */
export async function removeContainers(
  caller: EngineCaller,
  containers: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  if (containers.length === 0) return;
  const remove = ["rm", "--force", "--volumes"];
  const all = await caller.call([...remove, ...containers.map(({ id }) => id)]);
  if (all.code === 0) return;
  // For one that is gone, podman leaves the others.
  const staying: (typeof containers)[number][] = [];
  let reason = "";
  for (const container of containers) {
    const result = await caller.call([...remove, container.id]);
    if (result.code === 0 || isGone(new TextDecoder().decode(result.stderr))) continue;
    staying.push(container);
    reason = messageOf(caller.failure("remove it", result));
  }
  if (staying.length === 0) return;
  const names = staying.map(({ name }) => name).join(" ");
  throw new KarotteError("runtime", `Cannot remove container ${names}: ${reason}`, {
    hint: `try again: ${[...caller.engine.command, ...remove, ...names.split(" ")].join(" ")}`,
  });
}

/** Gone already, or being removed by somebody else at this moment. */
function isGone(said: string): boolean {
  return /no such container|no container with name or ID|removal of container .* in progress/i
    .test(said);
}
