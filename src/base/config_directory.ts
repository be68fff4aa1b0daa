import { isAbsolute, join } from "node:path";

/**
 * Returns the folder of what the user decided: `$XDG_CONFIG_HOME/karotte`, else
 * `~/.config/karotte`; undefined: neither variable names one.
 */
export function configDirectory(
  variable: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string | undefined {
  const config = variable("XDG_CONFIG_HOME");
  // As the XDG specification says, a relative path counts as unset.
  if (config && isAbsolute(config)) return join(config, "karotte");
  const home = variable("HOME");
  return home && isAbsolute(home) ? join(home, ".config", "karotte") : undefined;
}
