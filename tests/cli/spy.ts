/** What code of an environment tries to get at. */
export interface Targets {
  /** Files outside of the environment; the first one is a module. */
  readonly files: readonly string[];
  /** A server on this machine. */
  readonly port: number;
  /** A folder to write to. */
  readonly folder: string;
}

/**
 * Returns the source of a task file that tries each way out of the environment that Deno has, when
 * it is loaded, and then fails with the list of those that were open.
 */
export function spyTask(targets: Targets): string {
  return `${PRELUDE}
const targets = ${JSON.stringify(targets)};
await spy(targets);
throw new Error("open: " + JSON.stringify(open) + " tried: " + tried);
export {};
`;
}

const PRELUDE = `
// The bundler sees only imports that are written out.
const load = (0, eval)("(specifier, options) => import(specifier, options)");
const compiled = new Function("specifier", "options", "return import(specifier, options)");
const open: string[] = [];
let tried = 0;

async function attempt(name: string, way: () => unknown): Promise<void> {
  tried++;
  let timer;
  const late = new Promise((_, reject) => timer = setTimeout(() => reject(new Error("late")), 5000));
  try {
    const got = await Promise.race([(async () => await way())(), late]);
    open.push(name + " = " + String(got).slice(0, 60));
  } catch {
    // Refused.
  }
  clearTimeout(timer);
}

function inWorker(source: string): Promise<unknown> {
  const worker = new Worker("data:text/javascript," + encodeURIComponent(source), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => data.got === undefined ? reject(data) : resolve(data.got);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(event);
    };
  }).finally(async () => {
    worker.terminate();
    // Its memory counts until its thread is gone.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

const TYPES = ["text", "bytes", "json", undefined];

async function spy({ files, port, folder }: any): Promise<void> {
  const own = ["/proc/" + Deno.ppid + "/environ", "/proc/self/environ", "/etc/passwd"];
  for (const file of [...own, "/proc/" + Deno.ppid + "/cmdline", ...files]) {
    await reading(file);
    for (const type of TYPES) await importing(file, type);
  }
  // Each Worker takes its share of the memory limit, and gives it back late.
  for (const file of [own[0], files[0]]) await inWorkers(file);
  await storing();
  await connecting(port, folder);
  await asking(folder);
}

async function reading(file: string): Promise<void> {
  await attempt("read " + file, () => Deno.readTextFileSync(file));
  await attempt("open " + file, () => Deno.openSync(file));
  await attempt("stat " + file, () => Deno.statSync(file).size);
  await attempt("node:fs " + file, async () => (await load("node:fs")).readFileSync(file, "utf8"));
  await attempt("node:fs/promises " + file, async () =>
    await (await load("node:fs/promises")).readFile(file, "utf8"));
  await attempt("process.getBuiltinModule " + file, async () =>
    (await load("node:process")).default.getBuiltinModule("fs").readFileSync(file, "utf8"));
  await attempt("fetch " + file, async () => await (await fetch("file://" + file)).text());
  await attempt("require " + file, async () => (await load("node:module")).createRequire(file)(file));
  await attempt("vm " + file, async () =>
    (await load("node:vm")).runInThisContext("Deno.readTextFileSync(" + JSON.stringify(file) + ")"));
}

async function inWorkers(file: string): Promise<void> {
  await attempt("Worker reads " + file, () =>
    inWorker("postMessage({ got: Deno.readTextFileSync(" + JSON.stringify(file) + ") })"));
  await attempt("node:worker_threads " + file, async () => {
    const { Worker } = await load("node:worker_threads");
    const source = "require('node:worker_threads').parentPort.postMessage(" +
      "require('node:fs').readFileSync(" + JSON.stringify(file) + ", 'utf8'))";
    const worker = new Worker(source, { eval: true });
    return await new Promise((resolve, reject) => {
      worker.on("message", resolve);
      worker.on("error", reject);
      worker.on("exit", reject);
    }).finally(() => worker.terminate());
  });
  await attempt("Worker of " + file, async () => {
    const worker = new Worker("file://" + file, { type: "module" });
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(event);
      };
    }).finally(() => worker.terminate());
  });
  const type = file.endsWith(".json") ? "json" : file.endsWith(".js") ? undefined : "text";
  await importingInWorkers(file, type);
}

async function importingInWorkers(file: string, type: string | undefined): Promise<void> {
  const named = JSON.stringify("file://" + file);
  const clause = type === undefined ? "" : " with " + JSON.stringify({ type });
  const options = type === undefined ? "undefined" : JSON.stringify({ with: { type } });
  const sent = "postMessage({ got: JSON.stringify(got) });";
  await attempt("Worker static " + type + file, () =>
    inWorker("import * as got from " + named + clause + ";" + sent));
  await attempt("Worker dynamic " + type + file, () =>
    inWorker("const got = await import(" + named + "," + options + ");" + sent));
}

async function importing(file: string, type: string | undefined): Promise<void> {
  const options = type === undefined ? undefined : { with: { type } };
  const clause = type === undefined ? "" : " with " + JSON.stringify({ type });
  const named = JSON.stringify("file://" + file);
  const name = type + " " + file;
  const shown = async (loaded: any) => JSON.stringify(Object.entries(await loaded));
  await attempt("import " + name, () => shown(load(file, options)));
  await attempt("import URL " + name, () => shown(load("file://" + file, options)));
  await attempt("new Function " + name, () => shown(compiled("file://" + file, options)));
  const fixed = "import * as got from " + named + clause + ";";
  const data = (source: string) => "data:text/javascript," + encodeURIComponent(source);
  await attempt("static " + name, () => shown(load(data(fixed + "export default got;"))));
  await attempt("static blob " + name, () =>
    shown(load(URL.createObjectURL(new Blob([fixed + "export default got;"], { type: "text/javascript" })))));
}

async function storing(): Promise<void> {
  const save = "localStorage.setItem('a', 'b'); localStorage.getItem('a')";
  await attempt("localStorage", () => (0, eval)(save));
  const cache = "(async () => { const cache = await caches.open('a'); " +
    "await cache.put('http://a/', new Response('b')); return (await cache.match('http://a/')).text(); })()";
  await attempt("caches", () => (0, eval)(cache));
  await attempt("caches of a Worker", () =>
    inWorker("const got = await " + cache + ".catch(() => undefined); postMessage({ got });"));
  await attempt("Deno.openKv", async () => await (Deno as any).openKv());
}

async function connecting(port: number, folder: string): Promise<void> {
  const url = "http://127.0.0.1:" + port + "/";
  await attempt("fetch", async () => await (await fetch(url)).text());
  await attempt("import http", () => load(url + "module.js"));
  await attempt("import npm", () => load("npm:zod"));
  await attempt("import jsr", () => load("jsr:@std/path"));
  await attempt("Worker http", () => inWorker("import " + JSON.stringify(url + "w.js") + ";postMessage({got: 1})"));
  await attempt("WebSocket", () => new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace("http", "ws"));
    socket.onopen = resolve;
    socket.onerror = reject;
  }));
  await attempt("Deno.connect", async () => await Deno.connect({ hostname: "127.0.0.1", port }));
  await attempt("Deno.connect unix", async () =>
    await Deno.connect({ transport: "unix", path: folder + "/socket" } as any));
  await attempt("Deno.listen", () => Deno.listen({ port: 0 }));
  await attempt("Deno.resolveDns", async () => await Deno.resolveDns("localhost", "A"));
  await attempt("node:net", async () => {
    const { connect } = await load("node:net");
    const socket = connect(port, "127.0.0.1");
    return await new Promise((resolve, reject) => socket.on("connect", resolve).on("error", reject));
  });
  await attempt("node:http", async () => {
    const { get } = await load("node:http");
    return await new Promise((resolve, reject) => get(url, resolve).on("error", reject));
  });
}

async function asking(folder: string): Promise<void> {
  await attempt("Deno.env", () => JSON.stringify(Deno.env.toObject()));
  await attempt("process.env", async () => {
    const { env } = (await load("node:process")).default;
    return env.ANTHROPIC_API_KEY ?? env.PATH ?? env.HOME ?? (() => { throw new Error("nothing"); })();
  });
  await attempt("Deno.Command", () => new Deno.Command("/bin/true").outputSync());
  await attempt("node:child_process", async () =>
    (await load("node:child_process")).execFileSync("/bin/true"));
  await attempt("Deno.kill", () => Deno.kill(Deno.ppid, "SIGCONT"));
  await attempt("process.kill", async () => (await load("node:process")).default.kill(Deno.ppid, 0));
  await attempt("Deno.dlopen", () => Deno.dlopen("libc.so.6", {} as any));
  await attempt("Deno.hostname", () => Deno.hostname());
  await attempt("node:os", async () => (await load("node:os")).userInfo().username);
  await attempt("Deno.readDir", () => [...Deno.readDirSync("/")].length);
  await attempt("Deno.realPath", () => Deno.realPathSync("/proc/self/exe"));
  await attempt("Deno.writeTextFile", () => Deno.writeTextFileSync(folder + "/written", "x"));
  await attempt("write beside", () => Deno.writeTextFileSync(import.meta.dirname + "/written", "x"));
  await attempt("Deno.makeTempDir", () => Deno.makeTempDirSync());
  await attempt("Deno.symlink", () => Deno.symlinkSync("/etc/passwd", folder + "/link"));
  await attempt("node:sqlite", async () =>
    new (await load("node:sqlite")).DatabaseSync(folder + "/written.db").exec("create table a(b)"));
  await attempt("node:sqlite attach", async () =>
    new (await load("node:sqlite")).DatabaseSync(":memory:").exec("attach '" + folder + "/x.db' as x"));
  await attempt("node:inspector", async () => (await load("node:inspector")).open(0));
  for (const name of ["read", "write", "net", "env", "run", "ffi", "sys", "import"] as const) {
    await attempt("request " + name, async () => {
      const { state } = await Deno.permissions.request({ name } as any);
      if (state !== "granted") throw new Error(state);
    });
  }
}
`;
