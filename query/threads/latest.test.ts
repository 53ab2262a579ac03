/** A page of the latest threads, found among the newest turns, is that of all turns. In the real engine. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { threadsStreamQuery } from '../../contract/threads.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { rounds } from '../../test/support/rounds.js'
import { writeCalls } from '../testing/calls.js'
import { ofLatest } from './latest.js'
import { threadsStatement } from './statement.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('latest_threads')
})
afterAll(() => engine?.stop())

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const call = fc.record({
  thread: fc.integer({ min: 0, max: 5 }),
  started: fc.integer({ min: 0, max: 60 }),
  /** minutes; null: it still runs */
  took: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 5 }),
  isTurn: fc.boolean(),
})
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never
const asked = fc.record({
  limit: fc.integer({ min: 1, max: 3 }),
  offset: fc.option(fc.integer({ min: 0, max: 2 })),
  turnsEach: fc.constantFrom([1], [1, 3], [10, 100]),
})

let projects = 0
async function written(calls: readonly Call[]): Promise<string> {
  const project = `acme/latest-${projects++}`
  await writeCalls(
    store,
    project,
    calls.map(({ thread, started, took, isTurn }, n) => ({
      ...{
        id: `c${n}`,
        thread_id: `t${thread}`,
        turn_id: isTurn ? `c${n}` : 'another',
        started_at: at(started),
      },
      ...(took === null ? { half: 'start' as const } : { ended_at: at(started + took) }),
    })),
  )
  return project
}

const rows = <Row>(statement: Sql) => store.rows<Row>(statement)
const parsed = (body: object) => threadsStreamQuery.body!.parse(body)

it('is that of all turns', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 15 }),
      fc.array(asked, { minLength: 4, maxLength: 4 }),
      async (calls, questions) => {
        const project_id = await written(calls)
        for (const { turnsEach, ...page } of questions) {
          const request = parsed({ project_id, ...page })
          const found = await rows(threadsStatement(await ofLatest(rows, request, turnsEach)))
          expect(found).toEqual(await rows(threadsStatement(request)))
        }
      },
    ),
    { numRuns: rounds(8, 40) },
  )
}, 120_000)

const turn = (thread: number, started: number): Call => ({ thread, started, took: 1, isTurn: true })

it.each([
  ['one turn each', [turn(1, 1), turn(2, 2), turn(3, 3)], [1], ['t3', 't2']],
  ['of one thread alone', [turn(1, 1), turn(2, 2), turn(2, 3)], [1], null],
  ['of one thread, then of more', [turn(1, 1), turn(2, 2), turn(2, 3)], [1, 3], ['t2', 't1']],
])('looks among the newest turns: %s', async (_, calls, turnsEach, ids) => {
  const request = parsed({ project_id: await written(calls), limit: 2 })
  const { filter } = await ofLatest(rows, request, turnsEach)
  expect(filter?.thread_ids ?? null).toEqual(ids)
})
