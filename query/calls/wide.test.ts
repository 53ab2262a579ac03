/** Calls that together are far wider than a statement's memory, in many small parts: every list of them comes whole. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callFields } from '../../domain/calls/read/fields.js'
import { LongList } from '../../domain/calls/read/long-list.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { callsRoutes } from './routes.js'
import { lineOf, pageOf } from './selection.js'

let service: TestService
const project_id = 'acme/wide'
const PARTS = 30
const ROWS = 20
const WIDTH = 24_000
/** Which the engine holds each statement to. */
const limits = { seconds: 60, memoryBytes: 24 << 20, readBytes: 1e11 }

/** Text that does not compress away, from a number. */
function noise(seed: number): string {
  let state = seed * 2 + 1
  let text = ''
  while (text.length < WIDTH) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += state.toString(36)
  }
  return text
}

function callOf(part: number, row: number): TestCall {
  const number = part + row * PARTS
  return {
    id: `call-${String(number).padStart(5, '0')}`,
    op_name: `op ${(number * 7919) % (PARTS * ROWS)}`,
    started_at: new Date(Date.UTC(2026, 0, 1) + number).toISOString(),
    ended_at: new Date(Date.UTC(2026, 0, 1) + 2 * number).toISOString(),
    inputs: JSON.stringify({ text: noise(number), tenth: number % 10 }),
    output: number % 3 === 0 ? JSON.stringify(`-${noise(-number)}`) : '',
    ...(number % 50 === 0 && { half: 'start' as const }),
  }
}

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
  for (const table of ['calls', 'calls_open']) await service.store.runTrusted(`SYSTEM STOP MERGES ${table}`)
  for (let part = 0; part < PARTS; part++)
    await writeCalls(
      service.store,
      project_id,
      Array.from({ length: ROWS }, (_, row) => callOf(part, row)),
    )
}, 120_000)
afterAll(() => service?.stop())

const all = Array.from({ length: PARTS * ROWS }, (_, i) => callOf(i % PARTS, Math.floor(i / PARTS)))
const ids = (calls: readonly { id: string }[]) => calls.map(({ id }) => id)
const byOp = [...all].sort((a, b) => Buffer.compare(Buffer.from(a.op_name!), Buffer.from(b.op_name!)))
const tenth = { query: { $expr: { $eq: [{ $getField: 'inputs.tenth' }, { $literal: 3 }] } } }
const thirds = {
  query: { $expr: { $contains: { input: { $getField: 'output' }, substr: { $literal: '-' } } } },
}
const down = { sort_by: [{ field: 'started_at', direction: 'desc' }] }

describe('a list of wide calls', () => {
  it.each<[string, object, string[]]>([
    ['whole', {}, ids(all)],
    ['newest first', down, ids(all).reverse()],
    ['with a low limit', { ...down, limit: 200 }, ids(all).reverse().slice(0, 200)],
    ['with a limit', { limit: 500 }, ids(all).slice(0, 500)],
    ['with a high limit', { limit: 20_000 }, ids(all)],
    ['from an offset on', { offset: 450 }, ids(all).slice(450)],
    ['in the middle', { limit: 100, offset: 400 }, ids(all).slice(400, 500)],
    ['in another order', { sort_by: [{ field: 'op_name', direction: 'asc' }] }, ids(byOp)],
    [
      'in another order, with a limit',
      { sort_by: [{ field: 'op_name' }], limit: 1500 },
      ids(byOp).slice(0, 1500),
    ],
    ['of what is in wide columns', tenth, ids(all.filter((_, i) => i % 10 === 3))],
    [
      'of what is in wide columns, in the middle',
      { ...tenth, limit: 20, offset: 20 },
      ids(all.filter((_, i) => i % 10 === 3)).slice(20, 40),
    ],
    ['of what no index finds', thirds, ids(all.filter((_, i) => i % 3 === 0))],
    [
      'of what no index finds, in another order',
      { ...thirds, sort_by: [{ field: 'op_name' }] },
      ids(byOp.filter(({ output }) => output !== '')),
    ],
    ['by op', { filter: { op_names: ['op 7'] } }, ids(all.filter(({ op_name }) => op_name === 'op 7'))],
    ['without what is wide', { columns: ['op_name'] }, ids(all)],
    ['with sizes of traces', { include_total_storage_size: true }, ids(all)],
    ['with costs', { include_costs: true }, ids(all)],
  ])('comes %s', async (_, more, expected) => {
    const answer = await service.post('/calls/stream_query', { project_id, ...more })
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, answer.text.slice(0, 200)])
    const lines = answer.text.split('\n').slice(0, -1)
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(expected)
  })

  it('has its first lines long before its last', async () => {
    const answer = await fetch(`${service.url}/calls/stream_query`, {
      method: 'POST',
      body: JSON.stringify({ project_id }),
    })
    const reader = answer.body!.getReader()
    const first = await reader.read()
    expect(first.value!.length).toBeLessThan(8 << 20)
    await reader.cancel()
  })
})

