import type { CommandTable } from "./command.ts";

/** The commands of `karotte`, in the order of its help. */
export const commands: CommandTable = {
  "create-env": {
    summary: "Create an environment: a project with tasks, tools and judges.",
    load: () => import("./create_env.ts"),
  },
  templates: {
    summary: "Look at what environments can be created from.",
    commands: {
      list: { summary: "List the templates.", load: () => import("./templates_list.ts") },
    },
  },
  "create-run-config": {
    summary: "Write a run config with all its fields.",
    load: () => import("./create_run_config.ts"),
  },
  run: {
    summary: "Run a student on a task and score it.",
    load: () => import("./run.ts"),
  },
  build: {
    summary: "Build the environment's image.",
    load: () => import("./build.ts"),
  },
  clean: {
    summary: "Remove what killed runs left.",
    load: () => import("./clean.ts"),
  },
  runtimes: {
    summary: "Look at what can start sandboxes.",
    commands: {
      list: { summary: "List the runtimes.", load: () => import("./runtimes_list.ts") },
    },
  },
  models: {
    summary: "Look at the models that Karotte knows.",
    commands: {
      list: { summary: "List the models.", load: () => import("./models_list.ts") },
    },
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
  trust: {
    summary: "Say yes to what a project wants of your machine.",
    load: () => import("./trust.ts"),
  },
  plugins: {
    summary: "See what plugins add, and register them.",
    commands: {
      list: { summary: "List what plugins add.", load: () => import("./plugins_list.ts") },
      add: { summary: "Add plugins to a manifest.", load: () => import("./plugins_add.ts") },
      remove: { summary: "Take one out.", load: () => import("./plugins_remove.ts") },
      update: {
        summary: "Pin the newest versions of packages.",
        load: () => import("./plugins_update.ts"),
      },
      check: { summary: "Load all of them and see.", load: () => import("./plugins_check.ts") },
      schema: {
        summary: "Print the JSON Schema of manifests.",
        load: () => import("./plugins_schema.ts"),
      },
      guide: { summary: "Print the plugin guide.", load: () => import("./plugins_guide.ts") },
    },
  },
};
