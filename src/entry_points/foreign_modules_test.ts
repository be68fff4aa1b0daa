import { assertEquals } from "@std/assert";
import { CliAgent as OurAgent, isCliAgentClass } from "../sdk/cli_agent.ts";
import { isLazy } from "../sdk/define_plugin.ts";
import * as points from "./mod.ts";

/** The same module a second time, as a plugin that brought its own copy would have it. */
async function copyOf<Module>(path: string): Promise<Module> {
  const source = new URL(path, import.meta.url);
  return await import(`${source.href}?copy`);
}

Deno.test("a class that extends another copy of CliAgent is one", async () => {
  const sdk = await copyOf<typeof import("../sdk/cli_agent.ts")>("../sdk/cli_agent.ts");
  class Agent extends sdk.CliAgent {
    readonly name = "acme";
    readonly version = "1";
    readonly providerUrl = "https://api.example";
  }
  assertEquals(sdk.CliAgent === OurAgent, false);
  assertEquals(points.cliAgents.check.parse(Agent).name, "acme");
  const others = [sdk.CliAgent, OurAgent, class {}, () => {}, Agent.prototype, null];
  assertEquals(others.map(isCliAgentClass), others.map(() => false));
});

Deno.test("lazy() of another copy is lazy", async () => {
  const sdk = await copyOf<typeof import("../sdk/define_plugin.ts")>("../sdk/define_plugin.ts");
  assertEquals(isLazy(sdk.lazy(() => Promise.resolve({ a: 1 }), "a")), true);
});
