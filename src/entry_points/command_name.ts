/** Why a plugin's command can't have this name; undefined: it can. */
export function refuseCommandName(name: string, builtins: readonly string[]): string | undefined {
  if (builtins.includes(name)) return `"karotte ${name}" is built in`;
  return /^[A-Za-z0-9][\w.-]*$/.test(name) ? undefined : "its name can't be typed as a command";
}
