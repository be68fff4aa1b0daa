/**
 * The registry server that tests install packages from: a tool of the tests, not of the product.
 */
import { dirname, join } from "node:path";
import { takeLock } from "../../src/cache/cache_store.ts";
import { run } from "../../src/base/process.ts";

const VERSION = "6.10.4";
const INSTALL_TIMEOUT_MS = 300_000;

/**
 * The folder that it is installed in, below `${KAROTTE_TOOLS:-~/.cache/karotte/tools}`; installs it
 * if need be. Undefined: there is no npm or no network to do that with.
 */
export async function verdaccioFolder(): Promise<string | undefined> {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  const tools = Deno.env.get("KAROTTE_TOOLS") ?? join(cache, "karotte", "tools");
  const folder = join(tools, `verdaccio@${VERSION}`);
  await Deno.mkdir(dirname(folder), { recursive: true });
  using _lock = await takeLock(`${folder}.lock`);
  if (await isInstalled(folder)) return folder;
  const staging = `${folder}.installing`;
  await Deno.mkdir(staging, { recursive: true });
  // It asks for a tag of node-fetch that not every mirror has.
  const project = {
    private: true,
    dependencies: { verdaccio: VERSION },
    overrides: { "node-fetch": "2.7.0" },
  };
  await Deno.writeTextFile(join(staging, "package.json"), JSON.stringify(project));
  const argv = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"];
  const timeoutMs = INSTALL_TIMEOUT_MS;
  const installed = await run(argv, { cwd: staging, timeoutMs }).catch(() => undefined);
  if (installed?.code !== 0) return undefined;
  await Deno.rename(staging, folder);
  return folder;
}

async function isInstalled(folder: string): Promise<boolean> {
  try {
    return (await Deno.stat(join(folder, "node_modules", "verdaccio"))).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
