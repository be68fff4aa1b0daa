import { assertEquals } from "@std/assert";
import { wireServer } from "../models/wire/server.ts";
import { karotte } from "./karotte.ts";
import { testEnvironment } from "./environment.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const FILES = {
  "tasks/golden.ts": `
    import { AlwaysPassJudge, createTask } from "@karotte/cli/sdk";
    export default createTask({
      id: "golden",
      tools: ["echo", "picture"],
      systemPrompt: "Be brief.",
      preHook: () => ({ garden: "small" }),
      steps: ["First.", "Second."].map((instructions) => ({
        instructions,
        judge: new AlwaysPassJudge(),
      })),
    });`,
  "tools/echo.ts": `
    import { defineTool, z } from "@karotte/cli/sdk";
    export default defineTool({
      description: "Says it again.",
      input: z.object({ text: z.string() }),
      run: ({ text }) => ({ said: text }),
    });`,
  "tools/picture.ts": `
    import { defineTool, z } from "@karotte/cli/sdk";
    export default defineTool({
      description: "Shows a pixel.",
      input: z.object({}),
      run: () => ({ image: Uint8Array.fromBase64("${PIXEL}"), mimeType: "image/png" }),
    });`,
  "fake_model.ts": `
    const call = (name, args) => ({ function: { name, arguments: args } });
    export const getMessages = () => [
      { content: "Looking.", tool_calls: [call("echo", '{"text":"a"}'), call("picture", "{}")] },
      { tool_calls: [call("echo", "{broken")] },
      { content: "First done." },
      { content: "Second done.", reasoning_content: "One more thing." },
    ];`,
};

const golden = new URL("../fixtures/transcripts/", import.meta.url);

/**
 * The transcript that a run of task "golden" leaves, with `T` for each time, and without what it
 * measured.
 */
async function transcriptOf(
  files: Readonly<Record<string, string>>,
  ...flags: string[]
): Promise<string> {
  await using environment = await testEnvironment(files);
  const args = ["run", "--task", "golden", "--run-id", "golden", ...flags];
  const env = { KAROTTE_SANDBOX_MEMORY_BYTES: String(2 * 1024 ** 3) };
  const said = await karotte(args, { cwd: environment.path, env });
  assertEquals(said.code, 0, said.stderr);
  const written = await Deno.readTextFile(`${environment.path}/out/golden.json`);
  return written.replace(/"timestamp": "[^"]+"/g, '"timestamp": "T"')
    .replace(/"resource_metrics": \{$[^]*?^ {6}\}/gm, '"resource_metrics": null');
}

Deno.test("a scripted run's transcript has every field in its place", async () => {
  const written = await transcriptOf(FILES, "--fake-model");
  assertEquals(written, await Deno.readTextFile(new URL("two_steps.json", golden)));
});

Deno.test("so has that of a run of a model", async () => {
  const task = `
    import { AlwaysPassJudge, createTask } from "@karotte/cli/sdk";
    export default createTask({
      id: "golden",
      tools: ["echo"],
      systemPrompt: null,
      steps: [{ instructions: "Go.", judge: new AlwaysPassJudge() }],
    });`;
  await using server = wireServer([
    {
      reasoning: "I should look.",
      text: "Looking.",
      toolCalls: [{ name: "echo", arguments: '{"text":"a"}' }],
      usage: { input: 100, cacheRead: 60, cacheWrite: 10, output: 20 },
    },
    { reasoning: "Hm.", finish: "length" },
    { text: "Done." },
  ]);
  const flags = ["--model", "anthropic/claude-opus-5", "--reasoning-effort", "min"];
  const files = { ...FILES, "tasks/golden.ts": task };
  const written = await transcriptOf(files, ...flags, "--proxy", `${server.url}/v1/`);
  assertEquals(written, await Deno.readTextFile(new URL("model_turns.json", golden)));
});
