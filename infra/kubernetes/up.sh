#!/usr/bin/env bash
# up.sh [CPU_NODES] [GPU_NODES]: a Kubernetes control plane on loopback, with simulated nodes: real etcd, API server,
# controllers and scheduler, and KWOK in the kubelets' place, so pods "run" and no container is ever started. No root.
# STATE names the folder of its data, keys, logs and process ids; down.sh stops what is recorded there. PORTS is the
# first of eight ports.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
tools=$(cd ../.. && pwd)/.cache/tools
export STATE=${STATE:-${TMPDIR:-/tmp}/heddle-cluster} PATH=$tools:$PATH
first=${PORTS:-16440}
api=$first etcd=$((first + 1)) peers=$((first + 2)) controllers=$((first + 3)) scheduler=$((first + 4))
kubelets=$((first + 5)) metrics=$((first + 6))
[[ ! -e $STATE/processes ]] || {
  echo "$STATE is in use; stop that one first: infra/kubernetes/down.sh" >&2
  exit 1
}
mkdir -p "$STATE/logs" "$STATE/keys"
cd "$STATE"
trap '[[ $? == 0 ]] || { tail -n 5 logs/*.log >&2; "$here/down.sh"; }' EXIT

start() { # NAME COMMAND...: in the background, in a session of its own
  local name=$1
  shift
  setsid "$@" > "logs/$name.log" 2>&1 < /dev/null &
  echo "$! $name" >> processes
}

answers() { # NAME COMMAND...: waits until the command succeeds
  local name=$1
  shift
  for _ in {1..300}; do
    "$@" > /dev/null 2>&1 && return
    sleep 0.2
  done
  echo "$name does not come up" >&2
  return 1
}

# -- keys: an authority, a server's certificate, and one for each client -------------------------------------------------

sign() { # NAME SUBJECT EXTENSION
  openssl req -newkey rsa:2048 -nodes -subj "$2" -keyout "keys/$1.key" -out "keys/$1.csr" 2> /dev/null
  openssl x509 -req -in "keys/$1.csr" -CA keys/authority.crt -CAkey keys/authority.key -CAcreateserial -days 7 \
    -extfile <(echo "$3") -out "keys/$1.crt" 2> /dev/null
}

client() { # NAME SUBJECT: with a kubeconfig
  sign "$1" "$2" extendedKeyUsage=clientAuth
  cat > "$1.kubeconfig" <<Y
apiVersion: v1
kind: Config
current-context: here
contexts: [{ name: here, context: { cluster: here, user: $1 } }]
clusters: [{ name: here, cluster: { server: 'https://127.0.0.1:$api', certificate-authority: $STATE/keys/authority.crt } }]
users: [{ name: $1, user: { client-certificate: $STATE/keys/$1.crt, client-key: $STATE/keys/$1.key } }]
Y
  chmod 600 "$1.kubeconfig"
}

openssl req -x509 -newkey rsa:2048 -nodes -days 7 -subj /CN=authority -keyout keys/authority.key \
  -out keys/authority.crt 2> /dev/null
openssl genrsa -out keys/accounts.key 2048 2> /dev/null
sign server /CN=kube-apiserver subjectAltName=IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes.default.svc
client admin /O=system:masters/CN=admin
client controllers /CN=system:kube-controller-manager
client scheduler /CN=system:kube-scheduler
export KUBECONFIG=$STATE/admin.kubeconfig

# -- processes -----------------------------------------------------------------------------------------------------------

start etcd control-plane etcd --data-dir etcd --unsafe-no-fsync --log-level warn \
  --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd" \
  --listen-peer-urls "http://127.0.0.1:$peers" --initial-advertise-peer-urls "http://127.0.0.1:$peers" \
  --initial-cluster "default=http://127.0.0.1:$peers"
answers etcd curl -sf "http://127.0.0.1:$etcd/health"

# No kubelet asks as a node and no service is ever reached, so addresses of both are made up.
start api control-plane kube-apiserver --etcd-servers "http://127.0.0.1:$etcd" --bind-address 127.0.0.1 \
  --secure-port "$api" --advertise-address 127.0.0.1 --endpoint-reconciler-type none \
  --service-cluster-ip-range 10.96.0.0/16 --authorization-mode Node,RBAC --enable-admission-plugins DefaultStorageClass \
  --client-ca-file keys/authority.crt --tls-cert-file keys/server.crt --tls-private-key-file keys/server.key \
  --service-account-issuer https://kubernetes.default.svc --service-account-key-file keys/accounts.key \
  --service-account-signing-key-file keys/accounts.key --max-requests-inflight 1200
answers api kubectl get --raw /readyz

# Autoscalers look every five seconds, so that tests need not wait for them.
start controllers control-plane kube-controller-manager --kubeconfig controllers.kubeconfig --bind-address 127.0.0.1 \
  --secure-port "$controllers" --leader-elect=false --use-service-account-credentials \
  --service-account-private-key-file keys/accounts.key --root-ca-file keys/authority.crt \
  --cluster-signing-cert-file keys/authority.crt --cluster-signing-key-file keys/authority.key \
  --kube-api-qps 300 --kube-api-burst 600 --horizontal-pod-autoscaler-sync-period 5s --node-monitor-grace-period 20s
start scheduler control-plane kube-scheduler --kubeconfig scheduler.kubeconfig --bind-address 127.0.0.1 \
  --authentication-kubeconfig scheduler.kubeconfig --authorization-kubeconfig scheduler.kubeconfig \
  --secure-port "$scheduler" --leader-elect=false --kube-api-qps 300 --kube-api-burst 600
start kubelets kwok --kubeconfig admin.kubeconfig --config "$tools/stages.yaml" --manage-all-nodes=false \
  --manage-nodes-with-annotation-selector kwok.x-k8s.io/node=fake --node-lease-duration-seconds 20 \
  --cidr 10.0.0.0/16 --node-ip 127.0.0.1 --node-port "$kubelets" --server-address "127.0.0.1:$kubelets"
METRICS_PORT=$metrics start metrics node "$here/metrics.mjs"
answers controllers curl -skf "https://127.0.0.1:$controllers/healthz"
answers scheduler curl -skf "https://127.0.0.1:$scheduler/healthz"
answers kubelets curl -sf "http://127.0.0.1:$kubelets/healthz"
answers metrics curl -skf "https://127.0.0.1:$metrics/healthz"

kubectl apply --server-side -f "$tools/storage-class.yaml" -f "$here/crds.yaml" > /dev/null
node "$here/objects.mjs" metrics "$metrics" | kubectl apply --server-side -f - > /dev/null
node "$here/objects.mjs" nodes "${1:-5}" "${2:-2}" | kubectl apply --server-side --validate=false -f - > /dev/null
kubectl wait --for condition=Ready nodes --all --timeout 120s > /dev/null
echo "export KUBECONFIG=$KUBECONFIG"
