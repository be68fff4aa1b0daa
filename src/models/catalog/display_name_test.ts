import { assertEquals } from "@std/assert";
import { displayName } from "./display_name.ts";

Deno.test("displayName() writes names as people do", () => {
  const names: Record<string, string> = {
    "claude-opus-5-5": "Claude Opus 5.5",
    "claude-haiku-4-5-20251001": "Claude Haiku 4.5 20251001",
    "gpt-5.4-mini": "GPT-5.4 Mini",
    "gpt-4o": "GPT-4o",
    "openai/gpt-oss-120b": "GPT OSS 120b",
    "o3": "o3",
    "gemini-3.1-pro-preview": "Gemini 3.1 Pro Preview",
    "moonshotai/Kimi-K3.1-Pro": "Kimi K3.1 Pro",
    "accounts/fireworks/models/glm-5p3": "GLM-5.3",
    "accounts/fireworks/models/deepseek-v4p1-flash": "DeepSeek V4.1 Flash",
    "qwen3:8b": "Qwen3:8b",
    "": "",
  };
  for (const [name, shown] of Object.entries(names)) assertEquals(displayName(name), shown);
});
