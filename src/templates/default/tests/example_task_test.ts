import type { EvaluationRunConfig } from "@karotte/cli/sdk";
import assert from "node:assert/strict";
import { getMessages } from "../src/environment/fake_model.ts";
import { ExampleTask } from "../src/environment/tasks/example_task.ts";

// Cast: the task reads nothing else of the run config.
const config = {
  extra_config: { extra_system_prompt: "Be brief." },
} as unknown as EvaluationRunConfig;

Deno.test("the example task has two steps with instructions and a judge", () => {
  const steps = [...new ExampleTask(config).steps];
  assert.equal(steps.length, 2);
  for (const step of steps) {
    assert.match(step.instructions, /\/workdir\//);
    assert.equal(typeof step.judge.evaluate, "function");
  }
});

Deno.test("each step submits one small file of the student's", () => {
  for (const step of new ExampleTask(config).steps) {
    assert.equal(step.submissionPaths.length, 1);
    assert.match(step.submissionPaths[0]!, /^\/workdir\//);
    assert.ok(step.submissionLimits.maxFileBytes! <= 1_000_000);
  }
});

Deno.test("the run config's extra system prompt is appended", () => {
  assert.match(new ExampleTask(config).systemPrompt ?? "", /work carefully\.\n\nBe brief\.$/i);
});

Deno.test("the scripted student ends each step and calls only tools that the task offers", () => {
  const task = new ExampleTask(config);
  const messages = getMessages(config);
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  for (const { function: called } of calls) {
    assert.ok(task.tools.includes(called.name), called.name);
    assert.equal(typeof JSON.parse(called.arguments), "object");
  }
  const ends = messages.filter((message) => (message.tool_calls ?? []).length === 0);
  assert.equal(ends.length, [...task.steps].length);
});
