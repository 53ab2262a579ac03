#!/usr/bin/env bash
# down.sh: stops what up.sh recorded in STATE, the last started first, and removes the folder.
set -uo pipefail
STATE=${STATE:-${TMPDIR:-/tmp}/heddle-cluster}
[[ -e $STATE/processes ]] || {
  echo "nothing runs in $STATE"
  exit 0
}
# A number may belong to somebody else by now: only what still works in that folder is ended.
ours() { [[ $(readlink "/proc/$1/cwd" 2> /dev/null) == "$(realpath "$STATE")" ]]; }
while read -r id _; do
  ours "$id" || continue
  kill "$id"
  for _ in {1..30}; do
    ours "$id" || break
    sleep 0.1
  done
  ours "$id" && kill -KILL "$id"
done < <(tac "$STATE/processes")
rm -rf "$STATE"
