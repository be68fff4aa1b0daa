/**
 * Exit statuses of a container that ran into its memory or process limit, whose program ended with
 * 0 or not: once it has ended nobody can ask its control group any more.
 */
export const EXHAUSTED = { done: 240, failed: 241 } as const;

/**
 * The entry script of a container, for `sh`: runs its arguments as a sandbox's program. The channel
 * comes on 3 and 4: on 0 to 2 any child could forge events. Afterwards no process is started, for
 * which there may be no room.
 */
export const ENTRYPOINT_SCRIPT = `"$@" 3<&0 4>&1 0</dev/null 1>&2; status=$?
cd /sys/fs/cgroup 2>/dev/null || exit $status
for file in pids/pids.events pids.events memory/memory.oom_control memory.events; do
  [ -r $file ] || continue
  while read -r key count; do
    case $file/$key/$count in
      */0) ;;
      *pids.events/max/*|*/oom_kill/*)
        [ $status != 0 ] || exit ${EXHAUSTED.done}
        exit ${EXHAUSTED.failed}
        ;;
    esac
  done <$file
done
exit $status`;
