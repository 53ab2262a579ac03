/** A short list is written here and a long one by the engine: the same calls have to give the same bytes. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { isShortPage } from '../../domain/calls/read/short-page.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { rounds } from '../../test/support/rounds.js'
import { startService, type TestService } from '../testing/service.js'
import { callsRoutes } from './routes.js'
import { lineOf, pageOf } from './selection.js'

let service: TestService
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
}, 120_000)
afterAll(() => service?.stop())

const any = fc
  .string({ unit: 'binary', maxLength: 12 })
  .filter((text) => Buffer.from(text).toString() === text)
const nasty = fc.constantFrom('', '', '"', '\\', '/', '\u2028é\u2029😀', '\b\f\n\r\t\v\u0000\u001f\u007f')
const name = fc.oneof(any, nasty)
const op = fc.oneof(
  name,
  fc.constantFrom('weave:///a/b/op/na%20me%zz%C3%A9:v1', 'weave:///a/op/x/op/y:z', 'weave:///a/b/object/o:v'),
)
const json = fc.oneof(
  fc.constantFrom('', '', '{}', '[]', '{"a":1.0}', '"x"'),
  fc.jsonValue().map((value) => JSON.stringify(value)),
)
const object = fc.oneof(
  fc.constantFrom('', '{}'),
  fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }).map((value) => JSON.stringify(value)),
)
const large = (size: number) => JSON.stringify({ large: 'x'.repeat(size) })
const time = fc.integer({ min: 0, max: 4e15 }).map(isoOfMicros)
const step = fc.oneof(
  fc.constant('-9223372036854775808'),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
)
const span = fc.oneof(
  fc.constant({ otel_span: '' }),
  fc.constant({ otel_span: '{"whole":1}' }),
  fc.constant({
    inputs: '{"input.value":{"a":1}}',
    output: '"out"',
    otel_span: '"name"\u0001[1]\u0001',
    otel_shape: '{"n":\u0001,"l":\u0001,"i":\u0003,"o":\u0004',
    otel_origin: ',"resource":{}}',
  }),
  fc.constant({
    trace_id: 'a1',
    parent_id: 'b2',
    otel_span: '"name"\u0001[1]\u0001,"events":[{"name":"after the last mark"}]',
    otel_shape: '{"n":\u0001,"t":"\u0006","s":"\u0007","p":"\u0008","l":\u0001',
    otel_origin: '}',
  }),
  time.map((ended_at) => ({
    ended_at,
    otel_span: '"name"\u0001007\u0001999\u0001,"events":[]',
    otel_shape: '{"n":\u0001,"s":"\u000e\u0001Z","e":"\u000f\u0001Z"',
    otel_origin: '}',
  })),
  fc.constant({ otel_span: '"links":[1]', otel_shape: '{"n":"no mark",', otel_origin: '}' }),
)
const call = fc
  .record({
    trace_id: name,
    parent_id: name,
    thread_id: name,
    turn_id: name,
    op_name: op,
    display_name: name,
    exception: name,
    ended_at: fc.oneof(fc.constant(isoOfMicros(0)), time),
    inputs: object,
    output: json,
    attributes: object,
    summary: object,
    descendant_errors: fc.nat(2),
    user_id: name,
    run_id: name,
    run_step: step,
    run_step_end: step,
    bytes: fc.nat(),
    expire_at: fc.constantFrom(4294967295, 4294967294, 4200000000),
    span,
  })
  .map(({ span, ...row }) => ({ ...row, ...span }))

/** As RowBinary would not show it: rows go in as JSON. */
async function write(project: string, rows: readonly object[], table = 'calls'): Promise<void> {
  const whole = rows.map((row, i) => ({
    project_id: projectIdOf(project),
    id: `${table}-${i}`,
    started_at: isoOfMicros(1.7e15 + 1_000_003 * (i >> 1)),
    ver: i + 1,
    ...row,
  }))
  await service.store.insertRows(table, whole)
}

async function both(project_id: string, more: object = {}): Promise<[string, string]> {
  const read = async (asked: object) => {
    const answer = await service.post('/calls/stream_query', { project_id, ...more, ...asked })
    expect(answer.status).toBe(200)
    return answer.text
  }
  return [await read({ limit: 1000 }), await read({})]
}

