import { KarotteError } from "../../base/errors.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { attendBuilder } from "./attended_builder.ts";
import type { BuildOptions, BuildRequest } from "../image_store.ts";
import type { EngineCaller } from "./caller.ts";
import type { Engine } from "./record.ts";

/** The time in milliseconds that an interrupted builder has to end the step that it is at. */
const GRACE_MS = 15_000;
/** Bytes kept of the output, enough to find out what went wrong; all of it goes to `onOutput`. */
const KEPT_BYTES = 1024 * 1024;

/** Builds an image and returns its id; undefined: a step failed, and the output says which. */
export async function buildImage(
  caller: EngineCaller,
  request: BuildRequest,
  { signal, onOutput }: BuildOptions = {},
): Promise<string | undefined> {
  await using folder = await tempDir("karotte-build-");
  const idFile = `${folder.path}/id`;
  const { engine } = caller;
  const argv = ["/bin/sh", "-c", 'exec "$@" 2>&1', "build", ...buildArgv(engine, request, idFile)];
  const attended = attendBuilder(signal);
  const result = await caller.run(argv, {
    onSpawn: attended.started,
    env: request.own && engine.builder === "docker" ? { DOCKER_BUILDKIT: "0" } : {},
    maxOutputBytes: KEPT_BYTES,
    // At SIGTERM podman leaves at once, and the step that it is at goes on without it.
    stopSignal: "SIGHUP",
    graceMs: GRACE_MS,
    ...(signal ? { signal } : {}),
    ...(onOutput ? { onOutput: (_stream, chunk) => onOutput(chunk) } : {}),
  });
  attended.ended();
  signal?.throwIfAborted();
  if (result.code !== 0) return undefined;
  return (await Deno.readTextFile(idFile)).trim();
}

/**
 * Returns the argv of a build. Our own layer starts from an image by its id, which docker's classic
 * builder and podman know; BuildKit would take the id for a name in a registry.
 */
export function buildArgv(engine: Engine, request: BuildRequest, idFile: string): string[] {
  const each = (option: string, values: readonly string[] = []) =>
    values.flatMap((value) => [option, value]);
  return [
    ...engine.command,
    "build",
    // A failed step of the classic builder would leave its container.
    ...(engine.builder === "docker" ? ["--force-rm"] : []),
    ...(request.network ? [] : ["--network", "none"]),
    ...each("--secret", request.secrets),
    ...each("--cache-from", request.cacheFrom),
    ...each("--cache-to", request.cacheTo),
    ...each("--tag", request.tags),
    "--iidfile",
    idFile,
    "--file",
    request.file,
    request.context,
  ];
}

/** Throws a usage error that names what this engine's builder can't do here. */
export async function checkBuilder(
  caller: EngineCaller,
  request: Pick<BuildRequest, "secrets" | "cacheTo">,
): Promise<void> {
  const { engine } = caller;
  const wanted = [
    ...(request.secrets?.length ? ["--build-secret"] : []),
    ...(request.cacheTo?.length ? ["--cache-to"] : []),
  ];
  // The variable chooses BuildKit also where its plugin is not installed.
  const isClassic = engine.builder === "docker" && Deno.env.get("DOCKER_BUILDKIT") !== "1";
  if (wanted.length === 0 || !isClassic) return;
  const { code } = await caller.call(["buildx", "version"]);
  if (code === 0) return;
  throw new KarotteError(
    "usage",
    `Cannot use ${wanted.join(" and ")} with "${engine.name}": its builder has no BuildKit`,
    { hint: "Install docker's buildx plugin, or build with --runtime podman." },
  );
}
