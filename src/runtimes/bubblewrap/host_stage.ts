import type { Bind } from "./host_sources.ts";

/**
 * Where root shows a run's tree to bwrap, whatever folders lead to it: only in a mount namespace of
 * its own.
 */
export const STAGE = "/tmp";

/**
 * The first program of a sandbox, still on the host: it closes what descriptors the caller left
 * open, joins the control groups and makes the binds, then becomes the command that follows. bash,
 * because other shells can't close descriptors from 10 up.
 */
const SCRIPT = `set -e
for link in /proc/self/fd/*; do
  fd=\${link##*/}
  if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi
done
umask 022
ulimit -c 0
while [ "$1" != -- ]; do echo $$ > "$1"; shift; done
shift
while [ "$1" != -- ]; do mount --rbind -- "$1" "$2"; shift 2; done
shift
exec "$@"`;

/**
 * The argv that starts `command` on the host's side. With binds (root only) it runs in a mount
 * namespace of its own, so nothing shows on the host and nothing has to be unmounted.
 */
export function stagedArgv(
  command: readonly string[],
  { joinFiles, binds }: { joinFiles: readonly string[]; binds: readonly Bind[] },
): string[] {
  return [
    ...(binds.length === 0 ? [] : ["unshare", "--mount", "--propagation", "private", "--"]),
    ...["bash", "-c", SCRIPT, "karotte"],
    ...joinFiles,
    "--",
    ...binds.flatMap(({ from, to }) => [from, to]),
    "--",
    ...command,
  ];
}
