import type { CommandTable } from "./command_table.ts";

/** The commands of `karotte`, in the order of its help. */
export const commands: CommandTable = {
  "create-env": {
    summary: "Create an environment: a project with tasks, tools and judges.",
    load: () => import("./create_env.ts"),
  },
  "create-run-config": {
    summary: "Write a run config with all its fields.",
    load: () => import("./create_run_config.ts"),
  },
  run: {
    summary: "Run a student on a task and score it.",
    load: () => import("./run.ts"),
  },
  tasks: {
    summary: "Look at the environment's tasks.",
    commands: {
      list: { summary: "List the tasks.", load: () => import("./tasks.ts") },
    },
  },
  check: {
    summary: "Check that the environment can be loaded and run.",
    load: () => import("./check.ts"),
  },
  describe: {
    summary: "Print what the environment's bundle says of its tasks.",
    hidden: true,
    load: () => import("./describe.ts"),
  },
  harness: {
    summary: "Run a task inside a sandbox.",
    hidden: true,
    load: () => import("./harness.ts"),
  },
  exec: {
    summary: "Run a scoring script of an environment.",
    hidden: true,
    load: () => import("./exec.ts"),
  },
};
