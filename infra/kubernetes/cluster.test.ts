/**
 * The chart on a real control plane with simulated nodes, through the life of a release. What only containers show
 * (commands, environments, probes) is in processes.test.ts; here pods always succeed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chart, type Manifest } from '../helm/testing/render.js'
import { Cluster, type Listed } from './testing/cluster.js'

interface Scaled extends Manifest {
  status: { readyReplicas?: number; replicas?: number }
}

interface Pod {
  metadata: { name: string; labels: Record<string, string> }
  spec: { nodeName?: string; containers: { image: string }[] }
  status: { phase: string }
}

const CPU_NODES = 5
const GPU_NODES = 2
/** GPUs of a node over GPUs of a pod. */
const PER_NODE = 4
const autoscaling = { enabled: true, minReplicas: 2, maxReplicas: 12 }
const VALUES = {
  image: { tag: '1.0' },
  ingest: {
    enabled: true,
    autoscaling: { ...autoscaling, behavior: { scaleDown: { stabilizationWindowSeconds: 5 } } },
  },
  artifacts: { address: 's3://heddle/artifacts', existingSecret: 's3' },
  modelServer: {
    pools: [
      {
        name: 'gpu',
        models: [{ name: 'base', model: '/models/base' }],
        train: true,
        gpu: { count: 8 / PER_NODE },
        nodeSelector: { 'node-pool': 'gpu' },
        resources: { requests: { cpu: '1', memory: '4Gi' } },
        autoscaling: {
          enabled: true,
          minReplicas: 1,
          maxReplicas: 10,
          behavior: { scaleDown: { stabilizationWindowSeconds: 5 } },
        },
      },
    ],
  },
  ingress: { enabled: true },
  httpRoute: { enabled: true, parentRefs: [{ name: 'gateway' }] },
  monitoring: { serviceMonitor: { enabled: true }, rules: { enabled: true }, dashboards: { enabled: true } },
}

let cluster: Cluster
const release = (verb: string, ...values: object[]) =>
  cluster.helm(
    [verb, 'r', chart, '--wait', '--timeout', '180s', '-f', '-'],
    JSON.stringify(Object.assign({}, VALUES, ...values)),
  )
const pods = async (component: string) =>
  (await cluster.get<Listed<Pod>>(`pods -l app.kubernetes.io/component=${component}`)).items
const ready = async (about: string) => (await cluster.get<Scaled>(about)).status.readyReplicas ?? 0
const imagesOf = async (component: string) =>
  new Set((await pods(component)).flatMap(({ spec }) => spec.containers.map(({ image }) => image)))

beforeAll(async () => {
  cluster = await Cluster.start(CPU_NODES, GPU_NODES, 'spun')
}, 120_000)
afterAll(() => cluster?.stop(), 60_000)

