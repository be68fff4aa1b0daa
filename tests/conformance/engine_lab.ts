import type { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import { dockerEngine, podmanEngine } from "../../src/runtimes/engine/engines.ts";
import type { Runtime, Sandbox, SandboxSpec } from "../../src/runtimes/runtime.ts";
import { BASE_IMAGE } from "./engine_here.ts";

export const DOCKER_LIKE = [dockerEngine, podmanEngine];

let launches = 0;

/** Starts a shell that reads commands from its input, in the base image. */
export function launchShell(
  runtime: Runtime,
  changes: Partial<SandboxSpec> = {},
): Promise<Sandbox> {
  return runtime.launch({
    runId: newRunId(),
    hidden: [],
    mounts: [],
    limits: { memoryBytes: null, processes: null, cpus: null },
    content: { kind: "image", id: BASE_IMAGE },
    ...changes,
    arguments: ["--entrypoint", "/bin/sh", ...(changes.arguments ?? [])],
  });
}

export function newRunId(): string {
  return `engine_${Deno.pid}_${crypto.randomUUID().slice(0, 8)}_${++launches}`;
}

/** All containers of the run, also ones that ended. */
export async function containersOf(caller: EngineCaller, runId: string): Promise<string[]> {
  const filter = ["--filter", `label=karotte.run_id=${runId}`];
  const names = await caller.ask("list", ["ps", "-a", "--format", "{{.Names}}", ...filter]);
  return names.split("\n").filter((name) => name !== "");
}

export async function say(sandbox: Sandbox, text: string): Promise<void> {
  const writer = sandbox.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  writer.releaseLock();
}
