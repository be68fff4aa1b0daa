import { setImmediate } from "node:timers";
import type * as Esbuild from "esbuild-wasm";
import { readEsbuildPackage } from "./esbuild_package.ts";

type Bundler = Pick<typeof Esbuild, "build" | "stop">;

interface CompiledEsbuild {
  readonly script: string;
  readonly wasmModule: WebAssembly.Module;
}

let compiled: Promise<CompiledEsbuild> | undefined;
let running: Promise<Bundler> | undefined;
let users = 0;

/**
 * Lends the bundler, which runs in this process and is stopped when nobody uses it any more: it
 * takes 100 MB and more. The first start takes 0.2 s, later ones 60 ms. Most of what the first one
 * costs is V8 optimising 14 MB of WebAssembly: with `--v8-flags=--liftoff-only` a process that
 * bundles once is faster.
 */
export async function withEsbuild<T>(use: (bundler: Bundler) => Promise<T>): Promise<T> {
  users++;
  try {
    running ??= start();
    return await use(await running);
  } finally {
    users--;
    if (users === 0) {
      const ended = running;
      running = undefined;
      await ended?.then((bundler) => bundler.stop(), () => {/* the caller has its error */});
    }
  }
}

/**
 * Begins to compile the bundler, beside what its caller does next; `withEsbuild` says what fails.
 */
export function compileEsbuild(): void {
  compiledEsbuild().catch(() => {/* the next `withEsbuild` tries again, and tells */});
}

function compiledEsbuild(): Promise<CompiledEsbuild> {
  return compiled ??= compile().catch((error) => {
    compiled = undefined;
    throw error;
  });
}

async function start(): Promise<Bundler> {
  const { script, wasmModule } = await compiledEsbuild();
  const esbuild = evaluate(script);
  await esbuild.initialize({ wasmModule, worker: false });
  return esbuild;
}

async function compile(): Promise<CompiledEsbuild> {
  const { script, wasm } = await readEsbuildPackage();
  return { script, wasmModule: await WebAssembly.compile(wasm) };
}

/**
 * The script sends each of its thousands of messages by `setTimeout` without a delay, which costs
 * 4 ms each when nested. Evaluated as a function it is handed a faster one, and the rest of the
 * process keeps its own.
 */
function evaluate(script: string): typeof Esbuild {
  const module = { exports: {} };
  const soon = (callback: () => void, delay?: number) =>
    delay === undefined ? setImmediate(callback) : setTimeout(callback, delay);
  new Function("module", "setTimeout", script)(module, soon);
  // The cast is what the package's documentation says of its script.
  return module.exports as typeof Esbuild;
}
