/** What monitors cost: writers beside ten of them, the time until a score is there, and many that match nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { complete, v2 } from '../../test/support/calls.js'
import { RedisProcess } from '../../test/support/redis.js'
import { Server } from '../../test/support/server.js'
import { until } from '../../test/support/until.js'
import { budget, type Figures, percentile, type Row, short } from '../figures.js'
import { target } from '../ingest.js'
import { sendAll } from '../load/requests.js'
import { runLoad } from '../load/run-load.js'
import { cpuSeconds, family } from '../processes.js'
import { say } from '../subject.js'

const ROUNDS = 5
const WHICH = ['without', 'with'] as const
const TEN = Array.from({ length: 10 }, (_, i) => `monitor-${i}`)
/** A monitor may rest for so long while the store is busy. */
const LOOK_MS = 5000
const PER_SECOND = 100
const SCORED_SECONDS = 20
const MANY = 10_000
const PROJECTS = 100
const IDLE_SECONDS = 30

/** @param seconds of each load */
export async function measureMonitors(seconds: number): Promise<Figures> {
  const redis = await RedisProcess.start()
  const server = await Server.start({ env: { HEDDLE_LOG_LEVEL: 'warn', REDIS_URL: redis.url } })
  try {
    return [
      '## Monitors',
      `32 connections × 100 spans a request, without and with ten monitors that match a hundredth of the calls between them, in turns, ${ROUNDS} times ${seconds} s each after a warm-up of both; medians:`,
      await besideWriters(server, seconds),
      `${PER_SECOND} calls a second for ${SCORED_SECONDS} s, all of which a monitor without a model matches; from the acknowledgement of a call until its score was stored:`,
      await untilScored(server),
      `${short(MANY)} active monitors in ${PROJECTS} projects that match nothing, for ${IDLE_SECONDS} s without writes:`,
      await idle(server),
    ]
  } finally {
    await server.dispose()
    await redis.stop()
  }
}

const create = (server: Server, project_id: string, name: string, more: object) =>
  server.api.ok('/monitors/create', { project_id, name, signals: ['refusal'], ...more })

/** Pairs of loads, after one of each that warms up and doesn't count; which of the two is first alternates. */
async function besideWriters(server: Server, seconds: number): Promise<Row[]> {
  const rates = { without: [] as number[], with: [] as number[] }
  const micros = { without: [] as number[], with: [] as number[] }
  const behind: number[] = []
  const pids = family(server.pid)
  let firstSerial = 1
  for (let round = 0; round <= ROUNDS; round++) {
    for (const which of round % 2 === 0 ? WHICH : WHICH.toReversed()) {
      const project = `bench/${which}-${round}`
      if (which === 'with')
        for (const name of TEN) await create(server, project, name, { sampling_rate: 0.001 })
      // The monitors of other rounds are found to match nothing.
      await sleep(6000)
      let [cpu, used] = [0, 0]
      const done = await runLoad(
        {
          ...{ ...target(server, project), spans: 100, encoding: 'identity', connections: 32 },
          ...{ warmSeconds: 3, seconds, firstSerial, seed: 3 },
        },
        {
          onMeasuring: () => {
            cpu = cpuSeconds(pids)
          },
          onMeasured: () => {
            used = cpuSeconds(pids) - cpu
          },
        },
      )
      firstSerial += done.allAcknowledgedSpans + 1_000_000
      const rate = done.acknowledgedSpans / done.seconds
      const each = (used / done.acknowledgedSpans) * 1e6
      const late = which === 'with' ? await untilNoneWaits(server, project) : undefined
      if (round > 0) {
        rates[which].push(rate)
        micros[which].push(each)
        if (late !== undefined) behind.push(late)
      }
      const kind = round === 0 ? 'warm-up, ' : ''
      const scored = late === undefined ? '' : `, all scored after ${late.toFixed(1)} s more`
      say(`${kind}${which} monitors: ${Math.round(rate)} spans/s, ${each.toFixed(1)} µs of CPU each${scored}`)
    }
    for (const monitor of TEN)
      await server.api.ok('/monitors/activate', { project_id: `bench/with-${round}`, monitor, active: false })
  }
  const middle = (list: readonly number[]) => percentile(list, 0.5)
  const ratio = middle(rates.with) / middle(rates.without)
  return [
    {
      'spans/s without': middle(rates.without),
      'spans/s with': middle(rates.with),
      ratio,
      target: budget('≥', 0.95, ratio),
      'µs of CPU a span without': middle(micros.without),
      with: middle(micros.with),
      's until all were scored': middle(behind),
    },
  ]
}

