/** What rules cost: the time until a call is where a rule puts it, and many that match nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { complete, v2 } from '../../test/support/calls.js'
import { RedisProcess } from '../../test/support/redis.js'
import { Server } from '../../test/support/server.js'
import { until } from '../../test/support/until.js'
import { budget, type Figures, percentile, type Row, short } from '../figures.js'
import { sendAll } from '../load/requests.js'
import { cpuSeconds, family } from '../processes.js'
import { say } from '../subject.js'

const PER_SECOND = 100
const SECONDS = 20
const MANY = 1000
const PROJECTS = 100
const IDLE_SECONDS = 60

export async function measureRules(): Promise<Figures> {
  const redis = await RedisProcess.start()
  const server = await Server.start({ env: { HEDDLE_LOG_LEVEL: 'warn', REDIS_URL: redis.url } })
  try {
    return [
      '## Rules',
      `${PER_SECOND} calls a second for ${SECONDS} s, all of which a rule adds to an annotation queue and to a dataset; from the acknowledgement of a call until it was in the queue, and until all of them were in the dataset:`,
      await untilAdded(server),
      `${short(MANY)} active rules on calls, scores, aliases and versions in ${PROJECTS} projects that match nothing, for ${IDLE_SECONDS} s without writes:`,
      await idle(server),
    ]
  } finally {
    await server.dispose()
    await redis.stop()
  }
}

async function untilAdded(server: Server): Promise<Row[]> {
  const project_id = 'bench/ruled'
  const { id: queue } = await server.api.ok('/annotation_queues', {
    project_id,
    name: 'all',
    scorer_refs: [],
  })
  await server.api.ok('/rules/save', {
    ...{ project_id, name: 'all', trigger: { type: 'call' }, max_per_day: 100_000 },
    actions: [
      { type: 'add_to_queue', queue: 'all' },
      { type: 'add_to_dataset', dataset: 'all', columns: { id: 'id' } },
    ],
  })
  await sleep(7000)
  const acknowledged = new Map<string, number>()
  const now = () => new Date().toISOString()
  const begun = performance.now()
  for (let i = 0; i < SECONDS * 10; i++) {
    await sleep(Math.max(0, begun + i * 100 - performance.now()))
    const batch = Array.from({ length: PER_SECOND / 10 }, () =>
      complete(project_id, { started_at: now(), ended_at: now(), output: 'It is 4.' }),
    )
    await server.api.ok(v2(project_id, 'calls/complete'), { batch })
    for (const { id } of batch) acknowledged.set(String(id), Date.now())
  }
  const last = Date.now()
  const items = async () =>
    (await server.api.ok(`/annotation_queues/${queue}/items/query`, { project_id, limit: 10_000 })).items as {
      call_id: string
      created_at: string
    }[]
  await until('the items', async () => (await items()).length >= acknowledged.size, 120)
  const rows = async () => {
    const { obj } = await server.api.ok('/obj/read', { project_id, object_id: 'all', digest: 'latest' })
    const digest = String((obj as { val: { rows: string } }).val.rows)
      .split('/')
      .at(-1)!
    return Number((await server.api.ok('/table/query_stats', { project_id, digest })).count)
  }
  await until('the rows', async () => (await rows()) >= acknowledged.size, 120)
  const all = (Date.now() - last) / 1000
  const seconds = (await items()).map(
    ({ call_id, created_at }) => (Date.parse(created_at) - acknowledged.get(call_id)!) / 1000,
  )
  const p95 = percentile(seconds, 0.95)
  return [
    {
      ...{ calls: acknowledged.size, rows: await rows() },
      ...{ 's p50': percentile(seconds, 0.5), 's p95': p95, target: budget('≤', 5, p95) },
      's until the last row': all,
    },
  ]
}

const NOTHING = [
  (n: number) => ({ type: 'call', op_names: [`op-${n}`] }),
  (n: number) => ({ type: 'score', feedback_type: `type-${n}` }),
  (n: number) => ({ type: 'alias', object: `object-${n}` }),
  (n: number) => ({ type: 'dataset_version', dataset: `dataset-${n}` }),
]

async function idle(server: Server): Promise<Row[]> {
  const before = await quietCpu(server)
  const rule = (n: number) => ({
    path: '/rules/save',
    body: JSON.stringify({
      ...{ project_id: `bench/many-${n % PROJECTS}`, name: `rule-${n}` },
      ...{
        trigger: NOTHING[n % NOTHING.length]!(n),
        actions: [{ type: 'evaluate', evaluation: 'e', model: 'm' }],
      },
    }),
  })
  await sendAll(server, { connections: 8, count: MANY, make: rule })
  say('waiting for rest')
  await sleep(30_000)
  const cores = (await quietCpu(server)) - before
  return [{ rules: MANY, 'cores more than before': cores, target: budget('≤', 0.05, cores) }]
}

/** Cores that the server uses while nobody asks anything. */
async function quietCpu(server: Server): Promise<number> {
  const pids = family(server.pid)
  const from = cpuSeconds(pids)
  await sleep(IDLE_SECONDS * 1000)
  return (cpuSeconds(pids) - from) / IDLE_SECONDS
}
