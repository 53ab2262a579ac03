#!/usr/bin/env bash
# Compiles the control plane and the simulated kubelets into .cache/tools, once for each content of control-plane/:
# etcd, API server, controllers and scheduler in one program, and KWOK; with the stages that KWOK goes through.
# Ten minutes on two cores the first time; seconds once Go has its cache.
set -euo pipefail
cd "$(dirname "$0")"
tools=$(../tools/install.sh)
version=$(sed -n 's#^\tk8s.io/kubernetes v##p' control-plane/go.mod)
wanted=$(cat control-plane/go.mod control-plane/main.go stages.yaml build.sh | sha256sum)
[[ "$(cat "$tools/.control-plane" 2> /dev/null || true)" == "$wanted" ]] && exit 0
command -v go > /dev/null || {
  echo "Go is needed to build the control plane: https://go.dev/dl" >&2
  exit 1
}
echo "Building the control plane of Kubernetes $version into .cache/tools (minutes, once)" >&2

cd control-plane
export CGO_ENABLED=0 GOFLAGS="${GOFLAGS:--p=2}"
name=k8s.io/component-base/version
# Without its version the API server would be of no release, and helm would refuse it.
stamp="-X $name.gitVersion=v$version -X $name.gitMajor=1 -X $name.gitMinor=$(cut -d. -f2 <<< "$version")"
nice -n 19 go build -trimpath -ldflags "-s -w $stamp" -o "$tools/control-plane" .
nice -n 19 go build -trimpath -ldflags '-s -w' -o "$tools/kwok" sigs.k8s.io/kwok/cmd/kwok

# What nodes, pods and volumes go through, as KWOK ships it, and what a helm test does.
kwok=$(go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)/kustomize/stage
{
  for file in node/fast/node-initialize node/heartbeat-with-lease/node-heartbeat-with-lease \
    pod/fast/pod-ready pod/fast/pod-complete pod/fast/pod-delete volume/fast; do
    for stage in "$kwok/$file".yaml "$kwok/$file"/p*.yaml; do
      [[ -f $stage ]] && { echo ---; cat "$stage"; echo; }
    done
  done
  echo ---
  cat ../stages.yaml
} > "$tools/stages.yaml"
cp "$kwok/volume/fast/storage-class.yaml" "$tools/storage-class.yaml"
echo "$wanted" > "$tools/.control-plane"
