#!/usr/bin/env bash
# Builds both images with the version of the release. Their bytes differ from build to build: they hold Debian's latest fixes.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(node -p 'require("./package.json").version')
for image in heddle:Dockerfile model-server:model-server.Dockerfile; do
  docker build --label "org.opencontainers.image.version=$version" -f "infra/docker/${image#*:}" -t "heddle/${image%:*}:$version" .
done
