import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { run } from "./process.ts";
import { tempDir } from "./temp_dir.ts";

/** Runs a module's text in a process of its own, with `libc` and `restrictOpening`. */
async function outputOf(source: string): Promise<string> {
  await using folder = await tempDir();
  const script = `${folder.path}/main.ts`;
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const imports = `import { libc } from ${url("libc.ts")};
    import { hideProcess } from ${url("protect_process.ts")};
    import { restrictOpening } from ${url("landlock.ts")};`;
  await Deno.writeTextFile(script, `${imports}\n${source}`);
  const config = fromFileUrl(new URL("../../deno.json", import.meta.url));
  const { stdout, stderr } = await run(
    [Deno.execPath(), "run", "--allow-all", "--no-lock", "--quiet", "--config", config, script],
    { env: { NO_COLOR: "1" } },
  );
  assertEquals(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout);
}

Deno.test("hideProcess() makes a process not dumpable", async () => {
  const dumpable = "console.log(libc().prctl(3, 0n, 0n, 0n, 0n));";
  assertEquals(await outputOf(`${dumpable} hideProcess(); ${dumpable}`), "1\n0\n");
});

Deno.test("restrictOpening() leaves the given paths and holds what is started from then on", async () => {
  const said = await outputOf(`
    const open = (path: string) => {
      try {
        libc().close(libc().open(path, 0, 0));
        return "opened";
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    restrictOpening({ folders: ["/usr", "/no such folder"], files: ["/etc/passwd"], programs: [] });
    console.log(open("/usr/bin"), open("/usr/bin/env"), open("/etc/passwd"), open("/etc/hosts"));
    console.log(open("/proc/self/environ"), open("/proc/1/cmdline"), open("/proc/self/cwd/main.ts"));
    // No library may be executed, so that no program starts.
    try {
      libc().execve(["/usr/bin/env"], []);
    } catch (error) {
      console.log((error as { code: string }).code);
    }`);
  assertEquals(said, "opened opened opened EACCES\nopened EACCES ELOOP\nEACCES\n");
});
