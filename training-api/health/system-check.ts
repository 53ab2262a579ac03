/** Checks everything that chat and training need, by using it. */

import type { Dispatcher } from '../../domain/chat/dispatch/dispatcher.js'
import type { Announcement } from '../../domain/chat/node-announcement.js'
import { TRAINERS_KEY, trainersAlive } from '../../domain/training/worker-announcement.js'
import type { Store } from '../../platform/clickhouse/store.js'

export interface Parts {
  store: Store
  dispatcher: Dispatcher
}

interface Found {
  status: 'ok' | 'degraded' | 'down'
  detail: string | null
}

const TIMEOUT_MS = 3000

/** Never throws; takes at most a few seconds. */
export async function report({ store, dispatcher }: Parts) {
  const nodes = dispatcher.board.up()
  const [storage, redis, trainer] = await Promise.all([
    checkStore(store),
    checkRedis(dispatcher),
    checkTrainer(dispatcher),
  ])
  const checks: Record<string, Found> = {
    storage,
    redis,
    queues: checkQueues(dispatcher, nodes),
    workers: checkWorkers(dispatcher),
    inference: checkNodes(dispatcher, nodes),
    trainer,
  }
  const well = Object.values(checks).every(({ status }) => status === 'ok')
  return { status: well ? ('ok' as const) : ('degraded' as const), checks }
}

async function checkStore(store: Store): Promise<Found> {
  const began = performance.now()
  return (await store.alive(TIMEOUT_MS))
    ? { status: 'ok', detail: `answers in ${ms(began)} ms` }
    : { status: 'down', detail: 'ClickHouse does not answer; see the log of its process.' }
}

async function checkRedis(dispatcher: Dispatcher): Promise<Found> {
  const began = performance.now()
  try {
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS).unref(),
    )
    await Promise.race([dispatcher.redis.ping(), late])
    if (!dispatcher.ready)
      return {
        status: 'degraded',
        detail: 'Redis answers, but this process does not receive replies to requests yet.',
      }
    return { status: 'ok', detail: `answers in ${ms(began)} ms` }
  } catch (error) {
    return { status: 'down', detail: `Redis does not answer (${(error as Error).message}); see REDIS_URL.` }
  }
}

async function checkTrainer({ redis }: Dispatcher): Promise<Found> {
  const texts = await redis.hgetall(TRAINERS_KEY).catch(() => ({}))
  const workers = trainersAlive(Object.values(texts), Date.now())
  if (workers.length === 0)
    return {
      status: 'down',
      detail: 'No trainer worker is alive, so jobs wait; start one with `heddle trainer-worker`.',
    }
  // Several workers may reach one node.
  const nodes = new Map(workers.flatMap((worker) => worker.nodes).map((node) => [node.address, node]))
  const training = [...nodes.values()].filter(({ model }) => model !== '')
  if (training.length === 0)
    return {
      status: 'down',
      detail:
        'No training node is up; start one with HEDDLE_NODE_TRAIN, and name it in HEDDLE_TRAINING_NODES.',
    }
  const lines = training.map(({ model, address, devices, job }) => {
    return `${model} at ${address} (${devices} devices): ${job === '' ? 'idle' : `job ${job}`}`
  })
  return { status: 'ok', detail: lines.join('; ') }
}

function checkQueues(dispatcher: Dispatcher, nodes: readonly Announcement[]): Found {
  const models = [...new Set(nodes.map(({ model }) => model))]
  const lines = models.map((model) => `${model}: ${dispatcher.waiting(model)} waiting`)
  return { status: 'ok', detail: [`${dispatcher.inFlight} requests in flight here`, ...lines].join('; ') }
}

function checkWorkers(dispatcher: Dispatcher): Found {
  const alive = dispatcher.workers.alive().length
  return alive > 0
    ? { status: 'ok', detail: `${alive} alive` }
    : { status: 'down', detail: 'No inference worker is alive; start one with `heddle inference-worker`.' }
}

function checkNodes(dispatcher: Dispatcher, nodes: readonly Announcement[]): Found {
  const gone = [...dispatcher.board.known()].filter((model) => !nodes.some((node) => node.model === model))
  const lines = nodes.map(
    ({ model, address, device, running, waiting, adapters, paused }) =>
      `${model} at ${address} (${device}): ${running} running, ${waiting} waiting, ${adapters.length} adapters${paused ? ', paused while it trains' : ''}`,
  )
  if (nodes.length === 0)
    return { status: 'down', detail: 'No node is up; HEDDLE_NODES names the addresses of nodes.' }
  if (gone.length > 0) lines.push(`no node for ${gone.join(', ')}`)
  return { status: gone.length > 0 ? 'degraded' : 'ok', detail: lines.join('; ') }
}

function ms(began: number): string {
  return (performance.now() - began).toFixed(1)
}
