#!/usr/bin/env bash
# Provides a Chromium for the tests of the pages: CHROMIUM, or Debian's, which is installed if missing.
set -euo pipefail
[[ -x ${CHROMIUM:-/usr/bin/chromium} ]] && exit 0
if command -v apt-get > /dev/null; then
  echo "chromium is missing: installing it with the system's package manager"
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium > /dev/null
else
  echo "Install Chromium by hand, and set CHROMIUM to its path." >&2
  exit 1
fi
