/**
 * A call that is replaced or completed is there once, for every reader, after each step of the write, also when the
 * writer is killed between two steps.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteMoved } from '../../domain/calls/moved.js'
import { BY_PATCH } from '../../domain/calls/patch.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { LongList } from '../../domain/calls/read/long-list.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { announce, type ExpectedRow } from '../../domain/calls/unsettled.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'
import { microsOf } from '../../platform/time/micros.js'
import { rounds } from '../../test/support/rounds.js'
import { ProjectSql } from '../sql/project-sql.js'
import { sqlRoutes } from '../sql/routes.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { countStatement } from './count.js'
import { callsRoutes } from './routes.js'
import { lineOf, pageOf } from './selection.js'

let service: TestService
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
beforeAll(async () => {
  service = await startService((store) => [
    ...callsRoutes({ store, limits }),
    ...sqlRoutes(new ProjectSql(store)),
  ])
})
afterAll(() => service?.stop())

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
const whole = (id: string, second: number, ver: number): TestCall => ({
  ...{ id, started_at: at(second), ended_at: at(second + 1), trace_id: 'trace', ver },
  output: `${ver}`,
})
const half = (id: string, ver: number, kind: 'start' | 'end'): TestCall => ({
  ...{ id, started_at: at(50), trace_id: 'trace', ver, half: kind },
  ...(kind === 'end' && { ended_at: at(51) }),
})
const NEIGHBOURS = Array.from({ length: 9 }, (_, n) => whole(`neighbour ${n}`, 10 * n, n + 1))

/** A write that takes the place of `before`, as its steps are. */
interface Replacement {
  before: TestCall
  kind: ExpectedRow['kind']
  /** before the row comes */
  first?: TestCall
  row: TestCall
}
type Case = [name: string, (id: string) => Replacement]
const CASES: Case[] = [
  ['with the same start', (id) => ({ before: whole(id, 50, 100), kind: 'whole', row: whole(id, 50, 200) })],
  ['with an earlier start', (id) => ({ before: whole(id, 50, 100), kind: 'whole', row: whole(id, 5, 200) })],
  ['with a later start', (id) => ({ before: whole(id, 50, 100), kind: 'whole', row: whole(id, 500, 200) })],
  [
    'that ends',
    (id) => ({
      ...{ before: half(id, 100, 'start'), kind: 'half' },
      ...{ first: half(id, 200, 'end'), row: whole(id, 50, 200) },
    }),
  ],
  [
    'that is started again',
    (id) => ({
      ...{ before: whole(id, 50, 100), kind: 'whole' },
      ...{ first: half(id, 200, 'start'), row: whole(id, 50, 200) },
    }),
  ],
  [
    'that runs and restarts',
    (id) => ({ before: half(id, 100, 'start'), kind: 'half', row: half(id, 200, 'start') }),
  ],
]

/** Those of a project, by what readers are told to look for: a row that takes another's place, one elsewhere, a half. */
const TOGETHER: Case[][] = [
  CASES.filter(([name]) => /same|again/.test(name)),
  CASES.filter(([name]) => /earlier|later/.test(name)),
  CASES.filter(([name]) => /ends|restarts/.test(name)),
]

function stepsOf(
  project: string,
  id: string,
  { before, kind, first, row }: Replacement,
  store = service.store,
) {
  const project_id = projectIdOf(project)
  const old = sql`project_id = ${bind.string(project_id)} AND id = ${bind.string(id)} AND ver <= ${bind.uint(row.ver!)}`
  const drop = (table: 'calls' | 'calls_open', which = sql`1`) =>
    store.run(sql`DELETE FROM ${store.mutable(table)} WHERE ${old} AND ${which}`, { settings: BY_PATCH })
  const gone = { projectId: project_id, id, ver: before.ver!, startedAt: microsOf(before.started_at) }
  return [
    () => writeCalls(store, project, [before]),
    () => announce(store, [{ projectId: project_id, id, ver: row.ver!, kind }]),
    async () => void (first && (await writeCalls(store, project, [first]))),
    () => writeCalls(store, project, [row]),
    async () => void (row.started_at !== before.started_at && (await noteMoved(store, [gone]))),
    () => drop('calls', sql`ver < ${bind.uint(row.ver!)}`),
    () => drop('calls_open', row.half ? sql`ver < ${bind.uint(row.ver!)}` : undefined),
  ]
}

