/**
 * A cluster of two shards, rehearsed: two stores, an ingest and a query before each, one Redis. Rows lie where the
 * sharding key says, reads gather both, and while a shard is away what it holds is a clear 503 and nothing that was
 * acknowledged is lost. What stands for Distributed tables is told in `test/support/shard-front.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Api } from '../support/api.js'
import { at, complete, halves } from '../support/calls.js'
import { heddle } from '../support/command.js'
import { StoreProcess } from '../support/engine.js'
import { hex } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { RedisProcess } from '../support/redis.js'
import { Role } from '../support/role.js'
import { ShardedStore } from '../support/shard-front.js'
import { until } from '../support/until.js'

const project = 'acme/shards'
const roles: Role[] = []
let stores: [StoreProcess, StoreProcess]
let front: ShardedStore
let redis: RedisProcess
let writers: Api[]
let readers: Api[]

beforeAll(async () => {
  redis = await RedisProcess.start()
  stores = [await StoreProcess.start(), await StoreProcess.start()]
  front = await ShardedStore.start(stores)
  const node = (index: 0 | 1) => ({
    CLICKHOUSE_URL: front.url(index),
    CLICKHOUSE_CLUSTER: 'rehearsal',
    REDIS_URL: redis.url,
    HEDDLE_LOG_FORMAT: 'json',
  })
  await heddle(['migrate'], { env: node(0) })
  const made = await heddle(['keys', 'create', '--user', 'ann', '--grant', '*:write'], { env: node(1) })
  const key = made.trim()
  for (const index of [0, 1] as const) roles.push(await Role.start('ingest', node(index)))
  for (const index of [0, 1] as const) roles.push(await Role.start('query', node(index)))
  const apis = roles.map((role) => role.api(key))
  writers = apis.slice(0, 2)
  readers = apis.slice(2)
})

afterAll(async () => {
  await Promise.allSettled(roles.map((role) => role.stop()))
  front?.close()
  await Promise.allSettled([...(stores ?? []).map((store) => store.dispose()), redis?.stop()])
})

/** ids of `table` on one store */
async function idsOn(index: 0 | 1, table: string): Promise<string[]> {
  return (await stores[index].run(`SELECT id FROM ${table} ORDER BY id`))
    .split('\n')
    .filter((id) => id !== '')
}

async function spans(writer: Api, count: number): Promise<string[]> {
  const traceId = hex(16)
  const list = Array.from({ length: count }, (_, n) => ({ traceId, spanId: hex(8), name: `span ${n}` }))
  const body = exportRequest({ attributes: inProject(project), spans: list })
  const answer = await writer.post('/otel/v1/traces', body, { 'content-type': 'application/x-protobuf' })
  expect(answer.status).toBe(200)
  return list.map(({ spanId }) => spanId)
}

const acknowledged: string[] = []