describe('lines of a short list', () => {
  it(
    'are those of a long one, whatever is in them',
    async () => {
      let project = 0
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 40 }), async (rows) => {
          const project_id = `near/p${project++}`
          await write(project_id, rows)
          await write(
            project_id,
            rows.slice(0, 3).map((row) => ({ ...row, ended_at: isoOfMicros(0), kind: 'start' })),
            'calls_open',
          )
          for (const more of [
            {},
            { columns: ['attributes'] },
            { columns: ['inputs', 'summary', 'wb_run_step'], include_storage_size: true },
            { sort_by: [{ field: 'started_at', direction: 'desc' }], include_costs: true },
          ]) {
            const [short, long] = await both(project_id, more)
            expect(short).toBe(long)
            expect(short.split('\n')).toHaveLength(rows.length + 3 + 1)
          }
        }),
        { numRuns: rounds(2, 4), endOnFailure: true },
      )
    },
    rounds(120_000),
  )

  it('have the text of a span that statements have', async () => {
    const whole = { otel_span: '5\u0001', otel_shape: '{"s":"\u000e","n":\u0001', otel_origin: '}' }
    await write('near/spans', [whole, ...fc.sample(call, 50)])
    const stored = await service.store.rows<{ text: string }>(
      sql`SELECT ${OTEL_SPAN} AS text FROM calls WHERE project_id = ${bind.string(projectIdOf('near/spans'))} AND text != ''`,
    )
    expect(stored.length).toBeGreaterThan(0)
    const [lines] = await both('near/spans')
    for (const { text } of stored) expect(lines).toContain(`"otel_span":${text}}`)
    expect(lines).toContain('{"s":"2023-11-14T22:13:20.000000","n":5}')
  })

  it(
    'say what calls cost, whatever they say they used',
    async () => {
      const rate = fc.oneof(
        fc.constantFrom(0, 1e-6, 2.5e-7, 1e-7, 3e22),
        fc.double({ min: 0, max: 1, noNaN: true }),
      )
      const model = fc.constantFrom('m', 'n/ö "x"\u2028', '7', 'unknown')
      const price = fc.record({
        llm_id: model,
        provider_id: name,
        effective_date: fc.integer({ min: 16e14, max: 18e14 }).map(isoOfMicros),
        prompt: rate,
        completion: rate,
        cache_read: rate,
        cache_creation: rate,
        prompt_unit: name,
        created_by: name,
        project: fc.constantFrom('', 'own'),
      })
      const tokens = fc.oneof(
        fc.nat(5_000),
        fc.nat(5_000),
        fc.constantFrom(2 ** 60, 1.5, 3.0, -1, '12', null, true, 'x', [1], 1e30),
      )
      const used = fc.record(
        {
          requests: fc.nat(9),
          prompt_tokens: tokens,
          input_tokens: fc.nat(9),
          completion_tokens: fc.nat(5_000),
          output_tokens: fc.nat(9),
          total_tokens: fc.nat(9_000),
          cache_read_input_tokens: fc.nat(9_000),
          cache_creation_input_tokens: fc.nat(90),
          other: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      const plain = used.map((entry) => ({ ...entry, prompt_tokens: 12 }))
      const usage = fc.oneof(
        fc.dictionary(model, plain),
        fc.dictionary(model, plain),
        fc.dictionary(model, fc.oneof(used, fc.jsonValue(), fc.constant({}))),
        fc.jsonValue(),
      )
      let project = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(usage, { minLength: 1, maxLength: 3 }),
          fc.uniqueArray(price, { selector: (row) => row.llm_id + row.effective_date, maxLength: 8 }),
          async (usages, prices) => {
            const project_id = `near/costs${project++}`
            const rows = prices.map(({ project: owner, ...row }, i) => ({
              ...row,
              id: `${project_id} ${i}`,
              project_id: owner === '' ? '' : projectIdOf(project_id),
              created_at: isoOfMicros(1.6e15 + i),
            }))
            await service.store.insertRows('costs', rows)
            await write(
              project_id,
              usages.map((usage) => ({ summary: JSON.stringify({ usage }) })),
            )
            const [short, long] = await both(project_id, { include_costs: true })
            expect(short).toBe(long)
            await service.store.runTrusted('TRUNCATE TABLE costs')
          },
        ),
        { numRuns: rounds(4, 8), endOnFailure: true },
      )
    },
    rounds(120_000),
  )

  it('leave out what is large', async () => {
    const shape = { otel_span: '1\u0001', otel_shape: '{"a":\u0001,"i":\u0002', otel_origin: '}' }
    await write('near/large', [
      { inputs: large(1 << 20), output: large(1 << 20), summary: large(1 << 20), attributes: '{}' },
      { inputs: large((1 << 20) - 12), output: '1', attributes: large((1 << 20) - 12) },
      { attributes: large((1 << 20) - 11) },
      { inputs: large((1 << 20) - 30), attributes: '{"b":1}', ...shape },
    ])
    const [short, long] = await both('near/large')
    expect(short).toBe(long)
    expect(short.match(/_omitted/g)).toHaveLength(5)
    const [whole, all] = await both('near/large', { columns: ['inputs', 'attributes', 'output', 'summary'] })
    expect(whole).toBe(all)
    expect(whole).not.toContain('_omitted')
  })

  it('come from the engine where together they are heavy', async () => {
    await write('near/heavy', Array(12).fill({ inputs: large(900_000) }))
    const [short, long] = await both('near/heavy')
    expect(short.length).toBeGreaterThan(10e6)
    expect(short).toBe(long)
  })

  it('are the same when a list is asked for again, whatever has happened meanwhile', async () => {
    const project_id = 'near/again'
    const project = projectIdOf(project_id)
    const start = (id: string, second: number) => ({
      project_id: project,
      id,
      kind: 'start',
      started_at: isoOfMicros(1.7e15 + second * 1e6),
      ver: second,
    })
    const whole = (id: string, second: number) => ({
      ...start(id, second),
      kind: undefined,
      ended_at: isoOfMicros(1.8e15),
    })
    const seconds = Array.from({ length: 40 }, (_, i) => 100 + i)
    const changes: [string, () => Promise<void>][] = [
      [
        'whole calls',
        () =>
          service.store.insertRows(
            'calls',
            seconds.map((s) => whole(`call ${s}`, s)),
          ),
      ],
      [
        'newer ones',
        () =>
          service.store.insertRows(
            'calls',
            [150, 151].map((s) => whole(`new ${s}`, s)),
          ),
      ],
      ['a running one', () => service.store.insertRows('calls_open', [start('running', 149)])],
      [
        'older ones',
        () =>
          service.store.insertRows(
            'calls',
            [1, 2].map((s) => whole(`old ${s}`, s)),
          ),
      ],
      ['it ends', () => service.store.insertRows('calls', [{ ...whole('running', 149), ver: 200 }])],
      [
        'more running',
        () =>
          service.store.insertRows(
            'calls_open',
            seconds.map((s) => start(`open ${s}`, s)),
          ),
      ],
      ['deleted', () => service.store.runTrusted(`DELETE FROM calls WHERE project_id = '${project}'`)],
      ['all gone', () => service.store.runTrusted(`DELETE FROM calls_open WHERE project_id = '${project}'`)],
    ]
    for (const [change, make] of changes) {
      await make()
      for (const direction of ['desc', 'asc'])
        for (const page of [
          { limit: 10 },
          { limit: 7, offset: 5, columns: ['op_name'] },
          { limit: 5, query: { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: '' }] } } },
        ]) {
          const sort_by = [{ field: 'started_at', direction }]
          const read = async (more: object) =>
            (await service.post('/calls/stream_query', { project_id, sort_by, ...more })).text
          const { limit, offset = 0, ...rest } = { offset: 0, ...page }
          const long = (await read(rest)).split('\n').slice(offset, offset + limit)
          expect((await read(page)).split('\n').slice(0, limit), `${change} ${direction}`).toEqual(
            long.length < limit ? [...long.filter(Boolean), ''] : long,
          )
        }
    }
  }, 60_000)

  it('tell of the end of a call that is there as running, too, of the same version', async () => {
    const call = { id: 'both', started_at: isoOfMicros(1.7e15), ver: 3, trace_id: 'trace' }
    const ended = { ...call, ended_at: isoOfMicros(1.7e15 + 5e6) }
    await write('near/tie', [ended])
    await write('near/tie', [{ ...call, kind: 'start' }], 'calls_open')
    const [short, long] = await both('near/tie')
    const [ofTrace] = await both('near/tie', { filter: { trace_ids: ['trace'] } })
    const one = await service.post('/call/read', { project_id: 'near/tie', id: 'both' })
    for (const text of [short, long, ofTrace, one.text]) {
      expect(text.match(/"status":"(\w+)"/g)).toEqual(['"status":"success"'])
    }
  })

  it('of a trace with more calls than are short', async () => {
    const rows = Array.from({ length: 1300 }, (_, i) => ({ trace_id: i < 1250 ? 'long' : 'other' }))
    await write('near/trace', rows)
    const answer = await service.post('/calls/stream_query', {
      project_id: 'near/trace',
      filter: { trace_ids: ['long'] },
    })
    expect(answer.text.split('\n')).toHaveLength(1251)
    // With a limit that is no less, the same; with one that is, as many of them.
    for (const limit of [2000, 1240]) {
      const asked = { project_id: 'near/trace', filter: { trace_ids: ['long'] }, limit }
      const { text } = await service.post('/calls/stream_query', asked)
      expect(text.trimEnd().split('\n')).toEqual(answer.text.trimEnd().split('\n').slice(0, limit))
    }
    const other = { filter: { trace_ids: ['other'] } }
    const [short] = await both('near/trace', other)
    const most = { project_id: 'near/trace', ...other, limit: 2000 }
    expect((await service.post('/calls/stream_query', most)).text).toBe(short)
    const page = { limit: 10, offset: 5, ...other }
    const few = await service.post('/calls/stream_query', { project_id: 'near/trace', ...page })
    expect(few.text.match(/"id":"calls-\d+"/g)).toEqual(
      Array.from({ length: 10 }, (_, i) => `"id":"calls-${1255 + i}"`),
    )
  })
})

it.each(['call_ids', 'trace_ids', 'parent_ids', 'thread_ids', 'turn_ids'])('%s name few calls', (name) => {
  const asked = { filter: { [name]: ['x'] } as object, query: null, sort_by: null, limit: null, offset: null }
  const request = { ...asked, project_id: 'acme/one', columns: null } as Parameters<typeof pageOf>[0]
  const [few, all] = [request, { ...request, filter: null }].map((one) =>
    isShortPage(pageOf(one, callFields('acme/one')), lineOf(one)),
  )
  expect([few, all]).toEqual([true, false])
})
