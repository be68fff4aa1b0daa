import { z } from "zod";
import { type CliAgentClass, isCliAgentClass } from "../sdk/cli_agent.ts";
import { entryPoint } from "./entry_point.ts";
import { byName } from "./merge.ts";

/**
 * Coding agents, each known by the `name` of its class. One with the name of a builtin is ignored.
 *
 * ```ts
 * "karotte.cli_agents": { acme: lazy(() => import("./acme_agent.ts"), "AcmeAgent") }
 * ```
 */
export const cliAgents = entryPoint({
  group: "karotte.cli_agents",
  summary: "A subclass of CliAgent.",
  check: z.custom<CliAgentClass>(isCliAgentClass, "expected a subclass of CliAgent").transform(
    (agentClass, { issues }): PluginAgent => {
      const checked = agentSchema.safeParse(new agentClass());
      if (checked.success) return { agentClass, name: checked.data.name };
      const [{ path, message } = { path: [], message: "" }] = checked.error.issues;
      issues.push({ code: "custom", input: agentClass, message: `${path.join(".")}: ${message}` });
      return z.NEVER;
    },
  ),
  merge: (entries, context) => byName(entries, context, ({ value }) => value.name),
  show: (agents) => [...agents.keys()],
});

/** An agent that a plugin brings. */
export interface PluginAgent {
  readonly name: string;
  readonly agentClass: CliAgentClass;
}

const agentSchema = z.looseObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, "expected lower-case letters, digits, - and _"),
  version: z.string().min(1),
  providerUrl: z.url({ protocol: /^https?$/ }),
  nativeToolNames: z.array(z.string()),
});
