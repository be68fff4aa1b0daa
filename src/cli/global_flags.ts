import { KarotteError } from "../base/errors.ts";
import type { PluginFlags } from "../plugins/plugin_flags.ts";

/** What stands before the command's name. */
export interface GlobalFlags {
  /** `-C DIR` */
  readonly directory: string | undefined;
  readonly plugins: PluginFlags;
  /** The command's name and all after it. */
  readonly rest: readonly string[];
}

const SWITCHES: ReadonlyMap<string, "none" | "strict" | "offline"> = new Map([
  ["--no-plugins", "none"],
  ["--strict-plugins", "strict"],
  ["--offline", "offline"],
]);

/** Throws a usage error for a flag without its value, or one given twice. */
export function takeGlobalFlags(argv: readonly string[]): GlobalFlags {
  let directory: string | undefined;
  let plugins: PluginFlags = { with: [], none: false, strict: false, offline: false };
  let rest = argv;
  for (;;) {
    const [first = "", ...others] = rest;
    const name = SWITCHES.get(first);
    if (name !== undefined) {
      plugins = { ...plugins, [name]: true };
      rest = others;
      continue;
    }
    const flag = /^(-C|--with|--plugins)(?:=(.*))?$/s.exec(first);
    if (flag === null) return { directory, plugins, rest };
    const value = flag[2] ?? others[0];
    rest = flag[2] === undefined ? others.slice(1) : others;
    if (!value) throw unusable(flag[1], `it needs a ${flag[1] === "-C" ? "directory" : "value"}`);
    if (flag[1] === "--with") plugins = { ...plugins, with: [...plugins.with, value] };
    else if (flag[1] === "--plugins") {
      if (plugins.manifest !== undefined) throw unusable("--plugins", "given more than once");
      plugins = { ...plugins, manifest: value };
    } else {
      if (directory !== undefined) throw unusable("-C", "given more than once");
      directory = value;
    }
  }
}

function unusable(flag: string | undefined, found: string): KarotteError {
  return new KarotteError("usage", `Cannot use ${flag}: ${found}`, { hint: "see karotte --help" });
}
