import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Overflow } from '../../platform/clickhouse/overflow.js'
import { sql } from '../../platform/clickhouse/sql.js'
import { Store } from '../../platform/clickhouse/store.js'
import { asCaller, service } from '../../platform/fairness/caller.js'
import { openRedis } from '../../platform/redis/connection.js'
import { chatQueueName, NODES_KEY, QUEUE_PREFIX } from '../../platform/redis/names.js'
import { Metrics, type SetGauge } from '../../platform/telemetry/metrics.js'
import { startTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { TestRedis } from '../../platform/testing/redis.js'
import { watchJobs } from './jobs.js'
import { watchQueues } from './queues.js'
import { storeStatements, watchStore } from './store.js'
import { StoreRoom } from './store-room.js'

/** The value of a series, as a scrape has it. */
async function value(metrics: Metrics, series: string): Promise<number | undefined> {
  const line = (await metrics.registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('a family of gauges', () => {
  it('looks once a scrape, no more often than it is told, and tells nothing of what it can not see', async () => {
    const metrics = new Metrics()
    let looks = 0
    let broken = false
    const about = { things: { help: 'Things.', labels: ['kind'] }, all_things: { help: 'All.' } }
    const look = async (set: SetGauge<'things' | 'all_things'>) => {
      looks++
      if (broken) throw new Error('away')
      set('things', looks, { kind: 'a' })
      set('all_things', looks)
    }
    metrics.family(about, look, 0)
    expect(await value(metrics, 'heddle_things{kind="a"}')).toBe(1)
    expect(await value(metrics, 'heddle_all_things')).toBe(2)
    broken = true
    expect(await value(metrics, 'heddle_things{kind="a"}')).toBeUndefined()
    expect(await value(metrics, 'heddle_all_things')).toBeNaN()
    const slow = new Metrics()
    looks = 0
    broken = false
    slow.family(about, look, 60_000)
    await value(slow, 'heddle_all_things')
    expect(await value(slow, 'heddle_all_things')).toBe(1)
  })
})

describe('what is outside of a process', () => {
  let engine: TestEngine
  let redis: TestRedis
  beforeAll(async () => {
    engine = await startTestEngine()
    redis = await TestRedis.start()
  })
  afterAll(async () => {
    await Promise.all([engine.stop(), redis.stop()])
  })

  it('the store’s statements and tables', async () => {
    const metrics = new Metrics()
    const store = await engine.migrated('watched')
    const observed = new Store({ ...engine.optionsOf('watched'), observed: storeStatements(metrics) })
    await observed.row(sql`SELECT 1`)
    await expect(observed.row(sql`SELECT nothing`)).rejects.toThrow()
    await observed.insertRows('calls', [{ project_id: 'p', id: 'a' }])
    const someones = asCaller('acme/key', () => observed.row(sql`SELECT 1`, {}))
    await Promise.all([someones, observed.as(service('test')).row(sql`SELECT 1`)])
    await observed.close()
    watchStore(metrics, store, new StoreRoom(), new Overflow({ folder: '/nowhere', bytes: 0 }))
    expect(await value(metrics, 'heddle_store_seconds_count{kind="rows"}')).toBe(4)
    const callerless = (kind: string) =>
      value(metrics, `heddle_store_statements_without_caller_total{kind="${kind}"}`)
    expect([await callerless('rows'), await callerless('insert')]).toEqual([2, 1])
    expect(await value(metrics, 'heddle_store_failures_total{kind="rows",code="INTERNAL"}')).toBe(1)
    expect(await value(metrics, 'heddle_store_table_bytes{table="calls"}')).toBeGreaterThan(0)
    expect(await value(metrics, 'heddle_store_disk_free_bytes')).toBeGreaterThan(0)
    expect(await value(metrics, 'heddle_store_full')).toBe(0)
    expect(await value(metrics, 'heddle_store_parts')).toBe(1)
    expect(await value(metrics, 'heddle_read_stuck')).toBe(0)
  })

  it('jobs and how long the first has waited', async () => {
    const metrics = new Metrics()
    const store = await engine.migrated('jobs')
    watchJobs(metrics, store)
    const at = Date.now() * 1000
    await store.insertRows('training_jobs', [
      { project_id: 'p', id: '1', status: 'queued', created_at: at - 90e6, ver: 1 },
      { project_id: 'p', id: '2', status: 'running', created_at: at, started_at: at - 300e6, ver: 1 },
    ])
    expect(await value(metrics, 'heddle_training_jobs{status="running"}')).toBe(1)
    expect(await value(metrics, 'heddle_training_jobs_waiting')).toBe(1)
    expect(await value(metrics, 'heddle_training_oldest_seconds')).toBeGreaterThanOrEqual(90)
    expect(await value(metrics, 'heddle_training_silent_seconds')).toBeGreaterThanOrEqual(299)
    expect(await value(metrics, 'heddle_evaluation_jobs_waiting')).toBe(0)
  })

  it('nodes, and what waits for them', async () => {
    const metrics = new Metrics()
    const connection = openRedis(redis.url, {})
    watchQueues(metrics, connection)
    const node = {
      ...{ worker: 'w', address: 'one:8090', at: Date.now(), up: true, since: 1, node: 'n', model: 'base' },
      ...{ engine: 'e', device: 'd', contextLength: 1, slots: 4, queueLimit: 1, maxAdapters: 1 },
      ...{ priorities: true, unsupported: [], images: false, running: 3, waiting: 2, adapters: ['a'] },
      ...{ memoryBytes: 7, tokensPerSecond: 11.5, firstTokenMs: 250 },
    }
    const gone = { ...node, node: 'm', address: 'two:8090', at: Date.now() - 60_000 }
    await connection.hset(NODES_KEY, 'one', JSON.stringify(node), 'two', JSON.stringify(gone))
    const queue = `${QUEUE_PREFIX}:${chatQueueName('base')}`
    await connection.lpush(`${queue}:wait`, '5', '6')
    await connection.hset(`${queue}:5`, 'timestamp', String(Date.now() - 30_000))
    await connection.hset(`${queue}:6`, 'timestamp', String(Date.now()))
    await connection.zadd(`${queue}:prioritized`, 1, '7')
    const labels = '{node="one:8090",model="base"}'
    expect(await value(metrics, 'heddle_nodes{model="base",state="up"}')).toBe(1)
    expect(await value(metrics, 'heddle_nodes{model="base",state="gone"}')).toBe(1)
    expect(await value(metrics, 'heddle_chat_waiting{model="base"}')).toBe(3)
    expect(await value(metrics, `heddle_node_running${labels}`)).toBe(3)
    expect(await value(metrics, `heddle_node_first_token_seconds${labels}`)).toBe(0.25)
    connection.disconnect()
  })
})
