import { testEnvironment } from "../cli/environment.ts";
import { karotte, type Said } from "../cli/karotte.ts";
import { BASE_IMAGE, type EngineHere } from "../conformance/engine_here.ts";
import { repositoryOf } from "../../src/host/image/repository.ts";
import { type TranscriptEvent, transcriptSchema } from "../../src/schemas/transcript.ts";

/** An environment whose images are made, and removed, on one engine. */
export interface EngineEnvironment extends AsyncDisposable {
  readonly path: string;
  /** `karotte ARGS... --runtime <the engine>`, from the environment's folder. */
  karotte(...args: readonly string[]): Promise<Said>;
  /** The same, with variables of the caller's own. */
  karotteWith(
    env: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): Promise<Said>;
  write(file: string, content: string): Promise<void>;
  /**
   * A Containerfile on the tests' base image, with these lines. Without one the tests share layers.
   */
  writeContainerfile(lines: string): Promise<void>;
  /** The events of a run. */
  events(runId: string): Promise<readonly TranscriptEvent[]>;
}

/** Marks what the steps of a test's Containerfile leave, also where the next one fails. */
const LABEL = "karotte.test";

/** Writes an environment; files are named as in `testEnvironment`. */
export async function engineEnvironment(
  { caller }: EngineHere,
  files: Readonly<Record<string, string>>,
): Promise<EngineEnvironment> {
  const environment = await testEnvironment(files);
  const { path } = environment;
  const karotteWith = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    karotte([...args, "--runtime", caller.engine.name], {
      cwd: path,
      env: { ...caller.variables, ...env },
    });
  return {
    path,
    write: environment.write,
    async writeContainerfile(lines) {
      const label = lines === "" ? "" : `LABEL ${LABEL}="${path}"\n${lines}\n`;
      await environment.write("/Containerfile", `FROM ${BASE_IMAGE}\n${label}`);
    },
    karotteWith,
    karotte: (...args) => karotteWith({}, ...args),
    async events(runId) {
      const text = await Deno.readTextFile(`${path}/out/${runId}.json`);
      return transcriptSchema.parse(JSON.parse(text)).events;
    },
    async [Symbol.asyncDispose]() {
      await removeImages({ caller }, path);
      const dangling = ["image", "prune", "--force", "--filter", `label=${LABEL}=${path}`];
      await caller.ask("remove what failed builds left", dangling);
      await environment[Symbol.asyncDispose]();
    },
  };
}

/** Removes the images that were made of an environment. */
export async function removeImages(
  { caller }: Pick<EngineHere, "caller">,
  path: string,
): Promise<void> {
  const format = ["--format", "{{.Repository}}:{{.Tag}}"];
  const list = await caller.ask("list the images", ["image", "ls", ...format]);
  const names = list.split("\n").filter((name) =>
    name.replace(/^localhost\//, "").startsWith(`${repositoryOf(path)}:`)
  );
  if (names.length > 0) await caller.ask("remove images", ["image", "rm", ...names]);
}
