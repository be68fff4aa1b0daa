#!/bin/sh
# Usage: sh scripts/setup.sh
#
# Gets Deno and the packages that deno.json names; says what it installs, and nothing when all is
# there. Deno: $KAROTTE_DENO if set, else the one of the last set-up, else the one on PATH if it is
# new enough, else the npm package "deno" in ${KAROTTE_TOOLS:-~/.cache/karotte/tools}. Nothing is
# installed globally.
#
# Writes node_modules/.karotte/ready, three lines: the path of deno (empty if KAROTTE_DENO named
# it), where the @std modules come from ("jsr", or "offline" where JSR can't be reached), and a
# checksum of the files that decided it.
set -eu

minimum=2.6
package=deno@2.9.6
jsr_timeout_seconds=20
install_timeout_seconds=600

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
state=$root/node_modules/.karotte
tools=${KAROTTE_TOOLS:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/karotte/tools}

say() { printf 'set-up: %s\n' "$1" >&2; }

die() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# Ends a command that hangs; without coreutils' timeout it may take as long as it likes.
bounded() {
  seconds=$1
  shift
  if command -v timeout >/dev/null; then timeout -k 5 "$seconds" "$@"; else "$@"; fi
}

# Runs the function $2 while no other set-up holds the file $1, so that the second of two finds all
# done. Where flock is missing, two at once do the work twice, with the same result.
exclusively() {
  command -v flock >/dev/null || {
    "$2"
    return
  }
  {
    flock -w "$install_timeout_seconds" 9 || die "another set-up holds \"$1\": wait for its end"
    "$2"
  } 9>"$1"
}

# True if $1 is a deno of the minimum version or newer.
is_new_enough() {
  version=$("$1" --version 2>/dev/null | sed -n '1s/^deno \([0-9]*\.[0-9]*\).*/\1/p')
  [ -n "$version" ] || return 1
  [ "${version%.*}" -gt "${minimum%.*}" ] ||
    { [ "${version%.*}" -eq "${minimum%.*}" ] && [ "${version#*.}" -ge "${minimum#*.}" ]; }
}

find_deno() {
  if [ -n "${KAROTTE_DENO:-}" ]; then
    is_new_enough "$KAROTTE_DENO" ||
      die "KAROTTE_DENO is \"$KAROTTE_DENO\", which is no Deno $minimum or newer: set it to one or unset it"
    deno=$KAROTTE_DENO
  elif read_ready && is_new_enough "$known_deno"; then
    deno=$known_deno
  elif deno=$(command -v deno) && is_new_enough "$deno"; then
    case $deno in /*) ;; *) deno=$PWD/$deno ;; esac
  elif ! find_installed_deno; then
    mkdir -p "$tools" 2>/dev/null && [ -w "$tools" ] || die "can't write to \"$tools\": set KAROTTE_TOOLS to a folder of yours"
    exclusively "$tools/.lock" install_deno
  fi
}

# The direct executable of the npm package: its launcher is a slow node script.
find_installed_deno() {
  for deno in "$tools/$package"/node_modules/@deno/*/deno; do
    if [ -x "$deno" ] && is_new_enough "$deno"; then return 0; fi
  done
  return 1
}

install_deno() {
  if find_installed_deno; then return 0; fi
  command -v npm >/dev/null ||
    die "no Deno $minimum or newer on PATH and no npm to get one: install npm, or Deno (https://deno.com)"
  say "installing $package from npm into $tools"
  staging=$tools/installing.$$
  trap 'rm -rf "$staging"' EXIT
  trap 'exit 130' INT TERM HUP
  bounded "$install_timeout_seconds" npm install --prefix "$staging" --ignore-scripts --no-audit \
    --no-fund --no-update-notifier --fetch-retries=1 --loglevel=error "$package" </dev/null >/dev/null ||
    die "npm can't install $package: connect to an npm registry, or set KAROTTE_DENO to a Deno $minimum or newer"
  rm -rf "${tools:?}/$package"
  mv "$staging" "$tools/$package"
  find_installed_deno ||
    die "$package does not run on this machine ($(uname -sm)): set KAROTTE_DENO to a Deno $minimum or newer"
}

# Decides where the modules come from, and fills node_modules.
prepare() {
  checksum=$(cat "$root/deno.json" "$root/deno.lock" "$root/scripts/offline/imports.json" | cksum)
  if ! read_ready || [ "$known_checksum" != "$checksum" ]; then
    mkdir -p "$state"
    install_npm_packages
    try_jsr
  fi
  write_ready
}

read_ready() {
  known_deno='' modules='' known_checksum=''
  [ -f "$state/ready" ] && {
    IFS= read -r known_deno
    IFS= read -r modules
    IFS= read -r known_checksum
  } <"$state/ready"
}

install_npm_packages() {
  say "installing the npm packages of deno.json into $root/node_modules"
  fetch "$install_timeout_seconds" install --import-map "$root/scripts/offline/imports.json" || {
    cat "$state/log" >&2
    die "the npm packages of deno.json can't be installed: connect to an npm registry and try again"
  }
}

# "deno cache", since "deno install" ends well where JSR can't be reached.
try_jsr() {
  before=$modules
  modules=jsr
  if fetch "$jsr_timeout_seconds" cache "$root/scripts/offline/standard_modules.ts"; then return; fi
  modules=offline
  cp "$root/deno.lock" "$state/deno.lock"
  [ "$before" = offline ] ||
    say "jsr.io can't be reached: scripts/offline stands in for @std (to try again: rm -r node_modules/.karotte)"
}

# Runs deno's subcommand $2, for at most $1 seconds, on a private copy of the lock file.
fetch() {
  seconds=$1
  subcommand=$2
  shift 2
  cp "$root/deno.lock" "$state/deno.lock"
  bounded "$seconds" "$deno" "$subcommand" --config "$root/deno.json" --lock "$state/deno.lock" \
    --node-modules-dir=auto "$@" </dev/null >"$state/log" 2>&1
}

# In one step: who reads at the same time sees the old file or the new one.
write_ready() {
  if [ -n "${KAROTTE_DENO:-}" ]; then deno=$known_deno; fi
  printf '%s\n' "$deno" "$modules" "$checksum" >"$state/ready.$$"
  mv "$state/ready.$$" "$state/ready"
}

find_deno
mkdir -p "$root/node_modules"
# Nothing is written to a checkout of somebody else that has been set up.
if [ -w "$root/node_modules" ]; then
  exclusively "$root/node_modules/.karotte.lock" prepare
elif ! read_ready; then
  die "can't write to \"$root/node_modules\": run sh scripts/setup.sh as the owner of the checkout"
fi
