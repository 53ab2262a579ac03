/** A call is stored the same, whether its start and end come in one request, which is joined before it is stored, or in two. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LEAF_LIMIT, TRUNCATED } from '../../domain/calls/leaves.js'
import { columnsOf } from '../../domain/calls/schema.js'
import { bind, ident, join, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { rounds } from '../../test/support/rounds.js'
import { newProject, TestService } from '../testing/service.js'

let engine: TestEngine
let store: Store
let service: TestService
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('join_rows')
  service = await TestService.start(store)
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
})

const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const json = fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })
/** Few leaves, or more than a call has: one that is near the limit may keep all of them in one way, and not in another. */
const leafy = fc
  .constantFrom(0, 40, LEAF_LIMIT + 50)
  .map((n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v'])))
const id = fc.constantFrom('a', 'b', 'ü', "o'ne")
const optional = { requiredKeys: [] }
const call = fc.record({
  start: fc.record({ inputs: fc.oneof(json, leafy), attributes: json }),
  more: fc.record(
    {
      ...{ display_name: fc.constantFrom('shown', 'é'), parent_id: id, thread_id: id, turn_id: id },
      ...{ wb_run_step: fc.nat(), otel_dump: fc.record({ name: text }) },
    },
    optional,
  ),
  end: fc.record({ output: fc.oneof(fc.jsonValue(), leafy), summary: json }),
  ended: fc.record({ exception: fc.constantFrom('it failed', 'é\n'), wb_run_step_end: fc.nat() }, optional),
})

const OWN = ['project_id', 'ver', 'leaves', 'expire_at']
const COLUMNS = columnsOf('calls').flatMap(({ name }) => (OWN.includes(name) ? [] : [ident(name)]))

/** All that is stored of a project's calls; of those with too many leaves it doesn't matter which are there. */
async function stored(project: string): Promise<unknown[]> {
  const rows = await store.rows<{ hashes: number[] }>(sql`
    SELECT ${join(COLUMNS, sql`, `)}, arraySort(arrayDistinct(leaves)) AS hashes FROM calls
    WHERE project_id = ${bind.string(projectIdOf(project))} ORDER BY id`)
  return rows.map((row) => ({ ...row, hashes: row.hashes[0] === TRUNCATED ? 'too many' : row.hashes }))
}

it('of any call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 20 }), async (calls) => {
      const halves = (project_id: string) =>
        calls.map(({ start, more, end, ended }, n) => {
          const own = { project_id, id: `call-${String(n).padStart(2, '0')}` }
          const began = { op_name: 'op', trace_id: `t${n}`, started_at: '2026-01-01T00:00:00.000001Z' }
          return [
            { mode: 'start', req: { start: { ...own, ...began, ...start, ...more } } },
            { mode: 'end', req: { end: { ...own, ended_at: '2026-01-01T00:00:01Z', ...end, ...ended } } },
          ] as const
        })
      const send = async (batch: readonly object[]) =>
        expect(await service.post('/call/upsert_batch', { batch })).toMatchObject({ status: 200 })
      const [together, apart, endFirst] = [newProject(), newProject(), newProject()]
      await send(halves(together).flat())
      for (const side of [0, 1]) await send(halves(apart).map((pair) => pair[side]!))
      for (const side of [1, 0]) await send(halves(endFirst).map((pair) => pair[side]!))
      const expected = await stored(together)
      expect(expected).toHaveLength(calls.length)
      expect(await stored(apart)).toEqual(expected)
      expect(await stored(endFirst)).toEqual(expected)
    }),
    { numRuns: rounds(5, 12), endOnFailure: true },
  )
})
