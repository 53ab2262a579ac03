/** A short list in another order than the key's is read in two steps, and the slowest calls within a bound: it has the first lines of the list of all. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callsStreamQuery } from '../../contract/calls-read.js'
import type { Page } from '../../domain/calls/read/page.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { rounds } from '../../test/support/rounds.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { callsRoutes } from './routes.js'
import { lineOf } from './selection.js'

let service: TestService
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
}, 120_000)
afterAll(() => service?.stop())

const START = 1.7e15
/** Latencies that are alike, differ by less than a ms, are 0 or below it; undefined: it runs. */
const took = fc.oneof(
  fc.constantFrom(undefined, 0, 999, 1000, 1001, 2_000_000, -5),
  fc.integer({ min: 0, max: 5_000_000 }),
)
const call = fc.record({ took, half: fc.boolean(), op: fc.constantFrom('a', 'b', 'c') })

function rowOf(
  { took, half, op }: { took: number | undefined; half: boolean; op: string },
  id: string,
): TestCall {
  const started = START + 1_000_003 * (id.length % 7)
  const row = { id, op_name: op, started_at: isoOfMicros(started) }
  if (took === undefined) return half ? { ...row, half: 'start' } : row
  return { ...row, ended_at: isoOfMicros(started + took) }
}

const by = (field: string, direction: string) => ({ sort_by: [{ field, direction }] })
const LATENCY = 'summary.weave.latency_ms'
const ORDERS = [
  by(LATENCY, 'desc'),
  by(LATENCY, 'asc'),
  by('op_name', 'asc'),
  { sort_by: [...by(LATENCY, 'desc').sort_by, { field: 'op_name', direction: 'asc' }] },
  { ...by(LATENCY, 'desc'), filter: { op_names: ['a'] } },
]

it('of which no end is in sight is refused long before its time is over', async () => {
  const reader = new CallReader(service.store, { ...limits, seconds: 600 })
  const slow = sql`(SELECT sum(sleepEachRow(0.05)) FROM (SELECT number FROM numbers(1000000) SETTINGS max_block_size = 10)) >= 0`
  const page: Page = {
    ...{ projectId: projectIdOf('acme/one'), conditions: [slow], early: [], limit: 10, offset: 0 },
    order: { kind: 'free', terms: [{ value: sql`op_name`, direction: 'asc' }] },
  }
  const line = lineOf(callsStreamQuery.body!.parse({ project_id: 'acme/one' }))
  const { signal } = new AbortController()
  const refused = { code: 'TOO_SLOW' }
  await Promise.all([
    expect(reader.page(page, line, signal)).rejects.toMatchObject(refused),
    expect(reader.rows(sql`SELECT ${slow}`, signal)).rejects.toMatchObject(refused),
  ])
})

it(
  'is the beginning of the long one, again and again while calls come and go',
  async () => {
    let project = 0
    const calls = fc.array(call, { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        calls,
        calls,
        fc.nat(5),
        fc.integer({ min: 1, max: 20 }),
        async (before, after, offset, limit) => {
          const project_id = `list/p${project++}`
          const lines = async (asked: object) => {
            const answer = await service.post('/calls/stream_query', { project_id, ...asked })
            expect(answer.status).toBe(200)
            return answer.text.split('\n').slice(0, -1)
          }
          const check = async () => {
            for (const order of ORDERS) {
              const all = await lines(order)
              expect(await lines({ ...order, offset, limit })).toEqual(all.slice(offset, offset + limit))
            }
          }
          const write = (rows: readonly (typeof before)[number][], name: string) =>
            writeCalls(
              service.store,
              project_id,
              rows.map((row, i) => rowOf(row, `${name}${'x'.repeat(i % 7)}${i}`)),
            )
          await write(before, 'before')
          await check()
          await check()
          await write(after, 'after')
          await check()
          // The slowest go: the bound is too high.
          const { store } = service
          await store.run(
            sql`DELETE FROM ${store.mutable('calls')} WHERE project_id = ${bind.string(projectIdOf(project_id))} AND startsWith(id, 'before')`,
          )
          await check()
        },
      ),
      { numRuns: rounds(2, 3), endOnFailure: true },
    )
  },
  rounds(240_000),
)
