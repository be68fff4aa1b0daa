#!/bin/sh
# Usage: sh scripts/engines.sh docker podman
#
# Gets the named container engines ready for the tests: installs them by apt-get, starts dockerd if
# no daemon answers, and loads the base image of the tests, "localhost/karotte-test-base:bookworm".
# Says what it does, and nothing when all is there. KAROTTE_ENGINES_STATE names the folder in which
# the pid and the log of a dockerd that it starts are left; absent: one in /tmp.
#
# In ${KAROTTE_TOOLS:-~/.cache/karotte/tools}/engines: "base.tar", made by debootstrap from the
# machine's own Debian mirror, and, where podman does not work as it comes (no CAP_SYS_RESOURCE, or
# mixed cgroups), "containers.conf": podman works with CONTAINERS_CONF set to it.
set -eu

image=localhost/karotte-test-base:bookworm
suite=bookworm
daemon_timeout_seconds=30

tools=${KAROTTE_TOOLS:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/karotte/tools}/engines

say() { printf 'engines: %s\n' "$1" >&2; }

die() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# Installs those of the packages that are missing; each comes as PROGRAM:PACKAGE.
install() {
  missing=
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair#*:}"
  done
  [ -n "$missing" ] || return 0
  missing=${missing# }
  command -v apt-get >/dev/null || die "missing on this machine: $missing; install it and try again"
  say "installing the system packages: $missing"
  # The names are ours, without spaces. The lists are fetched only where the old ones don't do.
  # shellcheck disable=SC2086
  apt install -y --no-install-recommends $missing >"$work/log" 2>&1 ||
    { apt update >>"$work/log" 2>&1 &&
      apt install -y --no-install-recommends $missing >>"$work/log" 2>&1; } || {
    tail -n 20 "$work/log" >&2
    die "apt-get can't install $missing: see above"
  }
}

# Bounded, and waits for an apt-get that is at work already.
apt() {
  DEBIAN_FRONTEND=noninteractive timeout -k 10 600 \
    apt-get -o DPkg::Lock::Timeout=120 -qq "$@" </dev/null
}

answers() { timeout -k 2 20 "$@" >/dev/null 2>&1 </dev/null; }

start_docker() {
  if answers docker version; then return; fi
  state=${KAROTTE_ENGINES_STATE:-$(mktemp -d)}
  mkdir -p "$state"
  say "starting dockerd; its log: $state/dockerd.log; to stop it: kill \$(cat $state/dockerd.pid)"
  # The lock must not outlive this script in the daemon.
  setsid dockerd --pidfile "$state/dockerd.pid" >"$state/dockerd.log" 2>&1 </dev/null 9>&- &
  for _ in $(seq "$daemon_timeout_seconds"); do
    if answers docker version; then return; fi
    sleep 1
  done
  tail -n 20 "$state/dockerd.log" >&2
  die "dockerd does not answer after $daemon_timeout_seconds s: see above"
}

make_base() {
  [ ! -s "$tools/base.tar" ] || return 0
  install debootstrap:debootstrap
  mirror=$(sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' \
    -e 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list \
    /etc/apt/sources.list.d/* 2>/dev/null | grep -v security | head -n 1)
  say "making the base image of the tests by debootstrap (half a minute)"
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$work/root" \
    ${mirror:+"$mirror"} >"$work/log" 2>&1 </dev/null || {
    tail -n 20 "$work/log" >&2
    die "debootstrap can't make a $suite: see above"
  }
  rm -rf "$work/root/var/cache/apt/archives" "$work/root/var/lib/apt/lists"
  mkdir -p "$work/root/var/cache/apt/archives/partial" "$work/root/var/lib/apt/lists/partial"
  tar -C "$work/root" -c . >"$tools/base.tar.$$"
  mv "$tools/base.tar.$$" "$tools/base.tar"
}

load_base() {
  if answers "$1" image inspect "$image"; then return; fi
  make_base
  say "loading the base image of the tests into $1"
  timeout -k 10 300 "$1" import - "$image" <"$tools/base.tar" >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    die "$1 can't import $tools/base.tar: see above"
  }
}

podman_runs() {
  timeout -k 5 60 podman run --rm --pull never --network none --memory 64m "$image" true \
    >"$work/log" 2>&1 </dev/null
}

configure_podman() {
  if [ -s "$tools/containers.conf" ]; then
    export CONTAINERS_CONF="$tools/containers.conf"
    return
  fi
  load_base podman
  if podman_runs; then return; fi
  # Soft and hard limits are equal, for podman's service (4.3.1) takes the one for the other.
  cat >"$work/containers.conf" <<CONF
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
CONF
  CONTAINERS_CONF=$work/containers.conf podman_runs || {
    tail -n 20 "$work/log" >&2
    die "podman can't start a container here, with or without another containers.conf: see above"
  }
  say "podman does not work as it comes; it does with CONTAINERS_CONF=$tools/containers.conf"
  mv "$work/containers.conf" "$tools/containers.conf"
  export CONTAINERS_CONF="$tools/containers.conf"
}

prepare() {
  for engine in "$@"; do
    case $engine in
      docker)
        install docker:docker.io dockerd:docker.io
        start_docker
        load_base docker
        ;;
      podman)
        install podman:podman runc:runc catatonit:catatonit
        configure_podman
        load_base podman
        ;;
      *) die "unknown engine \"$engine\": docker and podman are known" ;;
    esac
  done
}

[ "$(id -u)" = 0 ] || die "run as root: engines are installed for the whole machine"
mkdir -p "$tools"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
# Of two at once the second finds all done.
exec 9>"$tools/.lock"
flock -w 900 9 || die "another scripts/engines.sh holds $tools/.lock"
prepare "$@"