const READS: Record<string, object> = {
  'a list': {},
  'a page': { limit: 100 },
  'a page from the end': { limit: 100, sort_by: [{ field: 'started_at', direction: 'desc' }] },
  'a sorted list': { sort_by: [{ field: 'op_name', direction: 'asc' }] },
  'a sorted page': { limit: 100, sort_by: [{ field: 'op_name', direction: 'asc' }] },
  'a filtered list': { filter: { trace_ids: ['trace'] } },
  'a list by a wide column': {
    query: { $expr: { $not: [{ $eq: [{ $getField: 'inputs.x' }, { $literal: 'y' }] }] } },
  },
}

/** What each way to read says of the calls of a project: ids in order of name, or how many. */
async function readsOf(project_id: string): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  for (const [name, asked] of Object.entries(READS)) {
    const { text } = await service.post('/calls/stream_query', { project_id, columns: ['id'], ...asked })
    seen[name] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id)
      .sort()
  }
  for (const [name, more] of Object.entries({
    'a count': {},
    'a filtered count': { filter: { trace_ids: ['trace'] } },
    'a count up to a limit': { limit: 1000 },
    'a count with sizes': { include_total_storage_size: true },
  }))
    seen[name] = (await service.post('/calls/query_stats', { project_id, ...more })).json.count
  const stats = await service.post('/calls/stats', {
    ...{ project_id, start: at(-100), end: at(1000), granularity: 86_400 },
    call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
  })
  seen.statistics = stats.json.call_buckets.reduce(
    (sum: number, bucket: { sum_call_count: number }) => sum + bucket.sum_call_count,
    0,
  )
  const query = 'SELECT id FROM calls ORDER BY id'
  const { json } = await service.post('/sql', { project_id, query })
  seen['a statement'] = json.data.map(({ id }: { id: string }) => id)
  return seen
}

it.each(TOGETHER.map((cases) => [cases.map(([name]) => name).join(' and '), cases] as const))(
  'a call %s is there once after every step',
  async (names, cases) => {
    const project = `acme/${names.replaceAll(' ', '-')}`
    await writeCalls(service.store, project, NEIGHBOURS)
    const ids = [...NEIGHBOURS.map(({ id }) => id), ...cases.map(([name]) => name)].sort()
    const steps = cases.map(([name, caseOf]) => stepsOf(project, name, caseOf(name)))
    for (let n = 0; n < steps[0]!.length; n++) {
      for (const of of steps) await of[n]!()
      for (const [read, said] of Object.entries(await readsOf(project)))
        expect([n, read, said]).toEqual([n, read, typeof said === 'number' ? ids.length : ids])
      // Reads by id leave out the other rows in a way of their own, and find the same row as sorted lists.
      for (const [id] of cases) {
        const { json } = await service.post('/call/read', { project_id: project, id })
        const asked = { filter: { call_ids: [id] }, ...READS['a sorted list'] }
        const { text } = await service.post('/calls/stream_query', { project_id: project, ...asked })
        expect(json.call).toEqual(JSON.parse(text))
      }
    }
  },
)

it('is counted once by a statement that takes its time between two tables', async () => {
  const engine = await sharedTestEngine()
  const store = await engine.migrated('slow')
  const project = 'acme/slow'
  const projectId = projectIdOf(project)
  const all = { projectId, conditions: [], early: [], limit: undefined, sizes: false }
  const slow = { settings: { merge_tree_storage_snapshot_sleep_ms: '15' } }
  const rows = sql`SELECT count() FROM (${rowsOfBoth(sql`id`, projectId, [])})`
  const settle = () =>
    store.run(
      sql`DELETE FROM ${store.mutable('calls_unsettled')} WHERE project_id = ${bind.string(projectId)}`,
      { settings: BY_PATCH },
    )
  // One presumes each time that no call has several rows; the other one has seen that some have, and never does.
  const presuming = new Store({ ...engine.optionsOf('slow'), presumeAgainMs: 0 })
  const exact = new Store({ ...engine.optionsOf('slow'), presumeAgainMs: 1e9 })
  await announce(store, [{ projectId, id: 'another', ver: 1, kind: 'half' }])
  await exact.rows(rows)
  await settle()
  const counts = async () => {
    // Side by side: a write is over before the third of them would begin.
    return Promise.all([
      presuming.value<number>(countStatement(all), slow),
      exact.value<number>(countStatement(all), slow),
      presuming.value<number>(rows, slow),
    ])
  }
  await writeCalls(store, project, NEIGHBOURS)
  let there = NEIGHBOURS.length
  for (let round = 0; round < 3; round++)
    for (const [name, caseOf] of CASES) {
      const id = `${name} ${round}`
      const [begin, ...steps] = stepsOf(project, id, caseOf(id), store)
      await begin!()
      there++
      let isOver = false
      const writing = (async () => {
        for (const step of steps) await step()
        isOver = true
      })()
      while (!isOver) for (const count of await counts()) expect([id, count]).toEqual([id, there])
      await writing
      await settle()
    }
  await Promise.all([presuming.close(), exact.close(), engine.stop()])
})

