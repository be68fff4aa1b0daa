import { tempDir } from "../../src/base/temp_dir.ts";
import { makeTree } from "../../src/runtimes/bubblewrap/tree.ts";
import { ENTRYPOINT_SCRIPT } from "../../src/runtimes/engine/entrypoint.ts";
import type { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import type { Runtime, SandboxFiles } from "../../src/runtimes/runtime.ts";
import { PROGRAM_DIRECTORY } from "../../src/protocol/layout.ts";
import { BASE_IMAGE } from "./engine_here.ts";

/** Names the images of these tests; one is left only by a run that was killed. */
const REPOSITORY = "localhost/karotte-conformance";

/** The program's argv, for a shell to evaluate; gone before the program starts. */
const VARIABLE = "KAROTTE_TEST_ARGV";
/** As the image build writes it, but for the program, which differs from test to test. */
const ENTRYPOINT = [
  ...["/bin/sh", "-c"],
  `eval "set -- $${VARIABLE}"; unset ${VARIABLE}; ${ENTRYPOINT_SCRIPT}`,
  "karotte",
];

/** A runtime that makes each spec's files into an image first. */
export interface ImagingRuntime extends Runtime {
  /** Removes the images that were made. */
  removeImages(): Promise<void>;
}

export function imaging(runtime: Runtime, caller: EngineCaller): ImagingRuntime {
  const made = new Set<string>();
  return {
    ...runtime,
    async launch(spec) {
      const { content } = spec;
      if (content.kind !== "files") throw new TypeError("these tests make images of files");
      const image = await build(content, caller);
      made.add(image);
      const argv = content.program.argv.map(quoted).join(" ");
      const program = ["--env", `${VARIABLE}=${argv}`];
      return await runtime.launch({
        ...spec,
        content: { kind: "image", id: image },
        arguments: [...program, ...(spec.arguments ?? [])],
      });
    },
    async removeImages() {
      if (made.size > 0) await caller.ask("remove images", ["rmi", "--force", ...made]);
      made.clear();
    },
  };
}

/** The same files make the same image, from the engine's cache. */
async function build(files: SandboxFiles, caller: EngineCaller): Promise<string> {
  await using dir = await tempDir("karotte-context-");
  const tree = `${dir.path}/tree`;
  const identity = {
    root: { uid: 0, gid: 0 },
    privileged: false,
    mapInto: () => Promise.resolve(),
    [Symbol.dispose]: () => {},
  };
  await makeTree(tree, files, identity);
  await Deno.chmod(tree, 0o755);
  await Deno.mkdir(tree + PROGRAM_DIRECTORY, { recursive: true });
  for (const { name, source } of files.program.files) {
    const target = `${tree}${PROGRAM_DIRECTORY}/${name}`;
    await Deno.copyFile(source, target);
    await Deno.chmod(target, 0o755);
  }
  const lines = [`FROM ${BASE_IMAGE}`, "COPY tree/ /", `ENTRYPOINT ${JSON.stringify(ENTRYPOINT)}`];
  await Deno.writeTextFile(`${dir.path}/Containerfile`, lines.join("\n"));
  const tag = `${REPOSITORY}:${crypto.randomUUID()}`;
  const file = ["--file", `${dir.path}/Containerfile`];
  await caller.ask("build", ["build", "--quiet", "--tag", tag, ...file, dir.path], {
    env: { ...caller.environment, DOCKER_BUILDKIT: "0" },
  });
  return tag;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
