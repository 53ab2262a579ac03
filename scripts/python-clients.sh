#!/usr/bin/env bash
# Puts the Python clients of the tests into .venv, once for each content of the pinned lists. What wants another version
# of a package has a list `<place>-requirements.txt`: it is in .venv/<place>, over the same packages.
set -euo pipefail
cd "$(dirname "$0")/.."

list=test/clients/python/requirements.txt
others=(test/clients/python/*-requirements.txt)
stamp=.venv/.installed
if [[ -f $stamp ]] && cat "$list" "${others[@]}" | cmp -s - "$stamp"; then
  exit 0
fi

. scripts/python-places.sh
packages() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

echo "Installing the Python clients into .venv (about a minute)"
rm -rf .venv
make_place .venv || {
  echo "python3 with venv is needed for the tests' clients: install python3-venv with your system's package manager." >&2
  exit 1
}
install .venv -r "$list"
for other in "${others[@]}"; do
  place=.venv/$(basename "$other" -requirements.txt)
  make_place "$place"
  install "$place" --no-deps -r "$other"
  packages "$PWD/.venv" > "$(packages "$place")/shared.pth"
done
cat "$list" "${others[@]}" > "$stamp"
