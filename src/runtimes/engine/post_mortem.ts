import { KarotteError } from "../../base/errors.ts";
import { isDead } from "../owner.ts";
import type { SandboxStatus } from "../runtime.ts";
import { CLIENT_FAILED } from "./attended_client.ts";
import type { EngineCaller } from "./caller.ts";
import { type Container, inspectContainers } from "./containers.ts";
import { EXHAUSTED } from "./entrypoint.ts";
import { explainFailure } from "./failure.ts";
import { type Naming, OWNER_LABEL, parseOwner } from "./labels.ts";

/** All that is known of a sandbox whose client has ended. */
export interface PostMortemOptions {
  readonly caller: EngineCaller;
  /** Undefined: it was never made, or somebody removed it. */
  readonly container: Container | undefined;
  readonly naming: Naming;
  /** The client's exit status. */
  readonly code: number;
  /** The end of what came over stderr. */
  readonly said: string;
  /** Whether Karotte killed it. */
  readonly killed: boolean;
  /** Whether the memory limit was reached; undefined: nobody can tell. */
  readonly outOfMemory: boolean | undefined;
}

/** Finds out how a sandbox ended. Throws a `KarotteError` if it never started. */
export async function postMortem(options: PostMortemOptions): Promise<SandboxStatus> {
  const { caller, container, naming, code, said, killed, outOfMemory } = options;
  if (container === undefined) {
    if (killed) return { code: 137, exhausted: false };
    if (code !== CLIENT_FAILED) {
      return { code, exhausted: false, cause: "its container was removed from outside" };
    }
    await refuseTakenName(caller, naming, said);
    throw explainFailure(caller.engine, "start the sandbox", said);
  }
  const { status, exitCode, error } = container;
  if (status === "created" || status === "configured" || status === "initialized") {
    if (killed) return { code: 137, exhausted: false };
    throw explainFailure(caller.engine, "start the sandbox", said.trim() || error);
  }
  const cause = killed ? undefined : causeOfDeath(container, code, outOfMemory);
  const { done, failed } = EXHAUSTED;
  return {
    code: status === "running" ? code : exitCode === done ? 0 : exitCode,
    exhausted: outOfMemory || exitCode === done || exitCode === failed,
    ...(cause === undefined ? {} : { cause }),
  };
}

function causeOfDeath(
  { status, exitCode }: Container,
  code: number,
  outOfMemory: boolean | undefined,
): string | undefined {
  if (status === "running") return "the connection to its engine was lost";
  if (code === CLIENT_FAILED && exitCode !== code) return "its engine stopped or was restarted";
  if (exitCode === 137 && !outOfMemory) {
    return outOfMemory === false
      ? "it was killed from outside (SIGKILL)"
      : "it was killed (SIGKILL), from outside or by the kernel for want of memory";
  }
  if (exitCode === 143) return "it was stopped from outside (SIGTERM)";
  return undefined;
}

/** Throws an error that says who has the container's name. */
async function refuseTakenName(caller: EngineCaller, naming: Naming, said: string): Promise<void> {
  if (!/already (in use|used|exists)/i.test(said)) return;
  const [other] = await inspectContainers(caller, [naming.name]);
  if (other === undefined) return;
  const owner = parseOwner(other.labels[OWNER_LABEL]);
  const remove = `${caller.engine.command.join(" ")} rm --force ${other.name}`;
  const [state, hint] = owner === undefined
    ? ["a container of that name is there, and it is not Karotte's", `Remove it: ${remove}`]
    : isDead(owner)
    ? ["an earlier run of that id left its container", "Remove it: karotte clean --all"]
    : [
      `process ${owner.pid} on ${owner.host} is running it`,
      "Choose another run id, or end that process.",
    ];
  throw new KarotteError("runtime", `Cannot start container "${naming.name}": ${state}`, { hint });
}
