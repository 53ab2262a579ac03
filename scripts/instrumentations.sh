#!/usr/bin/env bash
# Puts the libraries that are long to install into .cache/instrumentations, each list of
# test/instrumentations/requirements into an environment of its own, once for each content; likewise npm's packages of
# its folders.
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

for folder in test/instrumentations/requirements/*/; do
  place=.cache/instrumentations/$(basename "$folder")
  cmp -s "$folder/package-lock.json" "$place/.installed" && continue
  echo "Installing $(basename "$folder") into $place"
  rm -rf "$place"
  cp -r "$folder" "$place"
  npm ci --prefix "$place" --no-fund --no-audit
  # Its package is empty before this script of its own; no other package's is run.
  node "$place/node_modules/@anthropic-ai/claude-code/install.cjs"
  cp "$folder/package-lock.json" "$place/.installed"
done
