#!/bin/sh
# Usage: sh scripts/system_packages.sh PACKAGE...
#
# Installs those of the packages "bubblewrap" and "uidmap" that are missing, by apt-get; says so,
# and nothing when all are there.
set -eu

die() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# The program that shows whether package $1 is there.
program_of() {
  case $1 in
    bubblewrap) echo bwrap ;;
    uidmap) echo newuidmap ;;
    *) die "unknown package \"$1\"" ;;
  esac
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif [ -t 0 ]; then sudo "$@"
  else sudo -n "$@"
  fi
}

# Bounded, and waits for an apt-get that is at work already.
apt() {
  as_root env DEBIAN_FRONTEND=noninteractive timeout -k 10 600 \
    apt-get -o DPkg::Lock::Timeout=120 -qq "$@" </dev/null
}

missing=
for package in "$@"; do
  program=$(program_of "$package")
  command -v "$program" >/dev/null || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
missing=${missing# }

command -v apt-get >/dev/null ||
  die "missing on this machine: $missing; install it with the system's package manager"
[ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
  die "missing on this machine: $missing; run as root: apt-get install $missing"

printf 'set-up: installing the system packages: %s\n' "$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM HUP
# The names are ours, without spaces. The lists are fetched only where the old ones don't do.
# shellcheck disable=SC2086
apt install -y --no-install-recommends $missing >"$log" 2>&1 ||
  { apt update >>"$log" 2>&1 && apt install -y --no-install-recommends $missing >>"$log" 2>&1; } || {
  tail -n 20 "$log" >&2
  die "apt-get can't install $missing: see above, then run as root: apt-get install $missing"
}