const UNASKED = { filter: null, query: null, sort_by: null, offset: null, columns: null }

describe('a list of many narrow calls', () => {
  const project = 'acme/many'
  const MANY = 9000
  const few: TestCall[] = Array.from({ length: MANY }, (_, n) => ({
    id: `call-${n}`,
    started_at: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
    ended_at: new Date(Date.UTC(2026, 0, 2)).toISOString(),
  }))

  beforeAll(() => writeCalls(service.store, project, few))

  it.each([null, MANY])('finds the keys of few before its first line, up to %j', async (limit) => {
    const asked = { ...UNASKED, project_id: project, limit } as Parameters<typeof pageOf>[0]
    const { signal } = new AbortController()
    let keys = 0
    const list = new LongList(async (statement, format, settings, until) => {
      const pieces = await service.store.stream(statement, format, { settings, signal: until })
      const isKeys = statement.render().query.includes('toUInt64(width)')
      return (async function* () {
        for await (const piece of pieces) {
          if (isKeys) keys += piece.length
          yield piece
        }
      })()
    }, 400 << 20)
    const seen: number[] = []
    const lines: Uint8Array[] = []
    for await (const piece of list.lines(pageOf(asked, callFields(project)), lineOf(asked), signal)) {
      seen.push(keys)
      lines.push(piece)
    }
    const found = Buffer.concat(lines).toString().trim().split('\n')
    expect(found.map((line) => JSON.parse(line).id)).toEqual(ids(few))
    expect(seen[0]).toBeLessThan(keys / 4)
  })
})

describe('a list along the key', () => {
  const ROWS_OF_PROJECT = 300_000
  const PARTS_OF_PROJECT = 6
  const project = 'acme/long'

  it('reads little more than its rows, however many calls there are', async () => {
    const n = sql`(number * ${bind.uint(PARTS_OF_PROJECT)} + part)`
    for (let part = 0; part < PARTS_OF_PROJECT; part++)
      await service.store.run(
        sql`INSERT INTO calls (project_id, id, trace_id, op_name, started_at, ended_at, inputs, ver)
          WITH ${bind.uint(part)} AS part, toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalSecond(${n}) AS start
          SELECT ${bind.string(projectIdOf(project))}, concat('call-', toString(${n})), hex(cityHash64(${n})), 'op',
            start, start, '{}', 1 FROM numbers(${bind.uint(ROWS_OF_PROJECT / PARTS_OF_PROJECT)})`,
      )
    // The keys of all calls are twice as much.
    const reader = new CallReader(service.store, { ...limits, readBytes: 5e6 })
    const last = ROWS_OF_PROJECT - 1
    for (const [direction, first] of [
      ['asc', 2000],
      ['desc', last - 2000],
    ] as const) {
      const sort_by = [{ field: 'started_at', direction }]
      const asked = { ...UNASKED, project_id: project, limit: 3, offset: 2000, columns: ['id'], sort_by }
      const request = asked as Parameters<typeof pageOf>[0]
      const page = pageOf(request, callFields(project))
      const lines: Uint8Array[] = []
      for await (const piece of await reader.page(page, lineOf(request), new AbortController().signal))
        lines.push(piece)
      const found = Buffer.concat(lines).toString().trimEnd().split('\n')
      const step = direction === 'asc' ? 1 : -1
      expect(found.map((line) => JSON.parse(line).id)).toEqual(
        [0, 1, 2].map((n) => `call-${first + n * step}`),
      )
    }
  })
})
