#!/bin/sh
# Usage: sh scripts/test.sh [--plain | --engines] [ARGUMENTS OF deno test]
#
# All that must hold, in two tiers. --plain: set-up, format, lint, types, layers, and the tests that
# need nothing else. --engines: the tests on docker and podman, of the compiled program, and with
# registries and servers for models that others wrote. Without either: both. With arguments of deno
# test: the checks, and only the tests that they name. Every stage runs, whatever the others say.
#
# KAROTTE_TEST_ALL=1 runs every test on every engine and in the compiled program, and long checks
# whole; otherwise a line says what was left out.
#
# The last line is "N passed, N failed", after "N left out" and "N skipped" where there are such; a
# stage other than the tests that fails counts as one failure. Where the executable that is
# extended, or an engine, can't be had, that is a failure with CI=true; elsewhere the tests that need
# it are skipped.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) && cd -- "$root" || exit 1
passed=0 failed=0 skipped=0 left_out=0
test_timeout_seconds=1800
work=$(mktemp -d) || exit 1
# Most tests wait for programs that they started: more at once than there are processors.
export DENO_JOBS="${DENO_JOBS:-$((2 * $(nproc 2>/dev/null || echo 2)))}"
trap 'stop_engines; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# Tests that need an engine, a registry or a server of others.
engine_tests='tests/engines
tests/jsr
tests/registry
tests/conformance/docker_test.ts
tests/conformance/docker_gvisor_test.ts
tests/conformance/nerdctl_test.ts
tests/conformance/podman_test.ts
tests/models/litellm_test.ts
tests/tricks/docker_test.ts
tests/tricks/podman_test.ts'

# Tests of the command line whose result may be another one in the compiled program: how it starts,
# what it carries, how it loads plugins, its streams and its exit statuses.
compiled_tests='tests/binary
tests/cli/create_test.ts
tests/cli/describe_test.ts
tests/cli/faults_test.ts
tests/cli/plugins_guide_test.ts
tests/cli/plugins_run_test.ts
tests/cli/plugins_test.ts
tests/cli/readme_test.ts
tests/cli/run_test.ts
tests/cli/start_test.ts
tests/cli/templates_test.ts
tests/conformance/plugins_test.ts'

# A daemon that was there before stays.
stop_engines() {
  [ ! -s "$work/engines/dockerd.pid" ] || kill "$(cat "$work/engines/dockerd.pid")" || true
}

runs_all() { [ "${KAROTTE_TEST_ALL:-}" = 1 ]; }

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
  [ "$left_out" = 0 ] || printf '%s left out for time: KAROTTE_TEST_ALL=1 runs them\n' "$left_out"
  [ "$skipped" = 0 ] || printf '%s skipped: what they need is not here\n' "$skipped"
  printf '%s passed, %s failed\n' "$passed" "$failed"
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
  { timeout --foreground -k 5 "$test_timeout_seconds" \
      sh scripts/deno test --allow-all --no-check --parallel --trace-leaks "$@" 2>&1
    echo $? >"$work/status"
  } | tee "$work/output"
  passed=$((passed + $(count passed)))
  # Their names say so, each on a line of its own.
  left_out_here=$(grep -acE 'left out for time: .*ignored' "$work/output")
  left_out=$((left_out + left_out_here))
  skipped=$((skipped + $(count ignored) - left_out_here))
  count_of_failures=$(count failed)
  # A runner that fails without a failed test was killed, or could not load a module.
  [ "$(cat "$work/status")" = 0 ] || [ "$count_of_failures" != 0 ] || count_of_failures=1
  failed=$((failed + count_of_failures))
}

# Most tests wait for others: what needs one processor runs beside them.
start_compiling() {
  { compile >"$work/compile.log" 2>&1; echo $? >"$work/compile.status"; } &
  compile_pid=$!
}

