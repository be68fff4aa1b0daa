import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import type { PluginFlags } from "../plugins/plugin_flags.ts";
import { defineCommand } from "./command.ts";
import { pluginFlags, pluginFlagsOf } from "./plugin_flags.ts";
import { takeGlobalFlags } from "./global_flags.ts";

Deno.test("takeGlobalFlags() takes what stands before the command, and no more", () => {
  const line = "--with a --offline -C dir --with=b --no-plugins --plugins p run --with c";
  assertEquals(takeGlobalFlags(line.split(" ")), {
    directory: "dir",
    plugins: { with: ["a", "b"], none: true, strict: false, offline: true, manifest: "p" },
    rest: ["run", "--with", "c"],
  });
  assertEquals(takeGlobalFlags(["toString"]).rest, ["toString"]);
  for (const flag of ["-C", "--with", "--plugins", "--plugins="]) {
    assertThrows(() => takeGlobalFlags([flag]), KarotteError, "it needs a");
  }
  assertThrows(() => takeGlobalFlags(["--plugins", "a", "--plugins", "b"]), KarotteError, "once");
});

Deno.test("pluginFlagsOf() puts flags before and after the command's name together", async () => {
  const flagsOf = async (before: string[], ...after: string[]) => {
    let found: PluginFlags | undefined;
    const command = defineCommand({
      description: "",
      flags: pluginFlags,
      run({ flags }, { plugins }) {
        found = pluginFlagsOf(flags, plugins);
      },
    });
    const { plugins, directory } = takeGlobalFlags(before);
    await command.run(after, { path: "karotte x", directory, plugins, builtins: [] });
    return found;
  };
  assertEquals(await flagsOf(["--with", "a", "--offline"], "--with", "b", "--strict-plugins"), {
    with: ["a", "b"],
    manifest: undefined,
    none: false,
    strict: true,
    offline: true,
  });
  assertEquals(await flagsOf([], "--no-plugins", "--plugins", "p"), {
    with: [],
    manifest: "p",
    none: true,
    strict: false,
    offline: false,
  });
  await assertRejects(() => flagsOf(["--plugins", "a"], "--plugins", "b"), KarotteError, "once");
});
