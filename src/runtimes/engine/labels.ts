import { KarotteError } from "../../base/errors.ts";
import { currentOwner, type Owner, ownerSchema } from "../owner.ts";

/**
 * The label with the run id of a sandbox's container. By labels, and never by a name alone, Karotte
 * knows its own.
 */
export const RUN_ID_LABEL = "karotte.run_id";
export const OWNER_LABEL = "karotte.owner";
/**
 * The label of one launch, so that nobody removes the container of another that has the same run
 * id.
 */
export const LAUNCH_LABEL = "karotte.launch";
/** The label of what is to be left on purpose. */
export const KEPT_LABEL = "karotte.kept";

/** The name and labels of a container, decided before anything is created. */
export interface Naming {
  readonly name: string;
  readonly launch: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Names a container. Throws a usage error if the run id can't be part of its name. */
export function nameContainer(runId: string, { keep }: { keep: boolean }): Naming {
  if (!/^[A-Za-z0-9_.-]+$/.test(runId)) {
    throw new KarotteError(
      "usage",
      `Cannot name a container after run id "${runId}": engines take letters, digits, ".", "_" and "-"`,
      { hint: "choose another run id" },
    );
  }
  const launch = crypto.randomUUID();
  return {
    name: containerName(runId),
    launch,
    labels: {
      [RUN_ID_LABEL]: runId,
      [OWNER_LABEL]: JSON.stringify(currentOwner()),
      [LAUNCH_LABEL]: launch,
      ...(keep ? { [KEPT_LABEL]: "1" } : {}),
    },
  };
}

export function containerName(runId: string): string {
  return `karotte_run_${runId}`;
}

/** Reads the owner from its label; undefined if it holds none of ours. */
export function parseOwner(label: string | undefined): Owner | undefined {
  if (label === undefined) return undefined;
  try {
    return ownerSchema.parse(JSON.parse(label));
  } catch {
    // Somebody else's label: nothing that we may touch.
    return undefined;
  }
}
