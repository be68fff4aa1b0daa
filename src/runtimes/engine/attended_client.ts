import { shellWord } from "../../base/shell_word.ts";

export interface AttendedClientOptions {
  /** `name=value` that only this launch's container has. */
  readonly label: string;
  /** Leave the container whatever happens. */
  readonly keep: boolean;
  /** The client's own folder, if it has one: goes with the container. */
  readonly folder: string | undefined;
  /** A network of the container's own: made before it, gone with it. */
  readonly network?: AttendedNetwork | undefined;
}

/** A network for one container. */
export interface AttendedNetwork {
  readonly name: string;
  /** Arguments of the client. */
  readonly create: readonly string[];
}

/** The status of a client that could not start its container. */
export const CLIENT_FAILED = 125;

/**
 * The argv that runs `command` with `args` under a shell that outlives a killed host: the client
 * then sees the end of its input, the harness ends, and the shell, which finds itself with another
 * parent than at its start, removes the container.
 */
export function attendedClient(
  command: readonly string[],
  args: readonly string[],
  { label, keep, folder, network }: AttendedClientOptions,
): string[] {
  const engine = command.map(shellWord).join(" ");
  const create = network === undefined
    ? ""
    : `${engine} ${
      network.create.map(shellWord).join(" ")
    } </dev/null >/dev/null || exit ${CLIENT_FAILED}\n`;
  const remove = [
    ...(network === undefined ? [] : [`${engine} network rm ${shellWord(network.name)}`]),
    ...(folder === undefined ? [] : [`rm -rf -- ${shellWord(folder)}`]),
  ];
  const script = create + (keep ? 'exec "$@"' : attendance(engine, remove));
  return ["/bin/sh", "-c", script, label, ...command, ...args];
}

/** `$0` is the label. */
function attendance(engine: string, remove: readonly string[]): string {
  return `"$@"; code=$?
parent=$PPID
if [ -r /proc/$$/status ]; then
  while read -r key value; do [ "$key" = PPid: ] && parent=$value; done </proc/$$/status
elif ! kill -0 "$PPID" 2>/dev/null; then
  parent=
fi
[ "$parent" = "$PPID" ] && exit $code
ids=$(${engine} ps --all --quiet --no-trunc --filter "label=$0")
[ -z "$ids" ] || ${engine} rm --force --volumes $ids
${[...remove, "exit $code"].join("\n")}`;
}
