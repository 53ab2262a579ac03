/** What alerts cost: many of them without and with calls, and the time until somebody is notified. */
import { setTimeout as sleep } from 'node:timers/promises'
import { complete, v2 } from '../../test/support/calls.js'
import { Receiver } from '../../test/support/receiver.js'
import { RedisProcess } from '../../test/support/redis.js'
import { Server } from '../../test/support/server.js'
import { until } from '../../test/support/until.js'
import { budget, type Figures, percentile, type Row, short } from '../figures.js'
import { sendAll } from '../load/requests.js'
import { cpuSeconds, family } from '../processes.js'
import { say } from '../subject.js'

const MANY = 1000
const PROJECTS = 100
const QUIET_SECONDS = 60
const TOLD = 20

export async function measureAlerts(): Promise<Figures> {
  const [redis, receiver] = [await RedisProcess.start(), await Receiver.start()]
  const env = {
    ...{ HEDDLE_LOG_LEVEL: 'warn', REDIS_URL: redis.url, HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1' },
    HEDDLE_SECRETS_KEY: 'a key that only benches have',
  }
  const server = await Server.start({ env })
  try {
    return [
      '## Alerts',
      `${TOLD} alerts over five minutes, from the acknowledgement of the call that crosses the threshold to the request at a webhook:`,
      await untilTold(server, receiver),
      `${short(MANY)} alerts over 15 minutes in ${PROJECTS} projects that none crosses, without calls, and with a call a second in each project:`,
      await cost(server),
    ]
  } finally {
    await server.dispose()
    await redis.stop()
    receiver.stop()
  }
}

const SOURCE = { type: 'calls', metric: 'call_count', aggregation: 'sum' }

async function untilTold(server: Server, receiver: Receiver): Promise<Row[]> {
  const id = { project_id: 'bench/told' }
  const channel = { type: 'webhook', url: `${receiver.url}/told` }
  await server.api.ok('/notifications/channels/save', { ...id, name: 'hook', channel })
  for (let n = 0; n < TOLD; n++) {
    const source = { ...SOURCE, filter: { op_names: [`op-${n}`] } }
    await server.api.ok('/alerts/save', {
      ...{ ...id, name: `alert-${n}`, source, alert_at: 0, window_seconds: 300, channels: ['hook'] },
    })
  }
  await sleep(20_000)
  const acknowledged = new Map<string, number>()
  const arrived = new Map<string, number>()
  receiver.answer = (response, { body }) => {
    arrived.set((JSON.parse(body) as { data: { alert: string } }).data.alert, performance.now())
    response.end()
  }
  for (let n = 0; n < TOLD; n++) {
    const now = new Date().toISOString()
    const call = complete(id.project_id, { op_name: `op-${n}`, started_at: now, ended_at: now })
    await server.api.ok(v2(id.project_id, 'calls/complete'), { batch: [call] })
    acknowledged.set(`alert-${n}`, performance.now())
    await sleep(700)
  }
  await until('all to be told', () => arrived.size === TOLD, 120)
  const seconds = [...arrived].map(([name, at]) => (at - acknowledged.get(name)!) / 1000)
  const p95 = percentile(seconds, 0.95)
  return [{ 's p50': percentile(seconds, 0.5), 's p95': p95, target: budget('≤', 60, p95) }]
}

async function cost(server: Server): Promise<Row[]> {
  const before = { idle: await cores(server), calls: await cores(server, 'before') }
  const alert = (n: number) => ({
    path: '/alerts/save',
    body: JSON.stringify({
      ...{ project_id: `bench/many-${n % PROJECTS}`, name: `alert-${n}` },
      ...{ source: { ...SOURCE, filter: { op_names: [`op-${n}`] } }, alert_at: 1e9 },
    }),
  })
  await sendAll(server, { connections: 8, count: MANY, make: alert })
  say('waiting for rest')
  await sleep(60_000)
  const idle = (await cores(server)) - before.idle
  const calls = (await cores(server, 'many')) - before.calls
  return [
    {
      ...{ alerts: MANY, 'cores more without calls': idle, target: budget('≤', 0.05, idle) },
      'cores more with calls': calls,
    },
  ]
}

/** Cores that the server uses. @param group of projects, in each of which a call a second is stored; default: none */
async function cores(server: Server, group?: string): Promise<number> {
  const pids = family(server.pid)
  const from = cpuSeconds(pids)
  for (let second = 0; second < QUIET_SECONDS; second++) {
    const next = sleep(1000)
    if (group !== undefined) await oneEach(server, group)
    await next
  }
  return (cpuSeconds(pids) - from) / QUIET_SECONDS
}

async function oneEach(server: Server, group: string): Promise<void> {
  const now = new Date().toISOString()
  const projects = Array.from({ length: PROJECTS }, (_, n) => `bench/${group}-${n}`)
  await Promise.all(
    projects.map((project) =>
      server.api.ok(v2(project, 'calls/complete'), {
        batch: [complete(project, { op_name: 'other', started_at: now, ended_at: now })],
      }),
    ),
  )
}
