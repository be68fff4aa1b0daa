# shellcheck shell=sh
# Sourced by the other scripts, with $root set to the checkout. Sets $deno and $modules ("jsr" or
# "offline"), after a set-up if there was none. Without set-up it starts no process: each one would
# be felt in the start of every command.

state=${root:?}/node_modules/.karotte

# Deno asks its home page for a newer version now and then; a pinned one has no use for it.
export DENO_NO_UPDATE_CHECK=1

case ${KAROTTE_DENO:-/} in
  /*) ;;
  *) export KAROTTE_DENO="$PWD/$KAROTTE_DENO" ;;
esac

is_set_up() {
  [ "$state/ready" -nt "$root/deno.json" ] && [ "$state/ready" -nt "$root/deno.lock" ] &&
    [ "$state/ready" -nt "$root/scripts/offline/imports.json" ] && load_toolchain
}

load_toolchain() {
  { IFS= read -r deno && IFS= read -r modules; } <"$state/ready" || return 1
  deno=${KAROTTE_DENO:-$deno}
  [ -f "$deno" ] && [ -x "$deno" ]
}

# Becomes deno: subcommand $1, then the other arguments, with the packages of this checkout.
exec_deno() {
  subcommand=$1
  shift
  if [ "$modules" = offline ]; then
    set -- --import-map "$root/scripts/offline/imports.json" "$@"
  fi
  # The private copy of the lock file pins the same versions, and the committed one stays as it is.
  exec "$deno" "$subcommand" --config "$root/deno.json" --lock "$state/deno.lock" "$@"
}

if ! is_set_up 2>/dev/null; then
  sh "$root/scripts/setup.sh" || exit 1
  load_toolchain
fi
