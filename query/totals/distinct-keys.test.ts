/** Values that parts of the table have are counted as the table counts them, whatever happens to calls. In the real engine. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BY_PATCH } from '../../domain/calls/patch.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { announce } from '../../domain/calls/unsettled.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { rounds } from '../../test/support/rounds.js'
import { writeCalls } from '../testing/calls.js'
import { DistinctKeys } from './distinct-keys.js'
import { countStatement, groupsOf } from './statement.js'

const { signal } = new AbortController()
let engine: TestEngine
let store: Store
let reader: CallReader
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('distinct_keys')
  reader = new CallReader(store, { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 })
  // A merge in between would leave it to the table.
  await store.run(sql`SYSTEM STOP MERGES calls`)
})
afterAll(() => engine?.stop())

const few = (max: number) => fc.integer({ min: 0, max })
const call = fc.record({ id: few(9), thread: few(4), isTurn: fc.boolean() })
const change = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), calls: fc.array(call, { minLength: 1, maxLength: 4 }) }),
  fc.record({ kind: fc.constant('start' as const), calls: fc.array(call, { minLength: 1, maxLength: 2 }) }),
  fc.record({ kind: fc.constant('delete' as const), id: few(9) }),
)

it.each(['thread', 'endUser'] as const)(
  '%s',
  async (by) => {
    const rows = <R>(statement: Sql) => reader.rows<R>(statement, signal)
    const keys = new DistinctKeys(store, reader, groupsOf(by), 0)
    let projects = 0
    let ver = 1
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const project = `acme/keys-${by}-${projects++}`
        const projectId = projectIdOf(project)
        const table = async () => {
          const [row] = await rows<{ total: number }>(countStatement({ projectId, by, among: [] }))
          return row!.total
        }
        expect(await keys.count(projectId, table, signal)).toBe(0)
        let isUnsettled = false
        const whole = new Set<number>()
        for (const one of changes) {
          ver += 1
          if (one.kind === 'delete') {
            const where = sql`project_id = ${bind.string(projectId)} AND id = ${bind.string(`c${one.id}`)}`
            for (const name of ['calls', 'calls_open'] as const)
              await store.run(sql`DELETE FROM ${store.mutable(name)} WHERE ${where}`, { settings: BY_PATCH })
          } else {
            const calls = [...new Map(one.calls.map((each) => [each.id, each])).values()]
            const twice = one.kind === 'write' ? calls.filter(({ id }) => whole.has(id)) : []
            await announce(
              store,
              twice.map(({ id }) => ({ projectId, id: `c${id}`, ver, kind: 'whole' })),
            )
            isUnsettled ||= twice.length > 0
            if (one.kind === 'write') for (const { id } of calls) whole.add(id)
            await writeCalls(
              store,
              project,
              calls.map(({ id, thread, isTurn }) => ({
                ...{ id: `c${id}`, ver, started_at: `2026-01-01T00:00:${10 + id}Z` },
                ...(one.kind === 'start' ? { half: 'start' as const } : { ended_at: '2026-01-01T01:00:00Z' }),
                ...{ thread_id: `t${thread}`, turn_id: isTurn ? `c${id}` : 'another' },
                attributes: thread === 0 ? '{}' : `{"user.id":"u${thread}"}`,
              })),
            )
          }
          // While a call has several rows, only the table tells.
          const counted = await keys.count(projectId, async () => -1, signal)
          expect(counted).toBe(isUnsettled ? -1 : await table())
        }
      }),
      { numRuns: rounds(5, 20) },
    )
  },
  120_000,
)