test_compiled() {
  printf '== compiled program\n'
  wait "$compile_pid"
  cat "$work/compile.log"
  case $(cat "$work/compile.status") in
    0)
      export KAROTTE_BINARY="$work/karotte"
      if runs_all; then
        run_tests tests/binary tests/cli tests/conformance/plugins_test.ts
      else
        printf 'left out: tests of the command line that are the same in the compiled program\n'
        # shellcheck disable=SC2086  # the paths are ours, without spaces
        run_tests $compiled_tests
      fi
      ;;
    3) without_compiled ;;
    *) printf 'failed: compiled program\n' && failed=$((failed + 1)) ;;
  esac
}

# With the executable that Deno downloads or DENORT_BIN names, else with that of scripts/denort.sh.
compile() {
  compile_with "$@" 2>"$work/log" && return
  status=$?
  if [ $status = 3 ] && [ -z "${DENORT_BIN:-}" ] && sh scripts/denort.sh >"$work/denort"; then
    { IFS= read -r denort && IFS= read -r compiler; } <"$work/denort"
    DENORT_BIN=$denort compile_with --deno "$compiler"
    return
  fi
  cat "$work/log" >&2
  return $status
}

compile_with() {
  sh scripts/deno run --allow-all --v8-flags=--liftoff-only scripts/compile.ts \
    --output "$work/karotte" "$@" >/dev/null
}

start_engines() {
  KAROTTE_ENGINES_STATE="$work/engines" sh scripts/engines.sh docker podman >"$work/engines.log" 2>&1 &
  engines_pid=$!
}

await_engines() {
  printf '== engines\n'
  wait "$engines_pid"
  status=$?
  cat "$work/engines.log"
  if [ $status = 0 ]; then
    export KAROTTE_ENGINES=docker,podman
  elif [ "${CI:-}" = true ]; then
    printf 'failed: engines\n'
    failed=$((failed + 1))
  fi
}

# Other people's server for models is got while other stages run; without it its tests are skipped.
get_litellm() {
  { if runs_all; then sh scripts/litellm.sh; else sh scripts/litellm.sh --installed; fi; } \
    >"$work/litellm" 2>"$work/litellm.log" &
  litellm_pid=$!
}

await_litellm() {
  printf '== litellm\n'
  if wait "$litellm_pid"; then export KAROTTE_LITELLM=1; else cat "$work/litellm.log"; fi
}

without_compiled() {
  if [ "${CI:-}" = true ]; then
    printf 'failed: compiled program: there is no executable to extend, set DENORT_BIN\n'
    failed=$((failed + 1))
  else
    printf 'ignored: compiled program: there is no executable to extend, set DENORT_BIN\n'
    skipped=$((skipped + 1))
  fi
}

checks() {
  stage format sh scripts/deno fmt --check
  stage lint sh scripts/deno lint
  stage types sh scripts/deno check .
  stage layers sh scripts/deno run --allow-read scripts/layers.ts
}

start_checks() {
  { failed=0; checks; echo "$failed" >"$work/failed_checks"; } >"$work/checks" 2>&1 &
  checks_pid=$!
}

await_checks() {
  wait "$checks_pid"
  cat "$work/checks"
  failed=$((failed + $(cat "$work/failed_checks")))
}

plain_tier() {
  start_checks
  printf '== tests\n'
  run_tests "--ignore=tests/binary,$(printf %s "$engine_tests" | tr '\n' ,)"
  await_checks
}

engine_tier() {
  await_litellm
  await_engines
  start_compiling
  printf '== tests on engines\n'
  # shellcheck disable=SC2086  # the paths are ours, without spaces
  run_tests $engine_tests
  test_compiled
}

tier=both
case ${1:-} in
  --plain | --engines)
    tier=${1#--}
    shift
    ;;
esac
{ sh scripts/setup.sh && sh scripts/system_packages.sh bubblewrap uidmap; } || {
  failed=1
  finish
}
if [ $# -gt 0 ]; then
  checks
  printf '== tests\n'
  run_tests "$@"
  finish
fi
[ $tier = plain ] || {
  get_litellm
  start_engines
}
[ $tier = engines ] || plain_tier
[ $tier = plain ] || engine_tier
finish
