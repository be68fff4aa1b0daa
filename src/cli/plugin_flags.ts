import { KarotteError } from "../base/errors.ts";
import type { PluginFlags } from "../plugins/plugin_flags.ts";
import type { Flag } from "./declaration.ts";

/** The flags of every command that reads plugins; `pluginFlagsOf` makes sense of them. */
export const pluginFlags = {
  with: {
    type: "string",
    value: "SPEC",
    repeatable: true,
    help: "Load this plugin too: a path, npm:NAME or jsr:@SCOPE/NAME.",
  },
  plugins: { type: "string", value: "FILE", help: "Read this manifest of plugins too." },
  noPlugins: { type: "boolean", help: "Load no plugin at all." },
  strictPlugins: { type: "boolean", help: "End if any plugin can't be loaded." },
  offline: { type: "boolean", help: "Install nothing: use the packages that are there." },
} as const satisfies Readonly<Record<string, Flag>>;

/** What a command gets for them. */
export interface GivenPluginFlags {
  readonly with: readonly string[];
  readonly plugins: string | undefined;
  readonly noPlugins: boolean | undefined;
  readonly strictPlugins: boolean | undefined;
  readonly offline: boolean | undefined;
}

/** Puts together what stood before the command's name and what came after it. */
export function pluginFlagsOf(flags: GivenPluginFlags, before: PluginFlags): PluginFlags {
  if (flags.plugins !== undefined && before.manifest !== undefined) {
    throw new KarotteError("usage", "Cannot use --plugins: given more than once", {
      hint: "one manifest can name all plugins, and --with adds more",
    });
  }
  return {
    with: [...before.with, ...flags.with],
    manifest: before.manifest ?? flags.plugins,
    none: before.none || (flags.noPlugins ?? false),
    strict: before.strict || (flags.strictPlugins ?? false),
    offline: before.offline || (flags.offline ?? false),
  };
}
