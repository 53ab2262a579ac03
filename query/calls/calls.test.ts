/** Contract §2.1 and §2.3 in the real engine: filters, sorts, pages, columns, what a line holds, usage, statistics. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nobody } from '../../platform/http/principal.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { callsRoutes } from './routes.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape
type Row = Record<string, any>
let service: TestService
const project_id = 'acme/one'
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
const base = Date.UTC(2026, 0, 1)
const iso = (second: number) => new Date(base + second * 1000).toISOString()
/** As answers write it. */
const at = (second: number) =>
  iso(second)
    .replace('.000Z', 'Z')
    .replace(/(\.\d{3})Z/, '$1000Z')
const REF = 'weave:///acme/one/object/prompt:abcdef'
const OP = 'weave:///acme/one/op/search'
const usage = (model: string, input: number, output: number) =>
  `{"usage":{"${model}":{"prompt_tokens":${input},"completion_tokens":${output},"requests":1}}}`

const calls: TestCall[] = [
  {
    id: 'root',
    trace_id: 'A',
    op_name: 'agent',
    started_at: iso(10),
    ended_at: iso(14),
    inputs: '{"name":"root","big":123456789012345678901234567890,"f":1.0}',
    output: '"Grüße\\n"',
    attributes: '{"k":1}',
    otel_span: '{"name":"s"}',
    summary: '{"usage":{}}',
    user_id: 'user-all',
  },
  {
    id: 'child',
    trace_id: 'A',
    parent_id: 'root',
    op_name: `${OP}:v1`,
    started_at: iso(11),
    ended_at: iso(11.5),
    inputs: `{"prompt":"${REF}","n":2}`,
    summary: usage('m', 10, 5),
  },
  {
    id: 'grandchild',
    trace_id: 'A',
    parent_id: 'child',
    op_name: `${OP}:v2`,
    exception: 'boom "quoted" \u0001',
    started_at: iso(12),
    ended_at: iso(13),
    // A number that the engine's JSON reader does not take.
    inputs: `{"prompts":["${REF}","x"],"n":10,"seed":123456789012345678901234567890}`,
    summary: usage('m', 1, 1),
  },
  {
    id: 'output ref',
    output: `{"result":"${REF.replaceAll('/', '\\/')}"}`,
    inputs: '{"n":"5"}',
    started_at: iso(20),
    ended_at: iso(20.1),
    user_id: 'u2',
  },
  { id: 'output is ref', output: `"${REF}"`, started_at: iso(21), ended_at: iso(21.2) },
  { id: 'turn', thread_id: 't1', turn_id: 'turn', started_at: iso(30), ended_at: iso(33) },
  {
    id: 'in turn',
    thread_id: 't1',
    turn_id: 'turn',
    parent_id: 'turn',
    started_at: iso(31),
    ended_at: iso(32),
  },
  { id: 'run', run_id: 'acme/one/r9', run_step: 4, started_at: iso(40), ended_at: iso(41) },
  { id: 'bare run', run_id: 'r9', run_step_end: 9, started_at: iso(41), ended_at: iso(42) },
  {
    id: 'below failed',
    descendant_errors: 1,
    started_at: iso(50),
    ended_at: iso(60),
    summary: usage('n', 7, 0),
  },
  { id: 'running', op_name: 'agent', started_at: iso(70), half: 'start' },
  // What is there twice for a moment: two versions, and both a start and the whole call.
  { id: 'twice', display_name: 'old', started_at: iso(80), ended_at: iso(81), ver: 5 },
  { id: 'twice', display_name: 'new', started_at: iso(80), ended_at: iso(81), ver: 6 },
  { id: 'ending', started_at: iso(90), half: 'start', ver: 1 },
  { id: 'ending', started_at: iso(90), ended_at: iso(91), ver: 2 },
  { id: 'sent twice', display_name: 'first', started_at: iso(93), half: 'start', ver: 1 },
  { id: 'sent twice', display_name: 'second', started_at: iso(93), half: 'start', ver: 2 },
  { id: 'an end alone', started_at: iso(95), ended_at: iso(96), half: 'end' },
]
const all = [...new Set(calls.filter(({ half }) => half !== 'end').map(({ id }) => id))]

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
  await writeCalls(service.store, project_id, calls)
  await writeCalls(service.store, 'acme/two', [{ id: 'other', started_at: iso(1), ended_at: iso(2) }])
  await service.store.insertRows('api_keys', [
    { key_hash: 'a'.repeat(64), user_id: 'user-all', username: 'Ada "A"', ver: 1 },
  ])
}, 120_000)
afterAll(() => service?.stop())

