export interface AttendedClientOptions {
  /** `name=value` that only this launch's container has. */
  readonly label: string;
  /** Leave the container whatever happens. */
  readonly keep: boolean;
  /** The client's own folder, if it has one: goes with the container. */
  readonly folder: string | undefined;
}

/**
 * The argv that runs `command` with `args` under a shell that outlives a killed host: the client then
 * sees the end of its input, the harness ends, and the shell, which finds itself with another parent
 * than at its start, removes the container.
 */
export function attendedClient(
  command: readonly string[],
  args: readonly string[],
  { label, keep, folder }: AttendedClientOptions,
): string[] {
  const script = keep ? 'exec "$@"' : attendance(command.map(quoted).join(" "), folder);
  return ["/bin/sh", "-c", script, label, ...command, ...args];
}

/** `$0` is the label. */
function attendance(engine: string, folder: string | undefined): string {
  const removeFolder = folder === undefined ? "" : `rm -rf -- ${quoted(folder)}\n`;
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
${removeFolder}exit $code`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
