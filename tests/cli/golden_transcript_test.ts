import { assertEquals } from "@std/assert";
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

Deno.test("a scripted run's transcript has every field in its place", async () => {
  await using environment = await testEnvironment(FILES);
  const args = ["run", "--task", "golden", "--fake-model", "--run-id", "golden"];
  const said = await karotte(args, { cwd: environment.path });
  assertEquals(said.code, 0, said.stderr);
  const written = await Deno.readTextFile(`${environment.path}/out/golden.json`);
  const untimed = written.replace(/"timestamp": "[^"]+"/g, '"timestamp": "T"');
  assertEquals(untimed, await Deno.readTextFile(new URL("two_steps.json", golden)));
});
