#!/usr/bin/env bash
# Makes sure that `redis-server` can be started: installs it with the system's package manager where it is missing.
# `--or-say`: only where that takes no password, and without it one line says what is missing; never fails.
set -euo pipefail
command -v redis-server >/dev/null && exit 0
if [[ ${1:-} == --or-say ]]; then
  [[ -n ${REDIS_URL:-} || ${HEDDLE_CHAT:-} == false ]] && exit 0
  if [[ $(id -u) == 0 ]] || sudo -n true 2> /dev/null || command -v brew > /dev/null; then
    "$0" && exit 0
  fi
  echo "redis-server is missing, and with it chat: install it with your system's package manager (\`make redis\`)." >&2
  exit 0
fi
echo "redis-server is missing: installing it with the system's package manager"
if command -v apt-get >/dev/null; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get update -qq
  # Only the program: Heddle starts it by itself, as a child.
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends redis-server >/dev/null
elif command -v dnf >/dev/null; then
  sudo dnf install -y -q redis
elif command -v brew >/dev/null; then
  brew install redis
else
  echo "Install Redis 7 or later by hand, or set REDIS_URL to a server." >&2
  exit 1
fi
