import type { EntryPointGroup } from "../../src/entry_points/entry_point.ts";

/** A group without its prefix. */
type GroupName<Group> = Group extends `karotte.${infer Name}` ? Name : never;

/** Values of entries, as source text, for each entry point. */
export interface PluginSample {
  /** Two values that can be used. */
  readonly good: readonly [string, string];
  /** What consumers get of entry `a` alone, and of entries `a` and `b`. */
  readonly one: unknown;
  readonly several: unknown;
  /** The right kind of value with the wrong content, and what is said of it. */
  readonly misshapen: readonly [value: string, cause: string];
  /** What is said of the number 42. */
  readonly wrongType: string;
  /** What follows from a skipped entry, if that is said. */
  readonly consequence?: string;
  /** An entry that clashes with something built in. */
  readonly clash?: { readonly name: string; readonly value: string; readonly said: string };
}

const agent = (name: string) =>
  `class extends CliAgent {
  name = ${JSON.stringify(name)}; version = "1"; providerUrl = "https://api.example";
}`;

const noFunction: readonly [string, string] = ["{}", "expected a function, found an object"];

/** The folder that samples of templates lie in, below that of the manifest. */
export const TEMPLATE_FOLDERS = {
  "one/first": true,
  "two/second": true,
  "broken/third": false,
  "ours/default": true,
} as const;

export const SAMPLES: Readonly<Record<GroupName<EntryPointGroup>, PluginSample>> = {
  age_delay_exemptions: {
    good: ['["@acme/x"]', '["acme", "@acme/x"]'],
    one: ["@acme/x", "@karotte/cli"],
    several: ["@acme/x", "@karotte/cli", "acme"],
    misshapen: ['["a b"]', '[0]: expected the name of a package, found "a b"'],
    wrongType: "expected a list, found 42",
  },
  cli: {
    good: ['{ description: "A.", main() {} }', '{ description: "B.", main() {} }'],
    one: ["a"],
    several: ["a", "b"],
    misshapen: ['{ description: "A." }', "expected { description, main(args, context) }"],
    wrongType: "expected { description, main(args, context) }, found 42",
    clash: {
      name: "run",
      value: '{ description: "A.", main() {} }',
      said: 'is ignored: "karotte run" is built in',
    },
  },
  cli_agents: {
    good: [agent("first"), agent("second")],
    one: ["first"],
    several: ["first", "second"],
    misshapen: [agent(""), "name: expected lower-case letters, digits, - and _"],
    wrongType: "expected a subclass of CliAgent, found 42",
    clash: { name: "a", value: agent("builtin"), said: 'is ignored: "builtin" is built in' },
  },
  container_run_args: {
    good: ['() => ["--a"]', '() => ["--b"]'],
    one: ["a"],
    several: ["a", "b"],
    misshapen: noFunction,
    wrongType: "expected a function, found 42",
    consequence: "the arguments that it gives are missing, and it can't refuse a launch",
  },
  default_hardware: {
    good: ['"small"', '"big"'],
    one: "small",
    several: "small",
    misshapen: ['""', 'expected a text that is not empty, found ""'],
    wrongType: "expected a text, found 42",
  },
  default_proxy_url: {
    good: ['"https://a.example"', '"https://b.example"'],
    one: "https://a.example",
    several: "https://a.example",
    misshapen: ['"ftp://a.example"', 'expected an http(s) URL, found "ftp://a.example"'],
    wrongType: "expected a text, found 42",
  },
  hardware_limits: {
    good: ["() => null", "() => ({ cpus: 2 })"],
    one: "a",
    several: "a",
    misshapen: noFunction,
    wrongType: "expected a function, found 42",
    consequence: "the limits that it knows are not set",
  },
  harness_secret_env: {
    good: ['["B_KEY", "A_KEY"]', '["A_KEY", "C_KEY"]'],
    one: ["A_KEY", "B_KEY"],
    several: ["A_KEY", "B_KEY", "C_KEY"],
    misshapen: ['["A_KEY", 1]', "[1]: expected a text, found 1"],
    wrongType: "expected a list, found 42",
    consequence: "the variables that it names are not withheld from the student",
  },
  platform_tooling_dirs: {
    good: ['["/usr", "/no/such/folder"]', '["/etc"]'],
    one: ["/no/such/folder", "/usr"],
    several: ["/etc", "/no/such/folder", "/usr"],
    misshapen: ['["bin"]', '[0]: expected an absolute path, found "bin"'],
    wrongType: "expected a list, found 42",
  },
  run_config_preprocessors: {
    good: ["(config) => config", "(config) => config"],
    one: ["a"],
    several: ["a", "b"],
    misshapen: noFunction,
    wrongType: "expected a function, found 42",
  },
  templates: {
    good: ['"./one"', 'new URL("./two/", import.meta.url)'],
    one: { first: "FOLDER/one/first" },
    several: { first: "FOLDER/one/first", second: "FOLDER/two/second" },
    misshapen: ['"./broken"', '"FOLDER/broken/third": a template without template.json'],
    wrongType: "expected a path or a file: URL, found 42",
    clash: { name: "a", value: '"./ours"', said: 'overrides the built-in template "default"' },
  },
  update_migrations: {
    good: ["{ prepare() {} }", "{ tool: () => null, migrate() {} }"],
    one: ["a"],
    several: ["a", "b"],
    misshapen: ["{ tool: 1 }", "expected an object with prepare(), tool() or migrate()"],
    wrongType: "expected an object with prepare(), tool() or migrate(), found 42",
  },
};
