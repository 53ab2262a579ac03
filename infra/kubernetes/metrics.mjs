// The metrics of the simulated cluster, for autoscalers: an API server of its own behind the real one. CPU of a pod is
// what its annotation `simulated/cpu` says in thousandths of a core (50 without); an external metric is what
// `PUT /set/NAME/VALUE` said last, whatever its labels.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const { STATE, METRICS_PORT } = process.env
const external = new Map()
const now = () => new Date().toISOString().replace(/\.\d+/, '')

/** What a client asks an API server first: the kinds of a group. */
function discovery(group) {
  const name = group === 'metrics.k8s.io' ? 'pods' : '*'
  const resource = { name, singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] }
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group}/v1beta1`,
    resources: [resource],
  }
}

function podMetrics(namespace, labels) {
  const args = [
    'get',
    'pods',
    '--namespace',
    namespace,
    '--output',
    'json',
    ...(labels ? ['--selector', labels] : []),
  ]
  const { items } = JSON.parse(execFileSync('kubectl', args, { maxBuffer: 1 << 30 }))
  const running = items.filter(({ status }) => status.phase === 'Running')
  return {
    kind: 'PodMetricsList',
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: {},
    items: running.map(({ metadata, spec }) => ({
      metadata: { name: metadata.name, namespace, labels: metadata.labels },
      timestamp: now(),
      window: '10s',
      containers: spec.containers.map(({ name }) => ({
        name,
        usage: { cpu: `${metadata.annotations?.['simulated/cpu'] ?? 50}m`, memory: '64Mi' },
      })),
    })),
  }
}

function externalMetric(metricName) {
  const value = {
    metricName,
    metricLabels: {},
    timestamp: now(),
    value: String(external.get(metricName) ?? 0),
  }
  return {
    kind: 'ExternalMetricValueList',
    apiVersion: 'external.metrics.k8s.io/v1beta1',
    metadata: {},
    items: [value],
  }
}

function answer({ method, url }) {
  const { pathname, searchParams } = new URL(url, 'https://localhost')
  const [, apis, group, , , namespace, name] = pathname.split('/')
  if (apis === 'healthz') return {}
  if (apis === 'set' && method === 'PUT') {
    const [, , metric, value] = pathname.split('/')
    external.set(metric, value)
    return {}
  }
  if (namespace === undefined) return discovery(group)
  if (group === 'metrics.k8s.io') return podMetrics(namespace, searchParams.get('labelSelector'))
  return externalMetric(name)
}

const keys = { key: readFileSync(`${STATE}/keys/server.key`), cert: readFileSync(`${STATE}/keys/server.crt`) }
createServer(keys, (request, response) => {
  response.setHeader('content-type', 'application/json')
  try {
    response.end(JSON.stringify(answer(request)))
  } catch (error) {
    response.statusCode = 500
    response.end(JSON.stringify({ message: error.message }))
  }
}).listen(Number(METRICS_PORT), '127.0.0.1')
