#!/usr/bin/env bash
# Puts the libraries that are long to install into .cache/instrumentations, each list of
# test/instrumentations/requirements into an environment of its own, once for each content; likewise npm's packages, Maven's
# where there is Maven, and Go's where there is Go, of its folders.
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

for list in test/instrumentations/requirements/*/package-lock.json; do
  npm=$(dirname "$list")
  place=.cache/instrumentations/$(basename "$npm")
  cmp -s "$list" "$place/.installed" && continue
  echo "Installing $(basename "$npm") into $place"
  rm -rf "$place"
  cp -r "$npm" "$place"
  npm ci --prefix "$place" --no-fund --no-audit
  # Its package is empty before this script of its own; no other package's is run.
  own=$place/node_modules/@anthropic-ai/claude-code/install.cjs
  [[ ! -e $own ]] || node "$own"
  cp "$list" "$place/.installed"
done

for list in test/instrumentations/requirements/*/pom.xml; do
  name=$(basename "$(dirname "$list")")
  place=.cache/instrumentations/$name
  cmp -s "$list" "$place/.installed" && continue
  if ! command -v mvn > /dev/null || ! command -v java > /dev/null; then
    echo "There is no command mvn, or no java: the program of $name is skipped." >&2
    continue
  fi
  echo "Installing $name into $place"
  rm -rf "$place"
  mvn --quiet --batch-mode --file "$list" \
    org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory="$PWD/$place/lib" -DincludeScope=runtime
  cp "$list" "$place/.installed"
done

go=test/instrumentations/requirements/go
place=$PWD/.cache/instrumentations/go
if ! command -v go > /dev/null; then
  echo "There is no command go: its programs are skipped." >&2
else
  if ! cmp -s "$go/go.sum" "$place/.installed"; then
    echo "Installing go into .cache/instrumentations/go"
    # What Go downloads can't be written to, so not removed either.
    [[ ! -d $place ]] || chmod -R u+w "$place"
    rm -rf "$place"
    cp -r "$go" "$place"
    cp "$go/go.sum" "$place/.installed"
  fi
  for program in "$PWD"/test/instrumentations/programs/*.go; do
    (cd "$place" && GOPATH=$place/path GOCACHE=$place/cache go build -o . "$program")
  done
fi
