import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { karotte, ROOT, textOf } from "./karotte.ts";

const FIELDS = [
  ...["model", "model_display_name", "provider", "provider_display_name", "litellm_model"],
  ...["max_output_tokens", "min_reasoning_effort", "max_reasoning_effort"],
  ...["reasoning_effort_levels", "reasoning_request", "supports_sampling_params"],
  ...["tool_call_repairs", "requires_api_key", "extra_allowed_openai_params"],
  ...["uses_responses_api", "context_tokens", "price"],
];

Deno.test("models list --json has every field of each model, and the families", async () => {
  await using dir = await tempDir();
  const { code, stdout, stderr } = await karotte(["models", "list", "--json"], { cwd: dir.path });
  assertEquals([code, stderr], [0, ""]);
  const listed: { models: object[]; families: { prefix: string; description: string }[] } = JSON
    .parse(stdout);
  assertEquals(Object.keys(listed), ["models", "families"]);
  for (const model of listed.models) assertEquals(Object.keys(model), FIELDS);
  const prefixes = listed.families.map(({ prefix }) => prefix);
  assertEquals(prefixes.slice(0, 3), ["pt/", "together_ai/", "fireworks_ai/"]);
  assert(listed.families.every(({ description }) => description !== ""));
});

Deno.test("models list shows what a model may say and take in, and its efforts", async () => {
  await using dir = await tempDir();
  const { code, stdout, stderr } = await karotte(["models", "list"], { cwd: dir.path });
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(
    stdout,
    "anthropic/claude-opus-4-6: Claude Opus 4.6 (Anthropic)\n" +
      "  output 128k, context 1000k, efforts: low, medium, high, max\n",
  );
  assertStringIncludes(stdout, "output 16k, context 128k, efforts: not adjustable\n");
  assertStringIncludes(stdout, "\ntogether_ai/: ");
  assert(!stdout.includes("pt/"), stdout);
});

Deno.test("models list loads no package of a provider", async () => {
  const module = `${ROOT}src/cli/models_list.ts`;
  const info = await run(["sh", `${ROOT}scripts/deno`, "info", "--json", module], {
    cwd: ROOT,
    env: { KAROTTE_DENO: Deno.execPath() },
  });
  assertEquals(info.code, 0, textOf(info.stderr));
  interface Dependency {
    specifier: string;
    code?: unknown;
    isDynamic?: boolean;
  }
  const { modules }: { modules: { specifier: string; dependencies?: Dependency[] }[] } = JSON.parse(
    textOf(info.stdout),
  );
  assert(
    modules.some(({ specifier }) => specifier.endsWith("/src/models/catalog/model_spec_of.ts")),
  );
  // What is imported for its types, or only once a model is called, is not loaded.
  const loaded = modules.flatMap(({ dependencies = [] }) =>
    dependencies.filter(({ code, isDynamic }) => code !== undefined && !isDynamic)
  );
  assertEquals(loaded.filter(({ specifier }) => specifier.includes("@ai-sdk")), []);
});
