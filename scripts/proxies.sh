#!/usr/bin/env bash
# Makes sure that tests can start nginx and Caddy: where one is missing, unpacks it from its Debian package into
# .cache/proxies. Nothing is installed, since the packages would start servers on ports 80 and 443.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.cache/proxies
missing=()
for program in nginx caddy; do
  command -v "$program" > /dev/null || [[ -x $folder/$program ]] || missing+=("$program")
done
((${#missing[@]} > 0)) || exit 0
command -v apt-get > /dev/null || { echo "Install ${missing[*]} with your system's package manager." >&2; exit 1; }

echo "unpacking ${missing[*]} into .cache/proxies" >&2
packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
cd "$packages"
if ! apt-get download -qq "${missing[@]}" 2> /dev/null; then
  $([ "$(id -u)" = 0 ] || echo sudo) apt-get update -qq
  apt-get download -qq "${missing[@]}"
fi
for package in *.deb; do dpkg-deb --extract "$package" .; done
mkdir -p "$folder"
for program in "${missing[@]}"; do
  mv "$(find usr -path "*bin/$program" -type f)" "$folder/$program.new"
  # Another run may be at it, too.
  mv "$folder/$program.new" "$folder/$program"
done
