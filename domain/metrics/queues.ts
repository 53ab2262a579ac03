import type { Redis } from 'ioredis'
import { chatQueueName, NODES_KEY, QUEUE_PREFIX } from '../../platform/redis/names.js'
import { waitingJobs } from '../../platform/redis/queue-length.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { nodesUp, readAnnouncement } from '../chat/node-announcement.js'

/** Adds the gauges. Covers only queues of models with an announced node. */
export function watchQueues(metrics: Metrics, redis: Redis): void {
  const node = ['node', 'model']
  metrics.family(
    {
      chat_waiting: { help: 'Chat completions waiting for a worker.', labels: ['model'] },
      chat_oldest_seconds: { help: 'Age of the oldest waiting chat completion.', labels: ['model'] },
      nodes: { help: 'GPU nodes seen in the last hour, by state.', labels: ['model', 'state'] },
      node_running: { help: 'Choices running on a node.', labels: node },
      node_waiting: { help: 'Choices waiting on a node.', labels: node },
      node_slots: { help: 'Choices that a node can run at once.', labels: node },
      node_memory_bytes: { help: 'Memory of a node for running requests.', labels: node },
      node_tokens_per_second: { help: 'Tokens per second of a node in the last minute.', labels: node },
      node_first_token_seconds: { help: 'Time to first token on a node, in the last minute.', labels: node },
      node_adapters: { help: 'Adapters loaded on a node.', labels: node },
    },
    async (set) => {
      const now = Date.now()
      const all = Object.values(await redis.hgetall(NODES_KEY)).flatMap(
        (text) => readAnnouncement(text) ?? [],
      )
      const up = nodesUp(all, now)
      const models = new Set(all.map(({ model }) => model))
      const gone = new Map(all.map((one) => [one.node, one.model]))
      for (const one of up) {
        gone.delete(one.node)
        const labels = { node: one.address, model: one.model }
        set('node_running', one.running, labels)
        set('node_waiting', one.waiting, labels)
        set('node_slots', one.slots, labels)
        set('node_memory_bytes', one.memoryBytes, labels)
        set('node_adapters', one.adapters.length, labels)
        if (one.tokensPerSecond !== null) set('node_tokens_per_second', one.tokensPerSecond, labels)
        if (one.firstTokenMs !== null) set('node_first_token_seconds', one.firstTokenMs / 1000, labels)
      }
      for (const model of models) {
        set('nodes', up.filter((one) => one.model === model).length, { model, state: 'up' })
        set('nodes', [...gone.values()].filter((one) => one === model).length, { model, state: 'gone' })
        const { waiting, oldest } = await queueOf(redis, chatQueueName(model))
        set('chat_waiting', waiting, { model })
        set('chat_oldest_seconds', oldest === undefined ? 0 : Math.max(0, (now - oldest) / 1000), { model })
      }
    },
    2_000,
  )
}

/** Jobs that no worker has taken, and when the first was queued (ms since 1970). */
async function queueOf(
  redis: Redis,
  queue: string,
): Promise<{ waiting: number; oldest: number | undefined }> {
  const key = `${QUEUE_PREFIX}:${queue}`
  const [waiting, last, first] = await Promise.all([
    waitingJobs(redis, queue),
    redis.lindex(`${key}:wait`, -1),
    redis.zrange(`${key}:prioritized`, '0', '0'),
  ])
  const ids = [last, ...first].filter((id) => id !== null)
  const times = await Promise.all(ids.map((id) => redis.hget(`${key}:${id}`, 'timestamp')))
  const known = times.flatMap((time) => (time === null ? [] : [Number(time)]))
  return { waiting, oldest: known.length === 0 ? undefined : Math.min(...known) }
}
