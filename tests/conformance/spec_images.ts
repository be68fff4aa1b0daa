import { createHash } from "node:crypto";
import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { makeTree } from "../../src/runtimes/bubblewrap/tree.ts";
import { ENTRYPOINT_SCRIPT } from "../../src/runtimes/engine/entrypoint.ts";
import type { EngineCaller } from "../../src/runtimes/engine/caller.ts";
import type { Runtime, SandboxFiles } from "../../src/runtimes/runtime.ts";
import { PROGRAM_DIRECTORY } from "../../src/protocol/layout.ts";
import { BASE_IMAGE } from "./engine_here.ts";
import { shellWord } from "../../src/base/shell_word.ts";

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
  const made: Made = new Map();
  return {
    ...runtime,
    async launch(spec) {
      const { content } = spec;
      if (content.kind !== "files") throw new TypeError("these tests make images of files");
      const image = await build(content, caller, made);
      const argv = content.program.argv.map(shellWord).join(" ");
      const program = ["--env", `${VARIABLE}=${argv}`];
      return await runtime.launch({
        ...spec,
        content: { kind: "image", id: image },
        arguments: [...program, ...(spec.arguments ?? [])],
      });
    },
    async removeImages() {
      const tags = await Promise.all(made.values());
      if (tags.length > 0) await caller.ask("remove images", ["rmi", "--force", ...tags]);
      made.clear();
    },
  };
}

/** Tags of images by what is in them. */
type Made = Map<string, Promise<string>>;

/** The same files make the same image, which tests share. */
async function build(files: SandboxFiles, caller: EngineCaller, made: Made): Promise<string> {
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
  const content = await digestOf(dir.path);
  const image = made.get(content) ?? buildContext(dir.path, caller);
  made.set(content, image);
  image.catch(() => made.delete(content));
  return await image;
}

/** Of the names, modes, owners and contents of all that is in a folder. */
async function digestOf(folder: string): Promise<string> {
  const argv = ["tar", "--create", "--sort=name", "--mtime=@0", "--directory", folder, "."];
  const { code, stdout, stderr } = await run(argv, { maxOutputBytes: 1_000_000_000 });
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return createHash("sha256").update(stdout).digest("hex");
}

async function buildContext(context: string, caller: EngineCaller): Promise<string> {
  const tag = `${REPOSITORY}:${crypto.randomUUID()}`;
  const file = ["--file", `${context}/Containerfile`];
  await caller.ask("build", ["build", "--quiet", "--tag", tag, ...file, context], {
    env: { ...caller.variables, DOCKER_BUILDKIT: "0" },
  });
  return tag;
}
