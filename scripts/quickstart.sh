#!/bin/sh
# Usage: sh scripts/quickstart.sh [FOLDER]
#
# A whole evaluation from nothing: sets up, creates an environment in FOLDER and runs its example
# task there in a sandbox, with a scripted model that needs no key. Without FOLDER it is
# out/quickstart of this checkout, where neither git nor the gate looks.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
folder=${1:-"$root/out/quickstart"}
mark=.karotte-quickstart

die() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

karotte() { sh "$root/scripts/karotte" "$@"; }

case $folder in -*) die "the folder's name must not begin with a dash: \"$folder\"" ;; esac
sh "$root/scripts/system_packages.sh" bubblewrap

if [ ! -e "$folder" ]; then
  parent=$(dirname -- "$folder")
  mkdir -p -- "$parent"
  (cd -- "$parent" && karotte create-env "$(basename -- "$folder")")
  : >"$folder/$mark"
elif [ ! -e "$folder/$mark" ]; then
  die "\"$folder\" exists and is none of quickstart's: name another folder, or remove it"
fi

folder=$(CDPATH='' cd -- "$folder" && pwd)
karotte -C "$folder" run --fake-model --task example_task --runtime bubblewrap

# shellcheck disable=SC2012  # the names in out/ are Karotte's own
transcript=$(ls -t "$folder"/out/*.json | head -n 1)
cat <<END

The environment is in $folder: read src/environment/tasks/example_task.ts next.
Look at the transcript:  less '$transcript'
Run it again:            sh '$root/scripts/karotte' -C '$folder' run --fake-model --task example_task --runtime bubblewrap
END
