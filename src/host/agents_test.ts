import { assertEquals } from "@std/assert";
import {
  agentNameOf,
  agentOf,
  BUILTIN_AGENTS,
  isExternal,
  unstartedAgentWarning,
} from "./agents.ts";

const CONFIG = { model: "anthropic/claude-opus-4-6", agent: null, use_fake_model: false };

Deno.test("agentNameOf() is the config's agent, else what the model needs", () => {
  assertEquals(agentNameOf(CONFIG), "builtin");
  assertEquals(agentNameOf({ agent: null, model: "pt/x" }), "external");
  assertEquals(agentNameOf({ agent: null, model: "__karotte_special__/training" }), "external");
  assertEquals(agentNameOf({ agent: "grok-build", model: "pt/x" }), "grok-build");
});

Deno.test("agentOf() knows what answers the student's turns", () => {
  assertEquals(agentOf(CONFIG)?.turns, "model");
  assertEquals(agentOf({ ...CONFIG, agent: "external" })?.turns, "backend");
  assertEquals(agentOf({ ...CONFIG, agent: "grok-build" })?.turns, null);
  assertEquals(agentOf({ ...CONFIG, agent: "mistral-vibe" }), undefined);
  assertEquals(BUILTIN_AGENTS, ["builtin", "external"]);
});

Deno.test("a script takes the place of every agent, with a warning where one was named", () => {
  const scripted = { ...CONFIG, use_fake_model: true };
  assertEquals(isExternal({ ...CONFIG, agent: "external" }), true);
  assertEquals(isExternal({ ...scripted, agent: "external" }), false);
  assertEquals(unstartedAgentWarning(scripted), undefined);
  assertEquals(unstartedAgentWarning({ ...scripted, agent: "builtin" }), undefined);
  assertEquals(unstartedAgentWarning({ ...CONFIG, agent: "external" }), undefined);
  assertEquals(
    unstartedAgentWarning({ ...scripted, agent: "external" }),
    'agent "external" is not started: the fake model takes its place',
  );
});
