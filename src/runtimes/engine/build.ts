import { KarotteError } from "../../base/errors.ts";
import { type Run, run } from "../../base/process.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { attendBuilder } from "./attended_builder.ts";
import type { EngineClient } from "./client.ts";

export interface BuildRequest {
  /** Absolute path of the folder that is sent to the engine. */
  readonly context: string;
  /** Absolute path of the Containerfile. */
  readonly file: string;
  readonly tags: readonly string[];
  /** False: no step of the build reaches a network. */
  readonly network: boolean;
  /** True: Karotte's own layer, which starts from an image by its id. */
  readonly own: boolean;
  /** `id=NAME,src=PATH` of files that steps may mount. */
  readonly secrets?: readonly string[];
  readonly cacheFrom?: readonly string[];
  readonly cacheTo?: readonly string[];
}

export interface BuildOptions {
  readonly signal?: AbortSignal;
  /** Called with all that the build says, both streams as one: their order tells what led to what. */
  readonly onOutput?: (chunk: Uint8Array<ArrayBuffer>) => void;
  readonly runProgram?: Run;
}

/** How long an interrupted builder has to end the step that it is at. */
const GRACE_MS = 15_000;
/** Enough to find out what went wrong; all of it goes to `onOutput`. */
const KEPT_BYTES = 1024 * 1024;

/** The id of the built image; undefined: a step failed, and the output says which. */
export async function buildImage(
  engine: EngineClient,
  request: BuildRequest,
  { signal, onOutput, runProgram = run }: BuildOptions = {},
): Promise<string | undefined> {
  await using folder = await tempDir("karotte-build-");
  const idFile = `${folder.path}/id`;
  const argv = ["/bin/sh", "-c", 'exec "$@" 2>&1', "build", ...buildArgv(engine, request, idFile)];
  const attended = attendBuilder(signal);
  const result = await runProgram(argv, {
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
 * The argv of a build. Our own layer starts from an image by its id, which docker's classic builder
 * and podman know; BuildKit would take the id for a name in a registry.
 */
export function buildArgv(engine: EngineClient, request: BuildRequest, idFile: string): string[] {
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
  engine: EngineClient,
  request: Pick<BuildRequest, "secrets" | "cacheTo">,
  runProgram: Run = run,
): Promise<void> {
  const wanted = [
    ...(request.secrets?.length ? ["--build-secret"] : []),
    ...(request.cacheTo?.length ? ["--cache-to"] : []),
  ];
  // The variable chooses BuildKit also where its plugin is not installed.
  const isClassic = engine.builder === "docker" && Deno.env.get("DOCKER_BUILDKIT") !== "1";
  if (wanted.length === 0 || !isClassic) return;
  const { code } = await runProgram([...engine.command, "buildx", "version"]);
  if (code === 0) return;
  throw new KarotteError(
    "usage",
    `Cannot use ${wanted.join(" and ")} with "${engine.name}": its builder has no BuildKit`,
    { hint: "Install docker's buildx plugin, or build with --runtime podman." },
  );
}
