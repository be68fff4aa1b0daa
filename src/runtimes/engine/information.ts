import { KarotteError } from "../../base/errors.ts";
import { isOnPath } from "../host_files.ts";
import { CONNECT_TIMEOUT_MS, type EngineCaller } from "./caller.ts";
import type { Engine, Product } from "./record.ts";

/** An engine's own words about itself and the machine that it runs on. */
export interface EngineInformation {
  readonly product: Product;
  readonly version: string;
  /** `linux/amd64`. */
  readonly platform: string;
  readonly rootless: boolean;
  /** Null if it does not say. */
  readonly cgroupVersion: 1 | 2 | null;
  readonly processors: number;
  /** The memory of its machine in bytes; 0 if it does not say. */
  readonly memoryBytes: number;
  /** Low-level runtimes that can be named. Null if it does not say. */
  readonly lowLevelRuntimes: readonly string[] | null;
  /**
   * Whether it runs on another machine, as far as can be told: paths of this one say nothing there.
   */
  readonly remote: boolean;
  /** The path of podman's own seccomp profile, on its machine; null: docker, or it has none. */
  readonly seccompProfile: string | null;
}

/** The first version of docker with --pull for `run` and private control groups. */
const OLDEST_DOCKER = 20;

/**
 * Asks an engine; undefined if the client is not installed. Throws a `KarotteError` with what to do
 * if there is no daemon, or not one that can hold sandboxes. Bounded to seconds.
 */
export async function readInformation(
  caller: EngineCaller,
): Promise<EngineInformation | undefined> {
  const { engine } = caller;
  if (!await isOnPath(engine.command[0])) return undefined;
  const options = { timeoutMs: CONNECT_TIMEOUT_MS };
  const [result, remote] = await Promise.all([
    caller.call(["info", "--format", "{{json .}}"], options),
    isRemote(caller),
  ]);
  if (result.code !== 0) throw caller.failure("start sandboxes", result);
  const stated = parseInformation(new TextDecoder().decode(result.stdout), engine);
  const information = { ...stated, remote: stated.remote || remote };
  checkFit(engine, information);
  return information;
}

/** Asks docker's client which daemon it talks to; podman's says it with the rest. */
async function isRemote(caller: EngineCaller): Promise<boolean> {
  if (caller.engine.command[0] !== "docker") return false;
  const format = ["--format", "{{json .Endpoints.docker.Host}}"];
  const { code, stdout } = await caller.call(["context", "inspect", ...format], {
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  // Podman in docker's clothes has no contexts.
  return code === 0 && isRemoteAddress(new TextDecoder().decode(stdout));
}

/** Tells whether `"tcp://1.2.3.4:2375"`, as a context names its daemon, is on another machine. */
export function isRemoteAddress(text: string): boolean {
  return !/^"?(unix|npipe|fd):/.test(text.trim());
}

/** Reads the JSON of `info`, in docker's shape (nerdctl has it too) or in podman's. */
export function parseInformation(text: string, engine: Engine): EngineInformation {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (cause) {
    throw broken(engine, "what it says about itself is no JSON", "Is it really an engine?", cause);
  }
  const host = field(said, "host");
  return host === undefined ? fromDocker(said, engine) : fromPodman(said, host);
}

function fromDocker(said: unknown, engine: Engine): EngineInformation {
  const version = field(said, "ServerVersion");
  if (typeof version !== "string" || version === "") {
    const errors = list(field(said, "ServerErrors")).join("; ");
    throw broken(engine, `its daemon does not answer${errors && `: ${errors}`}`, engine.setUp);
  }
  const runtimes = field(said, "Runtimes");
  return {
    product: engine.product,
    version,
    platform: platformOf(field(said, "OSType"), field(said, "Architecture")),
    rootless: list(field(said, "SecurityOptions")).some((each) => /name=rootless/.test(each)),
    cgroupVersion: cgroupVersionOf(field(said, "CgroupVersion")),
    processors: Number(field(said, "NCPU") ?? 0),
    memoryBytes: Number(field(said, "MemTotal") ?? 0),
    lowLevelRuntimes: typeof runtimes === "object" && runtimes !== null
      ? Object.keys(runtimes)
      : null,
    remote: false,
    seccompProfile: null,
  };
}

function fromPodman(said: unknown, host: unknown): EngineInformation {
  const security = field(host, "security");
  const profile = field(security, "seccompProfilePath");
  return {
    product: "podman",
    version: String(field(field(said, "version"), "Version") ?? "unknown"),
    platform: platformOf(field(host, "os"), field(host, "arch")),
    rootless: field(security, "rootless") === true,
    cgroupVersion: cgroupVersionOf(field(host, "cgroupVersion")),
    processors: Number(field(host, "cpus") ?? 0),
    memoryBytes: Number(field(host, "memTotal") ?? 0),
    lowLevelRuntimes: null,
    remote: field(host, "serviceIsRemote") === true,
    seccompProfile: field(security, "seccompEnabled") === true && typeof profile === "string"
      ? profile
      : null,
  };
}

function checkFit(engine: Engine, information: EngineInformation): void {
  const { product, version, platform, lowLevelRuntimes } = information;
  if (!platform.startsWith("linux/")) {
    throw broken(engine, `its containers are ${platform}`, "Switch it to Linux containers.");
  }
  // Podman's version says nothing about docker's, and nerdctl's is containerd's.
  if (product === "docker" && Number(/^\d+/.exec(version)?.[0] ?? OLDEST_DOCKER) < OLDEST_DOCKER) {
    throw broken(engine, `version ${version} is too old`, `Install ${OLDEST_DOCKER}.10 or newer.`);
  }
  const wanted = engine.lowLevelRuntime;
  if (wanted === undefined || lowLevelRuntimes === null || lowLevelRuntimes.includes(wanted)) {
    return;
  }
  throw broken(engine, `its daemon has no runtime "${wanted}"`, engine.setUp);
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: "amd64", aarch64: "arm64" };

function platformOf(os: unknown, architecture: unknown): string {
  const name = String(architecture ?? "unknown");
  return `${os ?? "linux"}/${ARCHITECTURES[name] ?? name}`;
}

function cgroupVersionOf(said: unknown): 1 | 2 | null {
  const digit = /^v?([12])$/.exec(String(said))?.[1];
  return digit === undefined ? null : digit === "1" ? 1 : 2;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  // An engine's answer: any property may be there, of any type.
  return (value as Record<string, unknown>)[name];
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function broken(engine: Engine, state: string, hint: string, cause?: unknown): KarotteError {
  return new KarotteError("runtime", `Cannot use ${engine.name}: ${state}`, { hint, cause });
}
