// Prints objects for the simulated cluster as JSON: `objects.mjs nodes CPU_NODES GPU_NODES`, over three zones, where a
// GPU node has eight GPUs, the label that NVIDIA's operator sets and the usual taint; `objects.mjs metrics PORT`, which
// tells the API server where metrics.mjs answers.
const [what, ...numbers] = process.argv.slice(2)
const [first = 0, second = 0] = numbers.map(Number)

function node(kind, i) {
  const name = `${kind}-${i}`
  const gpus = kind === 'gpu'
  const room = {
    cpu: '32',
    memory: '256Gi',
    pods: '110',
    'ephemeral-storage': '4Ti',
    ...(gpus && { 'nvidia.com/gpu': '8' }),
  }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'topology.kubernetes.io/zone': `zone-${i % 3}`,
        'node-pool': kind,
        ...(gpus && { 'nvidia.com/gpu.present': 'true' }),
      },
    },
    spec: gpus ? { taints: [{ key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' }] } : {},
    status: {
      capacity: room,
      allocatable: room,
      phase: 'Running',
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux', kubeletVersion: 'simulated' },
    },
  }
}

const range = (count) => [...Array(count).keys()]
const nodes = () => [...range(first).map((i) => node('cpu', i)), ...range(second).map((i) => node('gpu', i))]

const service = { name: 'metrics', namespace: 'kube-system' }
const metrics = () => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: service,
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port: first }] },
  },
  ...['metrics.k8s.io', 'external.metrics.k8s.io'].map((group) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1beta1.${group}` },
    spec: {
      group,
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { ...service, port: first },
    },
  })),
]

const items = what === 'nodes' ? nodes() : metrics()
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
