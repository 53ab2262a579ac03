#!/usr/bin/env bash
# What a disk with a volatile cache needs (test/crash/volatile-disk.c): libfuse3's headers, and XFS. Never fails: tests that
# can't have one say so.
set -euo pipefail
[[ $(id -u) == 0 && -e /dev/fuse ]] && command -v apt-get > /dev/null || exit 0
pkg-config --exists fuse3 2> /dev/null && command -v mkfs.xfs cc > /dev/null && exit 0
echo "libfuse3-dev or xfsprogs is missing: installing them with the system's package manager"
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  gcc libc6-dev pkg-config fuse3 libfuse3-dev xfsprogs > /dev/null || true
