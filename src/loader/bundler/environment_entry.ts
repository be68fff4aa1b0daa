import { basename } from "node:path";

/** Which files of `src/environment` are loaded for what; paths are relative to it. */
export interface EnvironmentModules {
  readonly tasks: readonly string[];
  readonly tools: readonly string[];
  readonly scoring: readonly string[];
  readonly fakeModel: string | undefined;
}

/** Sorts the files of an environment by what they are for. */
export function environmentModules(paths: readonly string[]): EnvironmentModules {
  const modules = paths.filter(isModule);
  return {
    tasks: modules.filter((path) => /^tasks\/([^/]+|[^/._][^/]*\/mod)\.ts$/.test(path)),
    tools: modules.filter((path) => /^tools\/[^/]+\.ts$/.test(path)),
    scoring: paths.filter((path) => path.startsWith("scoring/") && isScript(path)),
    fakeModel: paths.find((path) => path === "fake_model.ts"),
  };
}

/**
 * The source of the module that an environment's bundle is made from: `tasks` by path, `tools` by
 * name, and `fakeModel`, each a module namespace.
 */
export function environmentEntrySource({ tasks, tools, fakeModel }: EnvironmentModules): string {
  const imports: string[] = [];
  const nameOf = (path: string) => {
    const name = `m${imports.length}`;
    imports.push(`import * as ${name} from ${JSON.stringify(`/environment/${path}`)};`);
    return name;
  };
  const record = (paths: readonly string[], keyOf: (path: string) => string) =>
    `{${paths.map((path) => `${JSON.stringify(keyOf(path))}: ${nameOf(path)}`).join(", ")}}`;
  const exports = [
    `export const tasks = ${record(tasks, (path) => path)};`,
    `export const tools = ${record(tools, (path) => basename(path, ".ts"))};`,
    `export const fakeModel = ${fakeModel === undefined ? "undefined" : nameOf(fakeModel)};`,
  ];
  return [...imports, ...exports].join("\n");
}

function isModule(path: string): boolean {
  return isScript(path) && !/^[._]/.test(basename(path));
}

function isScript(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith("_test.ts") && !path.endsWith(".d.ts");
}
