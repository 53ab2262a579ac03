#!/usr/bin/env bash
# Puts the libraries that are long to install into .cache/instrumentations, each list of
# test/instrumentations/requirements into an environment of its own, once for each content.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/python-places.sh

for list in test/instrumentations/requirements/*.txt; do
  place=.cache/instrumentations/$(basename "$list" .txt)
  cmp -s "$list" "$place/.installed" && continue
  echo "Installing $(basename "$list" .txt) into $place"
  rm -rf "$place"
  make_place "$place"
  install "$place" --no-deps -r "$list"
  cp "$list" "$place/.installed"
done
