/** Options of `run` that open a door which Karotte's own close. */
const WEAKENING = new Set([
  "--privileged",
  ...["--cap-add", "--security-opt", "--group-add"],
  ...["--network", "--net", "--publish", "-p", "--publish-all", "-P"],
  ...["--pid", "--ipc", "--uts", "--userns", "--cgroupns", "--cgroup-parent"],
  ...["--user", "-u", "--entrypoint", "--runtime"],
  ...["--mount", "--volume", "-v", "--volumes-from", "--device-cgroup-rule"],
  ...["--oom-kill-disable", "--sysctl"],
]);
const SWITCHES = new Set(["--privileged", "--publish-all", "-P", "--oom-kill-disable"]);

/**
 * Picks those of a container's `run` arguments that weaken the sandbox (network, capabilities,
 * security options, the host's namespaces, user, entry point, mounts), each with its value, as it
 * stands there.
 */
export function weakeningArguments(args: readonly string[]): string[] {
  const found: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    const name = nameOf(argument);
    if (name === undefined || !WEAKENING.has(name)) continue;
    const takesNext = argument === name && !SWITCHES.has(name) && index + 1 < args.length;
    found.push(takesNext ? `${argument} ${args[++index]}` : argument);
  }
  return found;
}

/**
 * Names an option: `--cap-add=X` -> `--cap-add`, `-v/x:/y` -> `-v`; undefined for what is no
 * option.
 */
function nameOf(argument: string): string | undefined {
  if (argument.startsWith("--")) return argument.split("=", 1)[0];
  return /^-[a-zA-Z]/.test(argument) ? argument.slice(0, 2) : undefined;
}
