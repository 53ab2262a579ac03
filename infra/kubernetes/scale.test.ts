/**
 * 200 nodes and 2,000 pods of one release, once, with figures: run with HEDDLE_CLUSTER_SCALE=1. What is measured is
 * Kubernetes and the chart's objects in it, not Heddle: nothing runs in the pods.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chart } from '../helm/testing/render.js'
import { Cluster, type Listed } from './testing/cluster.js'

interface Pod {
  spec: { nodeName?: string }
  status: { phase: string }
}

const NODES = { cpu: 160, gpu: 40 }
const GPU_PODS = NODES.gpu * 8
const PODS = {
  tracing: 700,
  ingest: 500,
  trainingApi: 300,
  inferenceWorker: 150,
  evaluationWorker: 27,
  trainerWorker: 1,
}
const TOTAL = 2000
const small = { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '1Gi' } }

function values(tag: string): object {
  const roles = Object.entries(PODS).map(([role, replicas]) => [
    role,
    { enabled: true, replicas, maxSurge: '10%', maxUnavailable: '10%' },
  ])
  return {
    ...Object.fromEntries(roles),
    image: { tag },
    artifacts: { address: 's3://heddle/artifacts', existingSecret: 's3' },
    modelServer: {
      pools: [
        {
          name: 'gpu',
          train: true,
          models: [{ name: 'base', model: '/models/base' }],
          resources: small,
          autoscaling: { enabled: true, minReplicas: 20, maxReplicas: GPU_PODS },
        },
      ],
    },
  }
}

const figures: string[] = []
let cluster: Cluster

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await work()
  figures.push(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${what}`)
}

const running = async () => {
  const { items } = await cluster.get<Listed<Pod>>(
    'pods -l app.kubernetes.io/instance=r --field-selector status.phase=Running',
  )
  return items.length
}

describe.runIf(process.env.HEDDLE_CLUSTER_SCALE).sequential('200 nodes and 2,000 pods', () => {
  beforeAll(async () => {
    await timed('the control plane and 200 nodes are ready', async () => {
      cluster = await Cluster.start(NODES.cpu, NODES.gpu, 'spun')
    })
  })
  afterAll(async () => {
    process.stdout.write(`${figures.join('\n')}\n`)
    await cluster?.stop()
  })

  it('installs', { timeout: 900_000 }, async () => {
    const first = TOTAL - GPU_PODS + 20
    await timed(`helm install: ${first} pods run`, async () => {
      await cluster.helm(['install', 'r', chart, '-f', '-'], JSON.stringify(values('1.0')))
      await cluster.until('all run', async () => (await running()) >= first, 240)
    })
  })

  it('scales GPU pods by the queue', { timeout: 900_000 }, async () => {
    await timed(`a queue of 16 a GPU: 20 → ${GPU_PODS} GPU pods, ${TOTAL} pods in all run`, async () => {
      await cluster.metric('heddle_chat_waiting', GPU_PODS * 16)
      await cluster.until('all GPUs busy', async () => (await running()) >= TOTAL, 240)
    })
  })

  it('loses ten nodes', { timeout: 900_000 }, async () => {
    await timed('ten CPU nodes are gone: all pods run elsewhere', async () => {
      const lost = Array.from({ length: 10 }, (_, i) => `cpu-${i}`)
      await cluster.kubectl('delete', 'nodes', ...lost)
      await cluster.until(
        'all elsewhere',
        async () => {
          const { items } = await cluster.get<Listed<Pod>>('pods -l app.kubernetes.io/instance=r')
          const there = items.filter(({ spec }) => spec.nodeName && !lost.includes(spec.nodeName))
          return there.filter(({ status }) => status.phase === 'Running').length >= TOTAL
        },
        240,
      )
    })
  })

  it('is upgraded', { timeout: 900_000 }, async () => {
    await timed('helm upgrade to another image: every Deployment is rolled over', async () => {
      await cluster.helm(['upgrade', 'r', chart, '-f', '-'], JSON.stringify(values('2.0')))
      for (const role of ['tracing', 'ingest', 'training-api', 'inference-worker'])
        await cluster.kubectl(
          'rollout',
          'status',
          `deployment/r-heddle-${role}`,
          '-n',
          'spun',
          '--timeout',
          '600s',
        )
    })
    // The GPU pods go on for long, one at a time.
    expect(await running()).toBeGreaterThanOrEqual(TOTAL - 1)
  })
})
