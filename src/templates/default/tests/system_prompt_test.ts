import type { EvaluationRunConfig } from "@karotte/cli/sdk";
import assert from "node:assert/strict";
import { systemPrompt } from "../src/environment/system_prompt.ts";

function promptWith(extra_config: Record<string, unknown> | null): string {
  // Cast: only extra_config is read.
  return systemPrompt({ extra_config } as unknown as EvaluationRunConfig, "Base.");
}

Deno.test("extra_config replaces and extends the system prompt", () => {
  assert.equal(promptWith(null), "Base.");
  assert.equal(promptWith({ extra_system_prompt: "More." }), "Base.\n\nMore.");
  assert.equal(promptWith({ system_prompt_override: "" }), "");
  assert.equal(
    promptWith({ system_prompt_override: "Other.", extra_system_prompt: "More." }),
    "Other.\n\nMore.",
  );
});

Deno.test("a value that is not a string is refused with the key's name", () => {
  assert.throws(() => promptWith({ extra_system_prompt: ["no"] }), /extra_system_prompt/);
});