/** Seconds until every match of a project's monitors is a stored score: what was put off until the writers had gone. */
async function untilNoneWaits(server: Server, project: string): Promise<number> {
  const from = performance.now()
  const matched = async () => {
    const { monitors } = await server.api.ok('/monitors/query', { project_id: project })
    return (monitors as { queued_today: number }[]).reduce((sum, { queued_today: one }) => sum + one, 0)
  }
  const scores = async () =>
    Number(
      (
        await server.api.ok('/calls/query_stats', {
          project_id: project,
          query: {
            $expr: { $contains: { input: { $getField: 'op_name' }, substr: { $literal: '.score:' } } },
          },
        })
      ).count,
    )
  let known = 0
  await until(
    'the scores',
    async () => {
      const before = known
      known = await matched()
      return known > 0 && known === before && (await scores()) >= known
    },
    120,
    LOOK_MS,
  )
  return (performance.now() - from - LOOK_MS) / 1000
}

async function untilScored(server: Server): Promise<Row[]> {
  const project = 'bench/scored'
  await create(server, project, 'all', {})
  await sleep(7000)
  const acknowledged = new Map<string, number>()
  const now = () => new Date().toISOString()
  const begun = performance.now()
  for (let i = 0; i < SCORED_SECONDS * 10; i++) {
    await sleep(Math.max(0, begun + i * 100 - performance.now()))
    const batch = Array.from({ length: PER_SECOND / 10 }, () =>
      complete(project, { started_at: now(), ended_at: now(), output: 'It is 4.' }),
    )
    await server.api.ok(v2(project, 'calls/complete'), { batch })
    for (const { id } of batch) acknowledged.set(String(id), Date.now())
  }
  const read = async () =>
    (await server.api.ok('/feedback/query', { project_id: project, limit: 10_000 })).result as {
      weave_ref: string
      created_at: string
    }[]
  await until('the scores', async () => (await read()).length >= acknowledged.size, 120)
  const ms = (await read()).map(
    ({ weave_ref, created_at }) => Date.parse(created_at) - acknowledged.get(weave_ref.split('/').at(-1)!)!,
  )
  const p95 = percentile(ms, 0.95)
  return [
    {
      ...{ calls: acknowledged.size, scores: ms.length },
      ...{ 'ms p50': percentile(ms, 0.5), 'ms p95': p95, target: budget('≤', 5000, p95) },
    },
  ]
}

async function idle(server: Server): Promise<Row[]> {
  const before = await quietCpu(server)
  const body = (n: number) => ({
    path: '/monitors/create',
    body: JSON.stringify({
      ...{ project_id: `bench/many-${n % PROJECTS}`, name: `monitor-${n}` },
      ...{ op_names: [`op-${n}`], signals: ['refusal'] },
    }),
  })
  await sendAll(server, { connections: 16, count: MANY, make: body })
  for (let n = 0; n < PROJECTS; n++)
    await server.api.ok(v2(`bench/many-${n}`, 'calls/complete'), { batch: [complete(`bench/many-${n}`)] })
  say('waiting for rest')
  await sleep(20_000)
  const cores = (await quietCpu(server)) - before
  return [{ monitors: MANY, 'cores more than before': cores, target: budget('≤', 0.05, cores) }]
}

/** Cores that the server uses while nobody asks anything. */
async function quietCpu(server: Server): Promise<number> {
  const pids = family(server.pid)
  const from = cpuSeconds(pids)
  await sleep(IDLE_SECONDS * 1000)
  return (cpuSeconds(pids) - from) / IDLE_SECONDS
}
