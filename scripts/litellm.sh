#!/bin/sh
# Usage: sh scripts/litellm.sh [--installed]
#
# For tests only: gets litellm's proxy, a server for models that others wrote, from PyPI (a minute
# and 760 MB at the first call). Prints the path of its program, which a second call finds in
# ${KAROTTE_TOOLS:-~/.cache/karotte/tools}. Ends with status 3 where it can't be had: no Python 3.10
# or newer with pip and venv, or no PyPI; with --installed also where it is not there yet.
set -eu

version=1.108.7
install_timeout_seconds=900

tools=${KAROTTE_TOOLS:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/karotte/tools}
place=$tools/litellm-$version

say() { printf 'litellm: %s\n' "$1" >&2; }

absent() {
  say "$1"
  exit 3
}

die() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# It would not do to look for the program: that of half an installation may be there.
is_installed() { [ -e "$place/installed" ]; }

install() {
  if is_installed; then return 0; fi
  python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    absent "there is no Python 3.10 or newer with venv to run it"
  say "installing litellm $version from PyPI into $place"
  trap 'rm -rf "$place"' EXIT
  trap 'exit 130' INT TERM HUP
  rm -rf "$place"
  # Its programs name this folder, so it can't be moved there when it is whole.
  python3 -m venv "$place" >&2 || absent "python3 -m venv fails"
  timeout -k 5 "$install_timeout_seconds" "$place/bin/python" -m pip install --quiet --no-input \
    --no-cache-dir --disable-pip-version-check --retries 1 --timeout 20 --prefer-binary \
    "litellm[proxy]==$version" </dev/null >"$place/log" 2>&1 || {
    tail -n 3 "$place/log" >&2
    absent "pip can't install litellm $version: see above"
  }
  : >"$place/installed"
  trap - EXIT
}

mkdir -p "$tools" 2>/dev/null && [ -w "$tools" ] ||
  die "can't write to \"$tools\": set KAROTTE_TOOLS to a folder of yours"
if ! is_installed; then
  [ "${1:-}" != --installed ] ||
    absent "not installed; KAROTTE_TEST_ALL=1 or sh scripts/litellm.sh gets it, 760 MB from PyPI"
  {
    flock -w "$install_timeout_seconds" 9 || die "another process holds \"$tools/.litellm.lock\""
    install
  } 9>"$tools/.litellm.lock"
fi
printf '%s\n' "$place/bin/litellm"
