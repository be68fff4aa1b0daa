import { fromFileUrl } from "@std/path";
import { type Child, run, spawn } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";

/** What the proxy serves under a name. */
export interface LitellmModel {
  /** As our ids end: what is sent as the model's name. */
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface LitellmServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
}

const STARTED = /Uvicorn running on (http:\/\/127\.0\.0\.1:\d+)/;
const START_TIMEOUT_MS = 120_000;

/** litellm's proxy on a port of its own, which speaks to nobody but its models' `api_base`. */
export async function litellmServer(models: readonly LitellmModel[]): Promise<LitellmServer> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(await tempDir());
  const config = `${directory.path}/config.yaml`;
  // JSON is YAML.
  await Deno.writeTextFile(config, JSON.stringify(configOf(models)));
  const program = await installed();
  const child = spawn(
    [program, "--config", config, "--host", "127.0.0.1", "--port", "0", "--telemetry", "False"],
    { cwd: directory.path, clearEnv: true, env: environment(directory.path) },
  );
  resources.defer(async () => {
    child.kill("SIGKILL");
    await child.status;
  });
  const url = await started(child);
  const owned = resources.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function configOf(models: readonly LitellmModel[]): unknown {
  return {
    model_list: models.map(({ name, parameters }) => ({
      model_name: name,
      litellm_params: { api_key: "none", ...parameters },
    })),
    litellm_settings: { telemetry: false, num_retries: 0 },
    router_settings: { num_retries: 0, disable_cooldowns: true },
  };
}

function environment(home: string): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: home,
    // Else it fetches a table of prices.
    LITELLM_LOCAL_MODEL_COST_MAP: "True",
    LITELLM_MODE: "PRODUCTION",
  };
}

async function installed(): Promise<string> {
  const script = fromFileUrl(new URL("../../scripts/litellm.sh", import.meta.url));
  const { code, stdout, stderr } = await run(["sh", script]);
  const decoder = new TextDecoder();
  if (code !== 0) throw new Error(`litellm can't be had: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout).trim();
}

/** Reads what it says until it is up, and goes on reading: a full pipe would stop it. */
async function started(child: Child): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error("litellm does not start")), START_TIMEOUT_MS);
  let said = "";
  const drain = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      said = (said + text).slice(-20_000);
      const url = STARTED.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    }
  };
  Promise.all([drain(child.stdout), drain(child.stderr)])
    .then(() => reject(new Error(`litellm ended: ${said}`)), reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