describe.sequential('a release', () => {
  it('is what the API server takes, every object of it', async () => {
    const text = await cluster.helm(['template', 'r', chart, '-f', '-'], JSON.stringify(VALUES))
    const dry = cluster.helm(['install', 'r', chart, '--dry-run=server', '-f', '-'], JSON.stringify(VALUES))
    await expect(dry).resolves.toContain('STATUS')
    expect(text.length).toBeGreaterThan(1000)
  })

  it('is installed', async () => {
    await release('install')
    const { items } = await cluster.get<Listed<Pod>>('pods')
    expect(items.filter(({ status }) => status.phase !== 'Running' && status.phase !== 'Succeeded')).toEqual(
      [],
    )
    const claims = await cluster.get<Listed<{ status: { phase: string } }>>('pvc')
    expect(claims.items.map(({ status }) => status.phase)).toEqual(['Bound', 'Bound'])
  })

  it('has its tables made by a Job that ended well', async () => {
    await cluster.until('the Job', async () =>
      (await cluster.get<Listed<{ status: { succeeded?: number } }>>('jobs')).items.every(
        ({ status }) => status.succeeded === 1,
      ),
    )
  })

  it('spreads pods of a role over nodes, and puts GPU pods on GPU nodes alone', async () => {
    const tracing = await pods('tracing')
    expect(new Set(tracing.map(({ spec }) => spec.nodeName)).size).toBe(tracing.length)
    const { items } = await cluster.get<Listed<Pod>>('pods')
    for (const { metadata, spec } of items)
      expect(spec.nodeName?.startsWith('gpu'), metadata.name).toBe(metadata.labels['heddle/node'] === 'true')
  })

  it('passes `helm test`, and fails it when the pod does', async () => {
    await cluster.helm(['test', 'r', '--timeout', '60s'])
    await release('upgrade', { commonAnnotations: { 'simulated/exit': '1' } })
    await expect(cluster.helm(['test', 'r', '--timeout', '60s'])).rejects.toThrow('failed')
    await release('upgrade')
  })

  it('keeps the secrets it made over upgrades', async () => {
    const keys = () => cluster.get<{ data: object }>('secret r-heddle-keys')
    const before = await keys()
    await release('upgrade', { commonLabels: { again: 'yes' } })
    expect((await keys()).data).toEqual(before.data)
  })

  it('scales by the length of a queue, up to the GPUs there are, and on with a new node', async () => {
    const about = 'statefulset r-heddle-gpu-base'
    // 16 a pod, so ten are wanted, and there is room for eight.
    await cluster.metric('heddle_chat_waiting', 160)
    await cluster.until('eight pods and two that wait', async () => {
      const waiting = (await pods('gpu-base')).filter(({ status }) => status.phase === 'Pending')
      return (await ready(about)) === GPU_NODES * PER_NODE && waiting.length === 2
    })
    await cluster.nodes(CPU_NODES, GPU_NODES + 1)
    await cluster.until('all ten', async () => (await ready(about)) === 10)
    await cluster.metric('heddle_chat_waiting', 0)
    await cluster.until('one again', async () => (await cluster.get<Scaled>(about)).status.replicas === 1)
  })

  it('scales by CPU', async () => {
    await release('upgrade', { ingest: { ...VALUES.ingest, podAnnotations: { 'simulated/cpu': '600' } } })
    await cluster.until('four pods', async () => (await ready('deployment r-heddle-ingest')) >= 4)
  })

  it('is upgraded and rolled back, with an autoscaler’s number left alone', async () => {
    await release('upgrade', {
      image: { tag: '2.0' },
      ingest: { ...VALUES.ingest, podAnnotations: { 'simulated/cpu': '600' } },
    })
    expect(await ready('deployment r-heddle-ingest')).toBeGreaterThanOrEqual(4)
    await cluster.until(
      '2.0 alone',
      async () => [...(await imagesOf('tracing'))].join() === 'heddle/heddle:2.0',
    )
    await cluster.helm(['rollback', 'r', '1', '--wait', '--timeout', '180s'])
    await cluster.until(
      '1.0 alone',
      async () => [...(await imagesOf('tracing'))].join() === 'heddle/heddle:1.0',
    )
  })

  it('holds a drain back that would take all of a role', async () => {
    await cluster.kubectl(
      'patch',
      'pdb',
      'r-heddle-tracing',
      '-n',
      'spun',
      '--type',
      'merge',
      '-p',
      '{"spec":{"maxUnavailable":0}}',
    )
    await cluster.until('the budget', async () => {
      const { status } = await cluster.get<{ status: { disruptionsAllowed: number } }>('pdb r-heddle-tracing')
      return status.disruptionsAllowed === 0
    })
    const node = (await pods('tracing'))[0]?.spec.nodeName ?? ''
    const drain = cluster.kubectl(
      'drain',
      node,
      '--ignore-daemonsets',
      '--delete-emptydir-data',
      '--timeout',
      '3s',
    )
    await expect(drain).rejects.toThrow('disruption budget')
    await cluster.kubectl('uncordon', node)
  })

  it('survives the loss of a node', async () => {
    const lost = (await pods('tracing'))[0]?.spec.nodeName ?? ''
    await cluster.kubectl('delete', 'node', lost)
    expect(await ready('deployment r-heddle-tracing')).toBeGreaterThan(0)
    await cluster.until(
      'all elsewhere',
      async () => {
        const { items } = await cluster.get<Listed<Pod>>('pods')
        return (
          !items.some(({ spec }) => spec.nodeName === lost) &&
          (await ready('deployment r-heddle-tracing')) === 2
        )
      },
      150,
    )
  })

  it('lets nobody into its namespace who is not held to `restricted`', async () => {
    await expect(cluster.kubectl('run', 'loose', '--image=x', '-n', 'spun')).rejects.toThrow('restricted')
  })

  it('is uninstalled, and leaves data and secrets', async () => {
    await cluster.helm(['uninstall', 'r', '--wait', '--timeout', '120s'])
    // The pod of `helm test` is a hook, which helm leaves for who wants to read what it said.
    const ours = '-l app.kubernetes.io/component!=test'
    await cluster.until(
      'no pods',
      async () => (await cluster.get<Listed<Pod>>(`pods ${ours}`)).items.length === 0,
    )
    const left = async (kind: string) =>
      (await cluster.get<Listed<Pod>>(`${kind} ${ours}`)).items.map(({ metadata }) => metadata.name)
    expect(await left('pvc')).toHaveLength(2)
    expect(await left('secrets')).toEqual(
      expect.arrayContaining(['r-heddle-keys', 'r-clickhouse', 'r-redis']),
    )
    expect(await left('deployments,statefulsets,services,jobs,hpa,networkpolicies,configmaps')).toEqual([
      'kube-root-ca.crt',
    ])
  })
})
