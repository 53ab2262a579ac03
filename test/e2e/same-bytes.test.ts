/** A call is the same bytes however it is read: by id, by any list with or without a limit, in any order, by export. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, hex, uuid7 } from '../support/ids.js'
import { exportRequest, inProject, type SpanInput, type Value } from '../support/otlp.js'
import { rounds } from '../support/rounds.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
const folder = mkdtempSync(join(tmpdir(), 'heddle-bytes-'))
beforeAll(async () => {
  server = await sharedServer()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '/',
    '\u2028é\u2029😀',
    '\b\f\n\r\t\v\u0000\u001f\u007f',
    'wide '.repeat(9_000),
  ),
)
const name = text.filter(({ length }) => length < 100)
/** JSON as no serializer of ours would write it. */
const ODD = [
  '1.0',
  '-0',
  '1E+2',
  '123456789012345678901234567890',
  '18446744073709551615',
  '"\\u00e9\\/\\ud83d\\ude00"',
  '[ 1 ,\t2 ]',
  'null',
  '""',
]
const json = fc.oneof(
  fc.constantFrom(...ODD),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
)
const object = fc
  .array(fc.tuple(text, json), { maxLength: 4 })
  .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(' ,')}}`)

const attributeValue: fc.Arbitrary<Value> = fc.oneof(
  text,
  fc.boolean(),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(text, { maxLength: 3 }),
  fc.uint8Array({ maxLength: 5 }),
)
const key = fc.oneof(
  fc.constantFrom('input.value', 'output.value', 'gen_ai.prompt', 'gen_ai.usage.input_tokens', 'session.id'),
  text,
)
const attributes = fc.dictionary(key, attributeValue, { maxKeys: 5 })
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 })
const span = fc.record(
  {
    name: text,
    kind: fc.nat(5),
    attributes,
    events: few(fc.record({ name: text, attributes })),
    links: few(fc.constant(null)).map((links) => links.map(() => ({ traceId: hex(16), spanId: hex(8) }))),
    dropped: fc.record({ attributes: fc.nat(9), events: fc.nat(9), links: fc.nat(9) }, { requiredKeys: [] }),
    status: fc.record({ code: fc.nat(2), message: text }, { requiredKeys: [] }),
  },
  { requiredKeys: ['attributes'] },
)
const call = fc.record({
  kind: fc.constantFrom('complete', 'halves', 'end first', 'running'),
  update: fc.option(name),
  op: name.map((op) => op || 'op'),
  exception: fc.option(text),
  inputs: object,
  output: json,
  attributes: object,
  summary: object.map((members) =>
    members.replace('{', '{"usage":{"m":{"prompt_tokens":7}},').replace(',}', '}'),
  ),
  step: fc.option(fc.maxSafeInteger()),
})
type Call = typeof call extends fc.Arbitrary<infer C> ? C : never

/** Members of an object with those that are JSON text already as they are. */
const body = (plain: object, texts: Record<string, string>) =>
  `${JSON.stringify(plain).slice(0, -1)}${Object.entries(texts)
    .map(([name, value]) => `,"${name}":${value}`)
    .join('')}}`

async function post(
  path: string,
  sent: string | Uint8Array | object,
  type = 'application/json',
): Promise<string> {
  const answer = await server.api.post(path, sent, { 'content-type': type })
  expect(answer.status, answer.text.slice(0, 500)).toBe(200)
  return answer.text
}

async function writeCall(project_id: string, call: Call, number: number): Promise<void> {
  const id = uuid7()
  const begun = { project_id, id, trace_id: uuid7(), op_name: call.op, started_at: at(number % 5) }
  const ended = { ended_at: at(60 + number), exception: call.exception, wb_run_step_end: call.step }
  const { inputs, attributes, output, summary } = call
  const first = `{"start":${body(begun, { inputs, attributes })}}`
  const last = `{"end":${body({ project_id, id, ...ended }, { output, summary })}}`
  if (call.kind === 'complete')
    await post(
      `/v2/${project_id}/calls/complete`,
      `{"batch":[${body({ ...begun, ...ended }, { inputs, attributes, output, summary })}]}`,
    )
  else if (call.kind === 'running') await post('/call/start', first)
  else {
    const inOrder = call.kind === 'halves'
    await post(inOrder ? '/call/start' : '/call/end', inOrder ? first : last)
    await post(inOrder ? '/call/end' : '/call/start', inOrder ? last : first)
  }
  if (call.update !== null) await post('/call/update', { project_id, call_id: id, display_name: call.update })
}

async function writeSpans(project: string, spans: readonly Partial<SpanInput>[]): Promise<void> {
  const traceId = hex(16)
  const whole = spans.map(
    (one, i): SpanInput => ({
      traceId,
      spanId: hex(8),
      start: 1_780_000_000_000_000_000n + BigInt(i % 3) * 1_000_000n,
      ...(i % 2 === 1 && { parentId: hex(8) }),
      ...one,
    }),
  )
  const resource = { attributes: inProject(project), scope: { name: 'some scope', version: '1' } }
  await post('/otel/v1/traces', exportRequest({ ...resource, spans: whole }), 'application/x-protobuf')
}

const lines = (answer: string) => answer.split('\n').slice(0, -1)
const list = async (project_id: string, more: object = {}) =>
  lines(await post('/calls/stream_query', { project_id, ...more }))
const counted = async (project_id: string, more: object = {}) =>
  (JSON.parse(await post('/calls/query_stats', { project_id, ...more })) as { count: number }).count
const idOf = (line: string) => (JSON.parse(line) as { id: string }).id

async function exported(project: string): Promise<string[]> {
  const file = join(folder, `${project.replace('/', '-')}.jsonl`)
  await server.cli('export', project, '--out', file)
  return lines(readFileSync(file, 'utf8'))
}

const field = (name: string) => [
  { field: name, direction: 'desc' },
  { field: 'id', direction: 'asc' },
]
const SORTS: object[] = [
  {},
  { sort_by: [{ field: 'started_at', direction: 'desc' }] },
  ...['op_name', 'ended_at', 'inputs.a', 'summary.weave.latency_ms', 'summary.weave.status'].map((name) => ({
    sort_by: field(name),
  })),
]

/** Every list of the project, in pages and whole, as pairs of what it is and its lines. */
async function lists(project: string, count: number): Promise<[string, string[]][]> {
  const found: [string, string[]][] = []
  for (const sort of SORTS) {
    const whole = await list(project, sort)
    const half = Math.ceil(count / 2)
    const first = await list(project, { ...sort, limit: half })
    const rest = await list(project, { ...sort, limit: count, offset: half })
    const name = JSON.stringify(sort)
    expect([...first, ...rest].map(idOf), `the pages of ${name}`).toEqual(whole.map(idOf))
    found.push([name, whole], [`${name} with a limit`, first], [`${name} with an offset`, rest])
    found.push([`${name} from an offset on`, await list(project, { ...sort, offset: half })])
    found.push([`${name} with a high limit`, await list(project, { ...sort, limit: 50_000 })])
  }
  return found
}

describe('a call', () => {
  it('is the same bytes by id, by every list, by export', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 6, maxLength: 12 }),
        fc.array(span, { minLength: 6, maxLength: 12 }),
        async (calls, spans) => {
          const project = freshProject()
          await writeSpans(project, spans)
          for (const [number, one] of calls.entries()) await writeCall(project, one, number)
          const count = calls.length + spans.length
          // Some of these have been read by nobody yet: they come from the log, later from the table.
          const newest = { sort_by: field('started_at').slice(0, 1), limit: count }
          const roots = { ...newest, filter: { trace_roots_only: true } }
          const fresh = [await list(project, newest), await list(project, roots)]
          const [all, whole] = [await counted(project, { limit: 1000 }), await counted(project)]
          expect([all, whole]).toEqual([count, count])
          const byId = new Map<string, string>()
          for (const id of (await list(project, { columns: ['id'] })).map(idOf)) {
            const answer = await post('/call/read', { project_id: project, id })
            byId.set(id, answer.trimEnd().slice('{"call":'.length, -1))
          }
          expect(byId.size).toBe(count)
          const ways = await lists(project, count)
          expect([await list(project, newest), await list(project, roots)]).toEqual(fresh)
          ways.push(...fresh.map((found): [string, string[]] => ['the newest, at once', found]))
          ways.push(['export', await exported(project)])
          for (const [id] of byId)
            ways.push([`the filter ${id}`, await list(project, { filter: { call_ids: [id] } })])
          for (const [name, found] of ways)
            for (const line of found) expect(line, name).toBe(byId.get(idOf(line)))
        },
      ),
      { numRuns: rounds(1, 2), endOnFailure: true },
    )
  })

  it('is there in a list of the newest as soon as it is acknowledged, until it is deleted, whoever reads and writes', async () => {
    const project = freshProject()
    const limit = 25
    const newest = {
      sort_by: field('started_at').slice(0, 1),
      limit,
      columns: ['id', 'output', 'display_name'],
    }
    /** Acknowledged, and nobody deletes them; by start, newest first. */
    const there: { id: string; second: number }[] = []
    const gone = new Set<string>()
    let second = 0
    let isOver = false
    const write = async () => {
      const batch = Array.from({ length: 1 + (second % 9) }, () => {
        const started_at = at(++second)
        return {
          project_id: project,
          id: uuid7(),
          trace_id: uuid7(),
          op_name: 'op',
          started_at,
          ended_at: at(second),
          inputs: {},
          output: `${second}`,
          summary: {},
          attributes: {},
        }
      })
      const placed = batch.map(({ id, output }) => ({ id, second: Number(output) }))
      await post(`/v2/${project}/calls/complete`, { batch })
      for (const one of placed) there.push(one)
    }
    const start = { $getField: 'started_at' }
    const sinceStart = { query: { $expr: { $gte: [start, { $literal: at(0) }] } } }
    const flush = async () => void (await counted(project))
    const remove = async () => {
      const [one] = there.splice(Math.max(0, there.length - 5), 1)
      if (!one) return flush()
      await post('/calls/delete', { project_id: project, call_ids: [one.id] })
      gone.add(one.id)
    }
    const rename = async () => {
      const one = there.at(-1)
      if (one) await post('/call/update', { project_id: project, call_id: one.id, display_name: 'named' })
    }
    const work = [
      write,
      write,
      flush,
      async () => {
        await remove()
        await rename()
      },
    ]
    const working = work.map(async (step) => {
      while (!isOver) await step()
    })
    try {
      for (let n = 0; n < rounds(30, 60); n++) {
        const [before, deleted] = [[...there], new Set(gone)]
        const found = (await list(project, n % 2 === 0 ? newest : { ...newest, ...sinceStart })).map(
          (line) => JSON.parse(line) as { id: string; output: string },
        )
        const count = await counted(project, { limit: 40, ...sinceStart })
        const left = new Set(there.map(({ id }) => id))
        const kept = before.filter(({ id }) => left.has(id)).length
        expect(count).toBeGreaterThanOrEqual(Math.min(40, kept))
        expect(count).toBeLessThanOrEqual(Math.min(40, second))
        const ids = found.map(({ id }) => id)
        const seconds = found.map(({ output }) => Number(output))
        expect(new Set(ids).size).toBe(ids.length)
        expect(seconds).toEqual([...seconds].sort((a, b) => b - a))
        for (const id of ids) expect(deleted.has(id), 'it was deleted').toBe(false)
        for (const { id, second } of before)
          if (left.has(id))
            expect(ids.includes(id) || (ids.length === limit && second < seconds.at(-1)!)).toBe(true)
      }
    } finally {
      isOver = true
      await Promise.all(working)
    }
    const last = await list(project, newest)
    const whole = await list(project, { ...newest, limit: undefined })
    const middle = { $literal: at(Math.floor(second / 2)) }
    const before = {
      query: { $expr: { $and: [{ $lte: [start, middle] }, { $lt: [{ $literal: 0 }, start] }] } },
    }
    expect(await list(project, { ...newest, ...before })).toEqual(
      (await list(project, { ...newest, ...before, limit: undefined })).slice(0, limit),
    )
    const [few, exact] = [{ limit: 1000, ...before }, before]
    expect(await counted(project, few)).toBe(Math.min(1000, await counted(project, exact)))
    expect(last).toEqual(whole.slice(0, limit))
    expect(await counted(project, { limit: 1000 })).toBe(Math.min(1000, whole.length))
    expect(new Set(whole.map(idOf))).toEqual(new Set(there.map(({ id }) => id)))
  })

  it('is the same where its values are too large for lists, once its columns are asked for', async () => {
    const project = freshProject()
    const large = JSON.stringify({ large: 'é'.repeat(600_000) })
    const plain = { kind: 'complete', update: null, op: 'op', exception: null, step: null } as const
    await writeCall(project, { ...plain, inputs: large, output: large, attributes: '{}', summary: '{}' }, 0)
    await writeSpans(project, [{ attributes: { 'input.value': large }, events: [{ name: large }] }])
    const columns = ['inputs', 'output', 'attributes', 'summary']
    const all = await list(project, { columns })
    expect(await list(project, { columns, limit: 2 })).toEqual(all)
    expect(await list(project, { columns, limit: 2, sort_by: field('started_at') })).toEqual(
      [...all].reverse(),
    )
    expect(await list(project, { limit: 2 })).toEqual(await list(project))
    expect((await list(project)).join()).toContain('_omitted')
    for (const line of all) expect(line.length).toBeGreaterThan(600_000)
  })
})
