#!/bin/sh
# Usage: sh scripts/test.sh [ARGUMENTS OF deno test]
#
# All that must hold: set-up, format, lint, types, layers, tests. Every stage runs, whatever the
# others say. The last line is "N passed, N failed", with ", N skipped" where tests were ignored;
# a stage other than the tests that fails counts as one failure.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) && cd -- "$root" || exit 1
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

stage() {
  name=$1
  shift
  printf '== %s\n' "$name"
  "$@" || {
    printf 'failed: %s\n' "$name"
    failed=$((failed + 1))
  }
}

finish() {
  printf '%s passed, %s failed' "$passed" "$failed"
  [ "$skipped" = 0 ] || printf ', %s skipped' "$skipped"
  printf '\n'
  [ "$failed" = 0 ]
  exit
}

# The number before the word $1 in the test runner's summary, which is the last of its lines that
# look like one; 0 if there is none.
count() {
  sed 's/\x1b\[[0-9;]*m//g' "$work/output" | grep -aE '^(ok|FAILED) \| [0-9]+ passed' |
    tail -n 1 | sed -n "s/.*| \([0-9]*\) $1.*/\1/p" | grep . || echo 0
}

run_tests() {
  # The types are checked by a stage of their own.
  { sh scripts/deno test --allow-all --no-check --parallel --trace-leaks "$@" 2>&1
    echo $? >"$work/status"
  } | tee "$work/output"
  passed=$(count passed)
  skipped=$(count ignored)
  count_of_failures=$(count failed)
  # A runner that fails without a failed test was killed, or could not load a module.
  [ "$(cat "$work/status")" = 0 ] || [ "$count_of_failures" != 0 ] || count_of_failures=1
  failed=$((failed + count_of_failures))
}

{ sh scripts/setup.sh && sh scripts/system_packages.sh bubblewrap uidmap; } || {
  failed=1
  finish
}
stage format sh scripts/deno fmt --check
stage lint sh scripts/deno lint
stage types sh scripts/deno check .
stage layers sh scripts/deno run --allow-read scripts/layers.ts
printf '== tests\n'
run_tests "$@"
finish
