/** Statistics whose buckets are kept are those of a service that has kept none, after every change. In the real engine. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BY_PATCH } from '../../domain/calls/patch.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { rounds } from '../../test/support/rounds.js'
import { writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { BucketStamps } from './bucket-stamps.js'
import { KeptBuckets, merged, rangesOf } from './kept-buckets.js'
import { statsOf, statsRoute } from './stats-route.js'

describe('kept buckets', () => {
  const range = (from: number) => ({ from, to: from + 1 })

  it('are those of one question and one range', () => {
    const kept = new KeptBuckets<number>()
    kept.set('a', range(1), { stamp: 's', rows: [1] })
    expect(kept.get('a', range(1))).toEqual({ stamp: 's', rows: [1] })
    expect(kept.get('b', range(1))).toBeUndefined()
    expect(kept.get('a', { from: 1, to: 3 })).toBeUndefined()
  })

  it('are dropped beyond their number, those first that were not used for longest; an empty one counts as a row', () => {
    const kept = new KeptBuckets<number>(3)
    kept.set('a', range(1), { stamp: undefined, rows: [] })
    kept.set('a', range(2), { stamp: 's', rows: [1] })
    kept.set('a', range(2), { stamp: 't', rows: [2] })
    kept.get('a', range(1))
    kept.set('a', range(3), { stamp: 's', rows: [1, 2] })
    expect([1, 2, 3].map((from) => kept.get('a', range(from))?.rows)).toEqual([[], undefined, [1, 2]])
  })

  it('cover what of a span lies in each bucket', () => {
    expect(rangesOf({ start: 1_500_000, end: 4_200_000, granularity: 2, starts: [0, 2, 4] })).toEqual([
      { from: 1_500_000, to: 2_000_000 },
      { from: 2_000_000, to: 4_000_000 },
      { from: 4_000_000, to: 4_200_000 },
    ])
  })

  it('are asked for in few ranges', () => {
    expect(merged([range(1), range(2), range(5)])).toEqual([{ from: 1, to: 3 }, range(5)])
    expect(merged([range(1), range(3), range(5)], 2)).toEqual([{ from: 1, to: 6 }])
    expect(merged([])).toEqual([])
  })
})

describe('statistics', () => {
  let service: TestService
  const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
  type Store = TestService['store']
  /** @param quickMs as long as the stamps of calls take less, those of parts are not put together */
  const routes = (store: Store, quickMs?: number) => {
    const reader = new CallReader(store, limits)
    return [statsRoute(statsOf(reader, store, new BucketStamps(store, reader, quickMs)))]
  }
  beforeAll(async () => {
    service = await startService((store) => routes(store))
    // While parts are merged, what they have is not put together.
    await service.store.run(sql`SYSTEM STOP MERGES calls`)
  })
  afterAll(() => service?.stop())

  const hour = (hour: number, second = 0) => new Date(Date.UTC(2026, 0, 1, hour, 0, second)).toISOString()
  const few = (max: number) => fc.integer({ min: 0, max })
  const change = fc.oneof(
    fc.record({
      kind: fc.constant('write' as const),
      call: few(5),
      hour: few(3),
      model: few(1),
      tokens: few(9),
    }),
    fc.record({ kind: fc.constant('start' as const), call: few(5), hour: few(3) }),
    fc.record({ kind: fc.constant('end' as const), call: few(5) }),
    fc.record({ kind: fc.constant('delete' as const), call: few(5) }),
    fc.record({ kind: fc.constant('rename' as const), call: few(5) }),
    fc.record({ kind: fc.constant('price' as const), price: few(3) }),
    fc.record({ kind: fc.constant('unprice' as const) }),
  )

  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

  it('are right after each of any changes', async () => {
    const cold = () => service.again((store) => routes(store))
    const byParts = await service.again((store) => routes(store, 0))
    let projects = 0
    let ver = 10
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 }),
        fc.array(few(2), { minLength: 4, maxLength: 4 }),
        async (changes, ends) => {
          const project = `acme/kept-${projects++}`
          const projectId = projectIdOf(project)
          const { store } = service
          const remove = async (id: string, before: number) => {
            const where = sql`project_id = ${bind.string(projectId)} AND id = ${bind.string(id)} AND ver < ${bind.uint(before)}`
            for (const table of ['calls', 'calls_open'] as const)
              await store.run(sql`DELETE FROM ${store.mutable(table)} WHERE ${where}`, { settings: BY_PATCH })
          }
          const apply = async (one: Change) => {
            ver += 1
            const id = 'call' in one ? `c${one.call}` : ''
            switch (one.kind) {
              case 'write': {
                const summary = `{"usage":{"m${one.model}":{"input_tokens":${one.tokens}}}}`
                const times = {
                  started_at: hour(one.hour, one.call),
                  ended_at: hour(one.hour, one.call + one.tokens),
                }
                await writeCalls(store, project, [
                  { id, ...times, summary, first_token: one.tokens * 1000, ver },
                ])
                return remove(id, ver)
              }
              case 'start':
                return writeCalls(store, project, [{ id, started_at: hour(one.hour), half: 'start', ver }])
              case 'end': {
                // Of the version that its start had.
                const [start] = await store.rows<{ ver: number; at: string }>(sql`
                SELECT ver, formatDateTime(started_at, '%FT%TZ') AS at FROM calls_open
                WHERE project_id = ${bind.string(projectId)} AND id = ${bind.string(id)} ORDER BY ver DESC LIMIT 1`)
                if (start === undefined) return
                const times = { started_at: start.at, ended_at: hour(9) }
                await writeCalls(store, project, [{ id, ...times, ver: Number(start.ver) }])
                const where = sql`project_id = ${bind.string(projectId)} AND id = ${bind.string(id)}`
                return store.run(sql`DELETE FROM ${store.mutable('calls_open')} WHERE ${where}`, {
                  settings: BY_PATCH,
                })
              }
              case 'delete':
                return remove(id, ver + 1)
              case 'rename': {
                const where = sql`project_id = ${bind.string(projectId)} AND id = ${bind.string(id)}`
                return store.run(sql`UPDATE ${store.mutable('calls')} SET display_name = 'x' WHERE ${where}`)
              }
              case 'price':
              case 'unprice': {
                const price = one.kind === 'price' ? { prompt: one.price + 1 } : { deleted: 1 }
                const row = {
                  project_id: projectId,
                  id: '1',
                  llm_id: 'm1',
                  provider_id: 'default',
                  ver,
                  ...price,
                }
                await store.insertRows('costs', [{ ...row, effective_date: '2025-01-01 00:00:00' }])
              }
            }
          }
          for (const [i, some] of changes.entries()) {
            for (const one of some) await apply(one)
            const body = {
              ...{ project_id: project, start: hour(0, 2), end: hour(2 + ends[i]!, 1), granularity: 3600 },
              call_metrics: [
                { metric: 'latency_ms', percentiles: [50] },
                { metric: 'time_to_first_token_ms', percentiles: [50, 95] },
                { metric: 'call_count' },
              ],
              usage_metrics: [{ metric: 'total_tokens' }, { metric: 'total_cost' }],
            }
            const other = await cold()
            const plain = await other.post('/calls/stats', body)
            await other.stop()
            for (const one of [service, byParts]) {
              const kept = await one.post('/calls/stats', body)
              expect(kept.status, kept.text).toBe(200)
              expect(kept.json).toEqual(plain.json)
            }
          }
        },
      ),
      { numRuns: rounds(2, 20) },
    )
    await byParts.stop()
  }, 120_000)

  it.each([
    ['calls have', Number.POSITIVE_INFINITY, [true], [true, false]],
    ['parts have', 0, [], [false]],
  ])('read only the buckets that have changed, as the stamps say that %s', async (_, quickMs, none, one) => {
    const project = `acme/few-${quickMs}`
    const body = {
      ...{ project_id: project, start: hour(0), end: hour(4), granularity: 3600 },
      call_metrics: [{ metric: 'call_count' }],
    }
    const asked: string[] = []
    const other = await service.again((store) => {
      const recording = Object.create(store) as typeof store
      recording.rows = (statement, options) => {
        asked.push(JSON.stringify(statement.render().params))
        return store.rows(statement, options)
      }
      return routes(recording, quickMs)
    })
    const micros = (at: number) => String(Date.parse(hour(at)) * 1000)
    /** The counts, and for each statement over time whether it reads from the beginning. */
    const statements = async () => {
      asked.length = 0
      const { json } = await other.post('/calls/stats', body)
      const read = asked.filter((params) => params.includes(micros(4)))
      return [
        json.call_buckets.map((bucket: Record<string, unknown>) => bucket.sum_call_count),
        read.map((params) => params.includes(micros(0))),
      ]
    }
    const call = (id: string, at: number) => ({ id, started_at: hour(at), ended_at: hour(at, 1) })
    await writeCalls(service.store, project, [call('a', 0), call('b', 3)])
    expect(await statements()).toEqual([[1, 0, 0, 1], [true]])
    expect(await statements()).toEqual([[1, 0, 0, 1], [true]])
    expect(await statements()).toEqual([[1, 0, 0, 1], none])
    await writeCalls(service.store, project, [call('c', 3)])
    expect(await statements()).toEqual([[1, 0, 0, 2], one])
    await other.stop()
  })
})
