import { fromFileUrl } from "@std/path";
import { tempDir } from "../../src/base/temp_dir.ts";
import type { Measured } from "./measured.ts";
import { median, significant, timesOf } from "./samples.ts";
import { successful } from "./successful.ts";

/** One of the examples: it brings a template, so that `karotte templates list` has to load it. */
const PLUGIN = fromFileUrl(new URL("../../plugins/template_package/mod.js", import.meta.url));

/**
 * What the first use of a plugin adds to a command, from the manifest to the value, when the plugin
 * was bundled before: the same command reads the same entry point with it and without.
 */
export async function measureCachedPlugin(signal: AbortSignal): Promise<Measured> {
  await using plain = await tempDir();
  await using extended = await tempDir();
  const manifest = JSON.stringify({ strict: true, plugins: [PLUGIN] });
  // Named, so that nobody has to say yes to it.
  const named = `${extended.path}/plugins.json`;
  await Deno.writeTextFile(named, manifest);
  const bodies = [named, ""].map((KAROTTE_PLUGINS) => () =>
    successful(["templates", "list"], { cwd: plain.path, env: { KAROTTE_PLUGINS } })
  );
  const [loading = [], without = []] = await timesOf(bodies, { rounds: 25, signal });
  const added = loading.map((time, round) => time - without[round]!);
  const [one, none] = [loading, without].map((times) => significant(median(times)));
  return {
    what: "first use of a cached plugin, added to karotte templates list",
    value: median(added),
    unit: "ms",
    target: 60,
    detail: `${one} ms against ${none} ms`,
  };
}