/** Three rows of a list fit into a slice of it; of rows that may be a list's, of which few mostly are, 24. */
const SLICE = 3500
const MOVED = 16
const SEEDS = Array.from({ length: rounds(1) }, (_, n) => n + 1)
const ORDERS: Record<string, { query?: object }> = {
  'along the key': {},
  'against it': { sort_by: [{ field: 'started_at', direction: 'desc' }] } as object,
  'by another field': { sort_by: [{ field: 'op_name', direction: 'asc' }] } as object,
  'up to a limit': { limit: NEIGHBOURS.length + MOVED } as object,
  'by what is known with the rows alone': {
    query: { $expr: { $not: [{ $eq: [{ $getField: 'inputs.x' }, { $literal: 'y' }] }] } },
  },
}
const UNASKED = { filter: null, query: null, sort_by: null, limit: null, offset: null, columns: ['id'] }

/** Ids of a list of several statements. @param between called before each, with its number */
async function listed(project: string, asked: { query?: object }, between: (n: number) => Promise<void>) {
  const given = { ...UNASKED, project_id: project, ...asked } as Parameters<typeof pageOf>[0]
  let statements = 0
  let done = Promise.resolve()
  const list = new LongList(
    async (statement, format, _settings, signal) => {
      const n = ++statements
      // Two statements may begin at once; the steps of a write never do.
      done = done.then(() => between(n))
      await done
      const pieces: Uint8Array[] = []
      // Read to its end before anything else happens: so it is known what it saw.
      for await (const piece of await service.store.stream(statement, format, { signal })) pieces.push(piece)
      return (async function* () {
        yield* pieces
      })()
    },
    asked.query ? SLICE : 8 * SLICE,
  )
  const lines: Uint8Array[] = []
  const { signal } = new AbortController()
  for await (const piece of list.lines(pageOf(given, callFields(project)), lineOf(given), signal))
    lines.push(piece)
  const text = Buffer.concat(lines).toString().trim()
  return { ids: text.split('\n').map((line) => JSON.parse(line).id as string), statements }
}

/** Numbers below `most`, the same for the same seed. */
function numbers(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

describe.each(Object.entries(ORDERS))('a list of several statements %s', (order, asked) => {
  it.each(SEEDS)('shows calls once that are replaced between any two of them (%i)', async (seed) => {
    const project = `acme/${order} ${seed}`.replaceAll(' ', '-')
    const any = numbers(seed)
    await writeCalls(service.store, project, NEIGHBOURS)
    const due: (() => Promise<unknown>)[][] = []
    const ids = NEIGHBOURS.map(({ id }) => id)
    for (let n = 0; n < MOVED; n++) {
      const id = `moved ${n}`
      ids.push(id)
      const [from, to] = [any(100), any(100)]
      const [begin, ...steps] = stepsOf(project, id, {
        ...{ before: whole(id, from, 100), row: whole(id, to, 200), kind: 'whole' },
        ...(any(4) === 0 && { before: half(id, 100, 'start') }),
      })
      await begin!()
      const announced = sql`project_id = ${bind.string(projectIdOf(project))} AND id = ${bind.string(id)}`
      const { store } = service
      steps.push(() =>
        store.run(sql`DELETE FROM ${store.mutable('calls_unsettled')} WHERE ${announced}`, {
          settings: BY_PATCH,
        }),
      )
      // Some are cut off in the middle for a while.
      let at = any(3 * MOVED)
      for (const step of steps) {
        due[at] = [...(due[at] ?? []), step]
        if (any(3) === 0) at += any(4)
      }
    }
    for (const step of due[0] ?? []) await step()
    const seen = await listed(project, asked, async (n) => {
      for (const step of due[n] ?? []) await step()
    })
    expect(seen.ids.sort()).toEqual(ids.sort())
    expect(seen.statements).toBeGreaterThan(MOVED / 2)
  })
})
