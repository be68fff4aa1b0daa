import { assertEquals, assertStringIncludes } from "@std/assert";
import { concat } from "../base/bounded_bytes.ts";
import { run } from "../base/process.ts";
import { tempDir } from "../base/temp_dir.ts";
import { closeOnExecFrom } from "../base/libc.ts";
import { ARTIFACT_LIMITS } from "../protocol/artifact_limits.ts";
import { Artifacts } from "./artifacts.ts";
import { EventLog } from "./event_log.ts";
import type { HostLink } from "../protocol/host_link.ts";
import { NOWHERE } from "../../tests/support/nowhere.ts";

// The C library stays open: it must not look like a leak of the first test that uses it.
closeOnExecFrom(1_000_000);

/** Saves paths below a folder; returns what reached the host and the warnings. */
async function save(paths: string[], limits = ARTIFACT_LIMITS) {
  const files: Record<string, number> = {};
  const warnings: string[] = [];
  const link: Partial<HostLink> = {
    activity: () => Promise.resolve(),
    async saveArtifactFile(file, content) {
      const bytes = concat(await Array.fromAsync(content));
      files[file.path.join("/") + (file.executable ? "*" : "")] = bytes.length;
    },
  };
  const events = new EventLog("r1", (event) => {
    if (event.type === "warning") warnings.push(event.metadata.warning);
    return Promise.resolve();
  });
  const artifacts = new Artifacts(link as HostLink, events, limits); // no more of it is used
  for (const path of paths) await artifacts.save(path);
  return { files, warnings };
}

Deno.test("a folder is kept with all its regular files", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/a/b`, { recursive: true });
  await Deno.writeTextFile(`${dir.path}/a/b/é #1`, "x".repeat(600_000));
  await Deno.writeTextFile(`${dir.path}/a/run`, "", { mode: 0o755 });
  const { files, warnings } = await save([`${dir.path}/a/`]);
  assertEquals(files, { "a/b/é #1": 600_000, "a/run*": 0 });
  assertEquals(warnings, []);
});

Deno.test("links and special files are listed and not read", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/a`);
  await Deno.symlink("/etc/shadow", `${dir.path}/a/link`);
  await run(["mkfifo", `${dir.path}/a/pipe`]);
  await Deno.writeTextFile(`${dir.path}/a/file`, "1");
  const { files, warnings } = await save([`${dir.path}/a`, `${dir.path}/a/link`]);
  assertEquals(files, { "a/file": 1 });
  assertStringIncludes(warnings[0]!, "a/link (link), a/pipe (special file)");
  assertStringIncludes(warnings[1]!, "not kept: link (link)");
});

Deno.test("a missing path, a relative one and one without a name are warnings", async () => {
  const { files, warnings } = await save([NOWHERE, "relative", "/", "/tmp/.."]);
  assertEquals([files, warnings.length], [{}, 4]);
});

Deno.test("ceilings end an artifact with a warning, not the run", async () => {
  await using dir = await tempDir();
  for (const name of ["1", "2", "3"]) {
    await Deno.writeTextFile(`${dir.path}/${name}`, "x".repeat(9));
  }
  const entries = await save([dir.path], { ...ARTIFACT_LIMITS, artifactEntries: 3 });
  assertEquals(Object.keys(entries.files).length, 2);
  assertStringIncludes(entries.warnings[0]!, "more than 3 entries");
  const bytes = await save([dir.path], { ...ARTIFACT_LIMITS, artifactBytes: 10 });
  assertStringIncludes(bytes.warnings[0]!, "more than 10 bytes");
  const all = await save([`${dir.path}/1`, `${dir.path}/2`], { ...ARTIFACT_LIMITS, runBytes: 10 });
  assertStringIncludes(all.warnings[0]!, "above 10 bytes");
});