const post = (path: string, more: object) => service.post(path, { project_id, ...more })
const rows = async (more: object = {}): Promise<Row[]> => {
  const answer = await post('/calls/stream_query', more)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  expect(answer.text === '' || answer.text.endsWith('\n')).toBe(true)
  return answer.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
const ids = async (more: object = {}) => (await rows(more)).map(({ id }) => id)
const count = async (more: object) => (await post('/calls/query_stats', more)).json.count
const one = async (id: string, more: object = {}) => (await rows({ filter: { call_ids: [id] }, ...more }))[0]!

describe('filter', () => {
  it.each<[string, object, string[]]>([
    ['nothing', {}, all],
    ['op name', { op_names: ['agent'] }, ['root', 'running']],
    ['op ref', { op_names: [`${OP}:v1`] }, ['child']],
    ['any version of an op', { op_names: [`${OP}:*`] }, ['child', 'grandchild']],
    ['two op names', { op_names: ['agent', `${OP}:v1`] }, ['root', 'child', 'running']],
    ['op name that nobody has', { op_names: ['nobody'] }, []],
    ['trace', { trace_ids: ['A'] }, ['root', 'child', 'grandchild']],
    ['parent', { parent_ids: ['root'] }, ['child']],
    ['an empty parent is none', { parent_ids: [''] }, []],
    ['ids', { call_ids: ['run', 'root', 'none'] }, ['root', 'run']],
    ['an open call by id', { call_ids: ['running'] }, ['running']],
    ['an end that came first', { call_ids: ['an end alone'] }, []],
    ['thread', { thread_ids: ['t1'] }, ['turn', 'in turn']],
    ['turn', { turn_ids: ['turn'] }, ['turn', 'in turn']],
    ['input ref', { input_refs: [REF] }, ['child', 'grandchild']],
    [
      'input ref, any version',
      { input_refs: ['weave:///acme/one/object/prompt:*'] },
      ['child', 'grandchild'],
    ],
    ['output ref, however written', { output_refs: [REF] }, ['output ref', 'output is ref']],
    ['run, whole', { wb_run_ids: ['acme/one/r9'] }, ['run', 'bare run']],
    ['run, neutral name', { platform_run_ids: ['r9'] }, ['run', 'bare run']],
    ['run of another project', { platform_run_ids: ['acme/two/r9'] }, []],
    ['the canonical name wins', { platform_run_ids: ['x'], wb_run_ids: ['r9'] }, []],
    ['user', { wb_user_ids: ['u2'] }, ['output ref']],
    [
      'roots',
      { trace_roots_only: true },
      all.filter((id) => !['child', 'grandchild', 'in turn'].includes(id)),
    ],
    ['two at once', { op_names: ['agent'], trace_ids: ['A'] }, ['root']],
    ['empty lists are no condition', { op_names: [], trace_ids: [], call_ids: [], parent_ids: [] }, all],
    ['an empty thread list matches nothing', { thread_ids: [] }, []],
    ['an empty turn list matches nothing', { turn_ids: [] }, []],
    ['nulls are no condition', { op_names: null, trace_roots_only: null, thread_ids: null }, all],
    ['fields that there are not', { no_such_field: 1 }, all],
  ])('%s', async (_name, filter, expected) => {
    expect(await ids({ filter })).toEqual(expected)
    // A call that is there twice for the moment counts twice.
    const twice = ['twice', 'ending', 'sent twice'].filter((id) => expected.includes(id)).length
    expect(await count({ filter })).toBe(expected.length + twice)
  })

  it('takes 1,000 values and refuses more', async () => {
    const call_ids = Array.from({ length: 1000 }, (_, i) => `none ${i}`)
    expect(await ids({ filter: { call_ids: [...call_ids.slice(1), 'root'] } })).toEqual(['root'])
    for (const path of ['/calls/stream_query', '/calls/query_stats'])
      expect((await post(path, { filter: { call_ids: [...call_ids, 'x'] } })).status).toBe(400)
    const input_refs = [...call_ids.slice(1), REF]
    expect(await ids({ filter: { input_refs } })).toEqual(['child', 'grandchild'])
  })
})

describe('sort', () => {
  it.each<[string, object[], string[]]>([
    ['started_at asc', [{ field: 'started_at', direction: 'asc' }], all],
    ['started_at desc', [{ field: 'started_at', direction: 'desc' }], [...all].reverse()],
    ['no direction is asc', [{ field: 'started_at' }], all],
    [
      'op name, then start',
      [{ field: 'op_name' }, { field: 'started_at', direction: 'desc' }],
      ['running', 'root', 'sent twice'],
    ],
    ['latency', [{ field: 'summary.weave.latency_ms', direction: 'desc' }], ['below failed', 'root', 'turn']],
    ['the neutral name', [{ field: 'platform_run_id', direction: 'desc' }], ['bare run', 'run']],
    ['the client’s name', [{ field: 'wb_run_id', direction: 'desc' }], ['bare run', 'run']],
    ...(['display_name', 'thread_id', 'exception'] as const).flatMap(
      (field): [string, object[], string[]][] => {
        const set = calls.filter((call) => call[field] && all.includes(call.id)).map(({ id }) => id)
        const unset = all.filter((id) => !set.includes(id))
        const start = { field: 'started_at', direction: 'asc' }
        return [
          [`${field}: unset and empty first`, [{ field }, start], unset],
          [`${field}, downwards: unset and empty last`, [{ field, direction: 'desc' }, start], []],
        ]
      },
    ),
    [
      'inside JSON: existing first, by value, then text',
      [{ field: 'inputs.n' }],
      ['child', 'output ref', 'grandchild'],
    ],
    [
      'inside JSON, downwards: existing first all the same',
      [{ field: 'inputs.n', direction: 'desc' }],
      ['grandchild', 'output ref', 'child'],
    ],
    [
      'trace name',
      [{ field: 'summary.weave.trace_name' }],
      ['running', 'root', 'sent twice', 'twice', 'turn'],
    ],
  ])('%s', async (_name, sort_by, expected) => {
    const found = await ids({ sort_by })
    expect(found.slice(0, expected.length)).toEqual(expected)
    expect([...found].sort()).toEqual([...all].sort())
    // In pages, which are read another way, the same.
    const paged: string[] = []
    for (let offset = 0; offset < all.length; offset += 4)
      paged.push(...(await ids({ sort_by, limit: 4, offset })))
    expect(paged).toEqual(found)
  })

  it('by status groups equal ones', async () => {
    const seen = (await rows({ sort_by: [{ field: 'summary.weave.status' }] })).map(
      (row) => row.summary.weave.status,
    )
    expect(seen).toEqual([...seen].sort())
    expect(new Set(seen)).toEqual(new Set(['error', 'descendant_error', 'running', 'success']))
  })

  it('with an empty list gives every call once', async () =>
    expect((await ids({ sort_by: [] })).sort()).toEqual([...all].sort()))

  it.each(['ASC', 'up', '', 1, null])('refuses the direction %j', async (direction) => {
    const answer = await post('/calls/stream_query', { sort_by: [{ field: 'started_at', direction }] })
    expect([answer.status, answer.json.detail[0].loc]).toEqual([422, ['body', 'sort_by', '0', 'direction']])
  })

  it('refuses fields that there are not', async () => {
    for (const field of ['nope', "id' --", 'wb_username', 'summary.weave.x']) {
      const answer = await post('/calls/stream_query', { sort_by: [{ field }] })
      expect([answer.status, answer.json.code]).toEqual([422, 'UNKNOWN_FIELD'])
    }
  })
})

describe('limit and offset', () => {
  it('page through everything once, the far pages too', async () => {
    for (const offset of [0, 1, 13]) expect(await ids({ offset })).toEqual(all.slice(offset))
    expect(await ids({ limit: 10_001, offset: 2 })).toEqual(all.slice(2))
    expect(await ids({ limit: 1150, offset: 51 })).toEqual([])
    expect(await ids({ limit: 1200, offset: 1 })).toEqual(all.slice(1))
  })
  it('null is no limit, 0 is no call, less is refused', async () => {
    expect(await ids({ limit: null })).toHaveLength(all.length)
    for (const more of [{}, { sort_by: [{ field: 'op_name' }] }, { include_costs: true, offset: 3 }])
      expect(await ids({ limit: 0, ...more })).toEqual([])
    expect((await post('/calls/stream_query', { limit: -1 })).status).toBe(400)
  })
  it('saturate the count and say so', async () => {
    expect((await post('/calls/query_stats', { limit: 4 })).json).toMatchObject({ count: 4, has_more: true })
    expect((await post('/calls/query_stats', { limit: 400 })).json).toMatchObject({ has_more: false })
    expect((await post('/calls/query_stats', { limit: 0 })).status).toBe(400)
  })
})

describe('a line', () => {
  it('has the name that an exporter sent, where that is asked for', async () => {
    const named = await rows({ columns: ['span_name'] })
    for (const { id, span_name } of named) expect(span_name).toBe(id === 'root' ? 's' : null)
    expect(await one('root')).not.toHaveProperty('span_name')
  })

  it('holds the call', async () => {
    const line = (await post('/calls/stream_query', { filter: { call_ids: ['root'] } })).text
    expect(line).toContain('"inputs":{"name":"root","big":123456789012345678901234567890,"f":1.0}')
    expect(JSON.parse(line)).toEqual({
      id: 'root',
      project_id,
      op_name: 'agent',
      trace_id: 'A',
      started_at: at(10),
      display_name: null,
      parent_id: null,
      thread_id: null,
      turn_id: null,
      ended_at: at(14),
      exception: null,
      attributes: { k: 1, otel_span: { name: 's' } },
      inputs: { name: 'root', big: 1.2345678901234568e29, f: 1 },
      output: 'Grüße\n',
      summary: { weave: { status: 'success', latency_ms: 4000, trace_name: 'agent' }, usage: {} },
      platform_user_id: 'user-all',
      wb_user_id: 'user-all',
      platform_run_id: null,
      wb_run_id: null,
      platform_run_step: null,
      wb_run_step: null,
      platform_run_step_end: null,
      wb_run_step_end: null,
      ...{ environment: null, release: null, version: null, prompt_name: null, prompt_version: null },
      deleted_at: null,
      expire_at: null,
      storage_size_bytes: null,
      total_storage_size_bytes: null,
    })
  })

  it('of a running call', async () => {
    expect(await one('running')).toMatchObject({
      ended_at: null,
      output: null,
      inputs: {},
      attributes: {},
      summary: { weave: { status: 'running', trace_name: 'agent' } },
    })
  })

  it('has what is special', async () => {
    expect((await one('grandchild')).exception).toBe('boom "quoted" \u0001')
    expect((await one('grandchild')).summary.weave).toEqual({
      status: 'error',
      latency_ms: 1000,
      trace_name: 'search',
    })
    expect((await one('below failed')).summary.weave.status).toBe('descendant_error')
    expect((await one('child')).ended_at).toBe('2026-01-01T00:00:11.500000Z')
    expect(await one('run')).toMatchObject({
      wb_run_id: 'acme/one/r9',
      platform_run_id: 'acme/one/r9',
      wb_run_step: 4,
    })
    expect(await one('bare run')).toMatchObject({ platform_run_step_end: 9, wb_run_step_end: 9 })
    expect(await one('twice')).toMatchObject({
      display_name: 'new',
      summary: { weave: { display_name: 'new' } },
    })
    expect((await one('ending')).ended_at).toBe(at(91))
  })

  it('is the same in every way to read it', async () => {
    const whole = await rows()
    expect(await rows({ limit: 100 })).toEqual(whole)
    expect(await rows({ limit: 100, sort_by: [{ field: 'started_at' }, { field: 'op_name' }] })).toEqual(
      whole,
    )
    expect((await post('/call/read', { id: 'root' })).json.call).toEqual(whole[0])
  })

  it('is empty bytes for no call', async () => {
    const answer = await service.post('/calls/stream_query', { project_id: 'acme/none' })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  it.each([
    [undefined, 'application/jsonl'],
    ['application/jsonl', 'application/jsonl'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['*/*', 'application/jsonl'],
    ['application/json', 'application/json'],
    ['text/html, application/json;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['text/html', 'application/jsonl'],
  ])('accept %s answers %s', async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    const answer = await service.send('POST', '/calls/stream_query', { project_id, limit: 2 }, headers)
    expect(answer.headers.get('content-type')).toContain(type)
    expect(answer.text.trim().split('\n')).toHaveLength(2)
  })
})

describe('columns', () => {
  it('give the named ones, the fixed ones, and null or {} for the rest', async () => {
    const row = await one('root', { columns: ['inputs.name', 'display_name'] })
    expect(row).toMatchObject({
      id: 'root',
      inputs: { name: 'root' },
      attributes: {},
      output: null,
      ended_at: null,
    })
    expect(row.summary).toEqual({
      weave: { status: 'success', latency_ms: 4000, trace_name: 'agent' },
    })
    expect(Object.keys(row).sort()).toEqual(Object.keys(await one('root')).sort())
  })
  it('compute the status of every call from what it is, whatever was selected', async () => {
    const statuses = async (more: object) =>
      (await rows(more)).map(({ id, summary }) => [id, summary.weave.status, summary.weave.latency_ms])
    const expected = await statuses({})
    expect(new Set(expected.map(([, status]) => status)).size).toBe(4)
    for (const columns of [['id'], ['inputs'], ['summary']])
      for (const more of [
        {},
        { limit: 100 },
        { limit: 100, sort_by: [{ field: 'started_at' }, { field: 'op_name' }] },
      ])
        expect(await statuses({ columns, ...more })).toEqual(expected)
  })
  it('take both names of a field', async () => {
    for (const column of ['wb_run_id', 'platform_run_id'])
      expect(await one('run', { columns: [column] })).toMatchObject({ wb_run_id: 'acme/one/r9' })
  })
  it('refuse names that there are not', async () =>
    expect((await post('/calls/stream_query', { columns: ['x'] })).status).toBe(422))
})

describe('large values', () => {
  it('stay out of lists unless they are asked for', async () => {
    const project = 'acme/large'
    const text = JSON.stringify('x'.repeat(1_100_000))
    await writeCalls(service.store, project, [
      {
        id: 'a',
        started_at: iso(1),
        inputs: `{"t":${text}}`,
        output: text,
        summary: `{"t":${text}}`,
        attributes: `{"t":${text}}`,
      },
    ])
    const [row] = (await service.post('/calls/stream_query', { project_id: project })).text
      .split('\n')
      .filter(Boolean)
    const omitted = (bytes: number) => ({ _omitted: { bytes } })
    expect(JSON.parse(row!)).toMatchObject({
      inputs: omitted(1_100_008),
      output: omitted(1_100_002),
      attributes: omitted(1_100_008),
      summary: { weave: { status: 'running' }, ...omitted(1_100_008) },
    })
    const asked = await service.post('/calls/stream_query', { project_id: project, columns: ['output'] })
    expect(asked.json.output).toHaveLength(1_100_000)
    const brief = { project_id: project, columns: ['output'], omit_large_values: true }
    expect((await service.post('/calls/stream_query', brief)).json.output).toEqual(omitted(1_100_002))
    const begun = {
      project_id: project,
      columns: ['inputs', 'output', 'summary', 'attributes'],
      cut_texts_at: 100,
    }
    const beginning = `${'x'.repeat(100)}…`
    const sparse = await service.post('/calls/stream_query', {
      ...{ project_id: project, columns: ['output'], omit_other_columns: true },
      filter: { call_ids: ['a'] },
    })
    expect(Object.keys(sparse.json)).toEqual([
      ...['id', 'project_id', 'op_name', 'trace_id', 'started_at', 'output'],
    ])
    expect((await service.post('/calls/stream_query', begun)).json).toMatchObject({
      ...{ inputs: { t: beginning }, output: beginning, attributes: { t: beginning } },
      summary: { t: beginning, weave: { status: 'running' } },
    })
    const byId = await service.post('/calls/stream_query', {
      project_id: project,
      filter: { call_ids: ['a'] },
    })
    expect(byId.json.inputs.t).toHaveLength(1_100_000)
    const read = await service.post('/call/read', { project_id: project, id: 'a' })
    expect(read.json.call.inputs.t).toHaveLength(1_100_000)
    expect(read.json.call.summary.t).toHaveLength(1_100_000)
  })
})

describe('sizes and names', () => {
  it('storage size is of the call, total of its trace on roots only', async () => {
    const more = {
      filter: { trace_ids: ['A'] },
      include_storage_size: true,
      include_total_storage_size: true,
    }
    const found = await rows(more)
    const sizes = found.map((row) => row.storage_size_bytes)
    expect(sizes[0]).toBe(
      Buffer.byteLength(calls[0]!.inputs! + calls[0]!.output + calls[0]!.attributes + calls[0]!.summary),
    )
    const total = sizes.reduce((a, b) => a + b)
    expect(found.map((row) => row.total_storage_size_bytes)).toEqual([total, null, null])
    expect(await rows({ ...more, limit: 10 })).toEqual(found)
    const { json } = await post('/calls/query_stats', {
      filter: { trace_ids: ['A'] },
      include_total_storage_size: true,
    })
    expect(json.total_storage_size_bytes).toBe(total)
    const read = await post('/call/read', {
      id: 'root',
      include_storage_size: true,
      include_total_storage_size: true,
    })
    expect(read.json.call).toMatchObject({ storage_size_bytes: sizes[0], total_storage_size_bytes: total })
  })
  it('user names only when asked for, and only where known', async () => {
    expect(await one('root')).not.toHaveProperty('wb_username')
    expect(await one('root', { include_usernames: true })).toMatchObject({
      platform_username: 'Ada "A"',
      wb_username: 'Ada "A"',
    })
    expect(await one('output ref', { include_usernames: true })).not.toHaveProperty('wb_username')
    expect(
      (await one('root', { include_usernames: true, limit: 2, sort_by: [{ field: 'op_name' }] })).wb_username,
    ).toBe('Ada "A"')
  })
})

describe('one call', () => {
  it.each(['none', 'an end alone', 'other', ''])('%j is null', async (id) =>
    expect(await post('/call/read', { id })).toMatchObject({ status: 200, json: { call: null } }),
  )
  it('is the newest version', async () =>
    expect((await post('/call/read', { id: 'twice' })).json.call.display_name).toBe('new'))
})

describe('statistics', () => {
  const ask = (more: object) => ({ start: at(0), end: at(120), granularity: 60, ...more })
  it('by bucket', async () => {
    const { json } = await post(
      '/calls/stats',
      ask({
        filter: { trace_ids: ['A', 'trace of running'] },
        usage_metrics: [
          { metric: 'total_tokens', aggregations: ['sum', 'max', 'count'] },
          { metric: 'total_cost' },
        ],
        call_metrics: [
          { metric: 'call_count' },
          { metric: 'error_count', aggregations: ['sum', 'avg', 'count_true', 'count_false'] },
          { metric: 'latency_ms', aggregations: ['sum', 'max', 'min'], percentiles: [50, 75] },
        ],
      }),
    )
    expect(json).toEqual({
      start: at(0),
      end: at(120),
      granularity: 60,
      timezone: 'UTC',
      usage_buckets: [
        {
          timestamp: at(0),
          model: 'm',
          sum_total_tokens: 17,
          max_total_tokens: 15,
          count_total_tokens: 2,
          sum_total_cost: null,
          count: 2,
        },
        {
          timestamp: at(60),
          model: 'm',
          sum_total_tokens: 0,
          max_total_tokens: null,
          count_total_tokens: 0,
          sum_total_cost: null,
          count: 0,
        },
      ],
      call_buckets: [
        {
          timestamp: at(0),
          sum_call_count: 3,
          sum_error_count: 1,
          avg_error_count: 1 / 3,
          count_true_error_count: 1,
          count_false_error_count: 2,
          sum_latency_ms: 5500,
          max_latency_ms: 4000,
          min_latency_ms: 500,
          p50_latency_ms: 1000,
          p75_latency_ms: 2500,
          count: 3,
        },
        {
          timestamp: at(60),
          sum_call_count: 1,
          sum_error_count: 0,
          avg_error_count: 0,
          count_true_error_count: 0,
          count_false_error_count: 1,
          sum_latency_ms: 0,
          max_latency_ms: null,
          min_latency_ms: null,
          p50_latency_ms: null,
          p75_latency_ms: null,
          count: 1,
        },
      ],
    })
  })
  it('of roots: their usage, and that of spans', async () => {
    const { json } = await post(
      '/calls/stats',
      ask({ filter: { trace_roots_only: true }, usage_metrics: [{ metric: 'input_tokens' }] }),
    )
    expect(json.usage_buckets).toEqual([
      { timestamp: at(0), model: 'n', sum_input_tokens: 7, count: 1 },
      { timestamp: at(60), model: 'n', sum_input_tokens: 0, count: 0 },
    ])
  })
  it.each<[string, object]>([
    ['a thread', { thread_ids: ['t1'] }],
    ['a turn', { turn_ids: ['turn'] }],
    ['no thread', { thread_ids: [] }],
    ['an input ref', { input_refs: [REF] }],
    ['an output ref', { output_refs: [REF] }],
    ['all', {}],
  ])('count the calls that match: %s', async (_name, filter) => {
    const { json } = await post('/calls/stats', ask({ filter, call_metrics: [{ metric: 'call_count' }] }))
    const sum = json.call_buckets.reduce((all: number, one: Row) => all + one.sum_call_count, 0)
    expect(sum).toBe(await count({ filter }))
  })
  it('choose a granularity, and answer empty buckets', async () => {
    const { json } = await post('/calls/stats', {
      start: at(0),
      end: at(600),
      call_metrics: [{ metric: 'call_count' }],
    })
    expect(json.granularity).toBe(300)
    expect(json.call_buckets).toHaveLength(2)
    expect(json.call_buckets[1]).toEqual({ timestamp: at(300), sum_call_count: 0, count: 0 })
  })
  it.each([
    ['an unknown zone', { timezone: 'Middle/Earth' }],
    ['more than 31 days', { start: '2026-01-01T00:00:00Z', end: '2026-03-01T00:00:00Z' }],
    ['an end before the start', { end: at(-1) }],
    ['an unknown metric', { call_metrics: [{ metric: 'beauty' }] }],
    ['too many buckets', { end: at(86_400), granularity: 1 }],
    ['a granularity of 0', { granularity: 0 }],
    ['a percentile over 100', { call_metrics: [{ metric: 'latency_ms', percentiles: [101] }] }],
    ['a time that is none', { start: 'x' }],
  ])('refuse %s', async (_name, more) => expect((await post('/calls/stats', ask(more))).status).toBe(422))
})

describe('limits', () => {
  it('of what one query may use', async () => {
    const narrow = { ...limits, readBytes: 1 }
    const [stream] = callsRoutes({ store: service.store, limits: narrow })
    const request = {
      params: undefined,
      query: undefined,
      body: stream!.spec.body!.parse({ project_id }),
      bytes: new Uint8Array(),
      headers: new Map<string, string>(),
      principal: nobody,
      signal: AbortSignal.timeout(10_000),
      remoteAddress: '',
    }
    const read = async () => {
      const reply = (await stream!.handle(request)) as { body: AsyncIterable<Uint8Array> }
      for await (const _ of reply.body);
    }
    await expect(read()).rejects.toMatchObject({ code: 'LIMIT_HIT', status: 502 })
  })
})
