import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import {
  appliedReasoningEffort,
  checkReasoningEffort,
  unappliedEffortWarning,
} from "./reasoning_effort.ts";

const CONFIG = {
  model: "anthropic/claude-opus-4-6",
  agent: null,
  reasoning_effort: null,
  use_fake_model: false,
};
const UNKNOWN = "acme/unknown";
const GROK = "xai/grok-4.7";

Deno.test("appliedReasoningEffort() maps min and max to the model's levels", () => {
  const rows: [change: Partial<Parameters<typeof appliedReasoningEffort>[0]>, string | null][] = [
    [{}, null],
    [{ reasoning_effort: "min" }, "low"],
    [{ reasoning_effort: "max" }, "max"],
    [{ reasoning_effort: "medium" }, "medium"],
    [{ reasoning_effort: "max", model: "openai/gpt-5.5" }, "xhigh"],
    [{ reasoning_effort: "min", model: "openai/gpt-5" }, "minimal"],
    [{ reasoning_effort: "max", model: UNKNOWN }, null],
    [{ reasoning_effort: "max", agent: "builtin" }, "max"],
    [{ reasoning_effort: "max", use_fake_model: true }, null],
    [{ use_fake_model: true, agent: "grok-build", model: GROK }, null],
    [{ reasoning_effort: "max", agent: "external" }, null],
    [{ reasoning_effort: "max", agent: "mistral-vibe" }, null],
    [{ reasoning_effort: "max", model: "pt/x" }, null],
    [{ agent: "grok-build", model: GROK }, "high"],
    [{ agent: "grok-build", model: "xai/grok-build-0.1" }, null],
    [{ agent: "grok-build", model: GROK, reasoning_effort: "min" }, "low"],
  ];
  for (const [change, expected] of rows) {
    assertEquals([change, appliedReasoningEffort({ ...CONFIG, ...change })], [change, expected]);
  }
});

Deno.test("checkReasoningEffort() takes min, max and the model's levels", () => {
  for (const reasoning_effort of [null, "min", "max", "low", "high"]) {
    checkReasoningEffort({ ...CONFIG, reasoning_effort });
  }
  for (const reasoning_effort of [null, "min", "max"]) {
    checkReasoningEffort({ model: UNKNOWN, reasoning_effort });
  }
  const refused = assertThrows(
    () => checkReasoningEffort({ ...CONFIG, reasoning_effort: "xhigh" }),
    KarotteError,
    'Cannot use reasoning effort "xhigh": model "anthropic/claude-opus-4-6" has no such level',
  );
  assertEquals(refused.hint, "accepted: min, low, medium, high, max");
  const unknown = assertThrows(
    () => checkReasoningEffort({ model: UNKNOWN, reasoning_effort: "high" }),
    KarotteError,
    "only min and max are accepted",
  );
  assertEquals([unknown.code, unknown.hint], ["usage", "accepted: min, max"]);
});

Deno.test("unappliedEffortWarning() names model and agent", () => {
  const asked = { ...CONFIG, reasoning_effort: "max" };
  assertEquals(unappliedEffortWarning(CONFIG), undefined);
  assertEquals(unappliedEffortWarning(asked), undefined);
  assertEquals(
    unappliedEffortWarning({ ...asked, agent: "mistral-vibe" }),
    'reasoning effort "max" is not applied: agent "mistral-vibe" with model ' +
      '"anthropic/claude-opus-4-6" has none to set',
  );
  assertEquals(
    unappliedEffortWarning({ ...asked, use_fake_model: true }),
    'reasoning effort "max" is not applied: the fake model has none',
  );
});
