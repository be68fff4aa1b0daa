#!/bin/sh
# Usage: sh scripts/compile.sh
#
# Compiles the program into dist/karotte. Deno downloads the executable that it extends; where it
# can't, DENORT_BIN names one of the same version.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd -- "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM HUP

mkdir -p dist
# No code cache: it is a file in /tmp that everybody can write, and root would trust it.
if ! sh scripts/deno compile --allow-all --no-code-cache --v8-flags=--liftoff-only \
  --output dist/karotte main.ts >"$log" 2>&1; then
  cat "$log" >&2
  if grep -qi denort "$log"; then
    echo "error: deno can't download its run-time executable: set DENORT_BIN to a denort of this version" >&2
  else
    echo "error: deno compile failed: see above" >&2
  fi
  exit 1
fi
echo "$root/dist/karotte"
