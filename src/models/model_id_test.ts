import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { isTrainingModel, parseModelId } from "./model_id.ts";

Deno.test("parseModelId() takes provider and name apart at the first slash", () => {
  for (
    const [id, provider, name] of [
      ["anthropic/claude-opus-5", "anthropic", "claude-opus-5"],
      ["claude-opus-5", "anthropic", "claude-opus-5"],
      ["together_ai/moonshotai/Kimi-K3", "together_ai", "moonshotai/Kimi-K3"],
      ["ollama/qwen3:8b", "ollama", "qwen3:8b"],
      ["openrouter/anthropic/claude-opus-5", "openrouter", "anthropic/claude-opus-5"],
      ["vertex_ai/claude-opus-5@default", "vertex_ai", "claude-opus-5@default"],
      ["openai/responses/gpt-5", "openai", "gpt-5"],
      ["meta/responses/muse-spark-1.3", "meta", "muse-spark-1.3"],
      ["together_ai/responses/x", "together_ai", "responses/x"],
      ["gpt-5", "", "gpt-5"],
    ]
  ) {
    assertEquals(parseModelId(id ?? ""), {
      id: id ?? "",
      provider: provider ?? "",
      name: name ?? "",
    });
  }
});

Deno.test("parseModelId() refuses what is no id and says why", () => {
  for (
    const [id, state] of [
      ["", "it is empty"],
      ["/gpt-5", "a part of it is empty"],
      ["openai/", "a part of it is empty"],
      ["openai//gpt-5", "a part of it is empty"],
      ["openai/gpt 5", "it has a blank or a control character"],
      ["openai/gpt-5\n", "it has a blank or a control character"],
      ["openai/\u001b[31m", "it has a blank or a control character"],
    ]
  ) {
    assertThrows(() => parseModelId(id ?? ""), KarotteError, `": ${state}`);
  }
});

Deno.test("isTrainingModel() knows the models that a backend plays", () => {
  assertEquals(
    ["pt/x", "__karotte_special__/training", "openai/pt/x", "ptx"].map(isTrainingModel),
    [
      ...[true, true, false, false],
    ],
  );
});