describe('two shards', () => {
  it('hold the rows that the sharding key gives them, each row once', async () => {
    for (const writer of writers) acknowledged.push(...(await spans(writer, 40)))
    const [here, there] = [await idsOn(0, 'calls_local'), await idsOn(1, 'calls_local')]
    expect(here.length).toBeGreaterThan(20)
    expect(there.length).toBeGreaterThan(20)
    expect([...here, ...there].sort()).toEqual([...acknowledged].sort())
    for (const [index, store] of stores.entries()) {
      const strays = `SELECT count() FROM calls_local WHERE cityHash64(project_id, id) % 2 != ${index}`
      expect((await store.run(strays)).trim()).toBe('0')
    }
  })

  it('are read as one, by whichever query', async () => {
    for (const reader of readers) {
      expect(await reader.count(project)).toBe(acknowledged.length)
      const ids = (await reader.calls(project, { limit: 1000 })).map(({ id }) => id)
      expect(ids.sort()).toEqual([...acknowledged].sort())
      const query =
        'SELECT count() AS n, countIf(c.id IN (SELECT span_id FROM spans)) AS spans FROM calls AS c LEFT JOIN feedback AS f ON f.call_id = c.id'
      const sql = (project_id: string) => reader.ok('/sql', { project_id, query })
      const all = { n: acknowledged.length, spans: acknowledged.length }
      expect(await sql(project)).toMatchObject({ data: [all] })
      expect(await sql(`${project}-other`)).toMatchObject({ data: [{ n: 0 }] })
    }
  })

  it('join a start and an end that came to different processes', async () => {
    const calls = Array.from({ length: 6 }, (_, n) => complete(project, { op_name: `op ${n}`, output: n }))
    for (const [n, call] of calls.entries()) {
      const { start, end } = halves(call)
      await writers[n % 2]!.ok('/call/start', { start })
      await writers[(n + 1) % 2]!.ok('/call/end', { end })
    }
    for (const { id, output } of calls) {
      const read = await until('the call to be whole', async () => {
        const { call } = (await readers[0]!.ok('/call/read', { project_id: project, id: String(id) })) as {
          call: { ended_at: string | null; output: unknown } | null
        }
        return call?.ended_at != null && call
      })
      expect(read).toMatchObject({ output, ended_at: at(1) })
      acknowledged.push(String(id))
    }
  })

  it('take an update and a delete wherever the call lies', async () => {
    const [renamed, gone, ...rest] = Array.from({ length: 8 }, () =>
      complete(project, { op_name: 'changed' }),
    )
    await writers[0]!.ok(`/v2/${project}/calls/complete`, { batch: [renamed, gone, ...rest] })
    await writers[1]!.ok('/call/update', { project_id: project, call_id: renamed!.id, display_name: 'new' })
    await writers[1]!.ok('/calls/delete', { project_id: project, call_ids: [gone!.id] })
    const left = await readers[1]!.calls(project, { filter: { op_names: ['changed'] } })
    expect(left.map(({ id }) => id).sort()).toEqual([renamed, ...rest].map((call) => call!.id).sort())
    expect(left.find(({ id }) => id === renamed!.id)).toMatchObject({ display_name: 'new' })
    acknowledged.push(...left.map(({ id }) => String(id)))
  })

  it('hold objects and feedback, spread by what they are about', async () => {
    for (const [n, reader] of [...readers, ...readers, ...readers].entries()) {
      const obj = { project_id: project, object_id: `thing-${n}`, val: { n } }
      const { digest } = await reader.ok('/obj/create', { obj })
      const other = readers[(n + 1) % 2]!
      const read = { project_id: project, object_id: `thing-${n}`, digest }
      expect(await other.ok('/obj/read', read)).toMatchObject({ obj: { val: { n } } })
      const weave_ref = `weave:///${project}/object/thing-${n}:${digest}`
      await reader.ok('/feedback/create', {
        project_id: project,
        weave_ref,
        feedback_type: 'note',
        payload: {},
      })
    }
    const counts = await Promise.all(
      stores.map((store) => store.run("SELECT count() FROM objects_local WHERE object_id LIKE 'thing-%'")),
    )
    expect(counts.map(Number).reduce((sum, count) => sum + count)).toBe(6)
    expect(Math.min(...counts.map(Number))).toBeGreaterThan(0)
    const { result } = await readers[0]!.ok('/feedback/query', { project_id: project })
    expect(result).toHaveLength(6)
  })
})

describe('with a shard away', () => {
  it('what it would hold is refused with 503, what the other one holds is stored, and nothing is lost', async () => {
    await stores[1].kill()
    const writer = writers[0]!
    const answers = new Map<string, number>()
    const send = async () => {
      const spanId = hex(8)
      // An op that is known: a new one would be an object, and that may belong to the other shard.
      // New in time as well: what may be a late retry is looked for on both shards.
      const start = BigInt(Date.now()) * 1_000_000n
      const spans = [{ traceId: hex(16), spanId, name: 'span 1', start, end: start + 1n }]
      const body = exportRequest({ attributes: inProject(project), spans })
      const answer = await writer.post('/otel/v1/traces', body, { 'content-type': 'application/x-protobuf' })
      answers.set(spanId, answer.status)
      if (answer.status === 200) acknowledged.push(spanId)
      else expect(answer.headers['retry-after']).toBeDefined()
      return answers.size > 10 && new Set(answers.values()).size > 1
    }
    // After a 503 an ingest refuses everything until its next look at the store, a tenth of a second later.
    await until('spans of both shards', send)
    const stored = await idsOn(0, 'calls_local')
    for (const [id, status] of answers) expect([id, status]).toEqual([id, stored.includes(id) ? 200 : 503])
    expect(new Set(answers.values())).toEqual(new Set([200, 503]))
    // An update goes to all shards, as does every read by what is not the key.
    const update = { project_id: project, call_id: acknowledged[0], display_name: 'never' }
    const json = await writer.post('/call/update', update)
    expect([json.status, json.text]).toEqual([503, expect.stringContaining('STORE_UNAVAILABLE')])
    // An answer without the other half would pass for the whole.
    for (const reader of readers) {
      const answer = await reader.post('/calls/query_stats', { project_id: project })
      expect(answer.status).toBe(503)
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    }
  })

  it('everything that was acknowledged is there when it is back, each once', async () => {
    await stores[1].up()
    acknowledged.push(...(await until('writes to work again', () => spans(writers[1]!, 10))))
    for (const reader of readers) {
      const ids = (await until('reads to work', () => reader.calls(project, { limit: 1000 }))).map(
        ({ id }) => id,
      )
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of acknowledged) expect(ids).toContain(id)
    }
  })
})
