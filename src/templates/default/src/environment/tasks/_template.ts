import { AlwaysPassJudge, Step, Task } from "@karotte/cli/sdk";
import { systemPrompt } from "../system_prompt.ts";

/*
 * A task to copy: `cp _template.ts my_task.ts`, then choose an id of your own. Files whose names
 * begin with "_" are not listed. This one uses classes, which is handy when steps share code or
 * remember something; `createTask` in example_task.ts does the same with less to write.
 */

class FirstStep extends Step {
  override get instructions() {
    return "Say hello.";
  }

  override get judge() {
    return new AlwaysPassJudge();
  }
}

export class MyTask extends Task {
  static override readonly id = "my_task";

  override get systemPrompt() {
    return systemPrompt(this.config, "You are a careful engineer.");
  }

  override get tools() {
    return ["bash"];
  }

  override get steps() {
    return [new FirstStep(this.config)];
  }
}
