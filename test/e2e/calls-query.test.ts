/** Contract §2.1: filters, sorts, columns, limits and what a line holds. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { at, complete, halves, v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
const project = freshProject()
const other = freshProject()
const byName = new Map<string, Record<string, unknown>>()
const traceA = uuid7()
const traceB = uuid7()
const REF = `weave:///${project}/object/prompt:abcdef`
const OP = `weave:///${project}/op/search`

function call(name: string, more: Record<string, unknown> = {}) {
  const made = complete(project, { inputs: { name }, trace_id: traceB, ...more })
  byName.set(name, made)
  return made
}

const root = call('root', { trace_id: traceA, op_name: 'agent', started_at: at(10), ended_at: at(14) })
const child = call('child', {
  trace_id: traceA,
  parent_id: root.id,
  op_name: `${OP}:v1digest`,
  inputs: { name: 'child', prompt: REF, n: 2 },
  started_at: at(11),
  ended_at: at(11.5),
})
call('grandchild', {
  trace_id: traceA,
  parent_id: child.id,
  op_name: `${OP}:v2digest`,
  inputs: { name: 'grandchild', prompts: [REF, 'x'], n: 10 },
  exception: 'boom',
  started_at: at(12),
  ended_at: at(13),
})
call('output ref', {
  output: { result: REF },
  started_at: at(20),
  ended_at: at(20.1),
  inputs: { name: 'output ref', n: '5' },
})
call('output is ref', { output: REF, started_at: at(21), ended_at: at(21.2) })
const turn = uuid7()
call('turn', { id: turn, thread_id: 't1', turn_id: turn, started_at: at(30), ended_at: at(33) })
call('in turn', { thread_id: 't1', turn_id: turn, parent_id: turn, started_at: at(31), ended_at: at(32) })
call('run', { wb_run_id: 'acme/p/run-9', wb_run_step: 4, started_at: at(40), ended_at: at(41) })
call('below failed', {
  summary: { status_counts: { error: 1, success: 0 } },
  started_at: at(50),
  ended_at: at(60),
})
const running = call('running', { op_name: 'agent', started_at: at(70) })
const names = (rows: Row[]) => rows.map((row) => (row.inputs as { name: string }).name)
const all = [...byName.keys()]

beforeAll(async () => {
  server = await sharedServer()
  const whole = [...byName.values()].filter((made) => made !== running)
  await server.api.ok(v2(project, 'calls/complete'), { batch: whole })
  await server.api.ok('/call/start', { start: halves(running).start })
  await server.api.ok(v2(other, 'calls/complete'), {
    batch: [complete(other, { inputs: { name: 'other' } })],
  })
})

const id = (name: string) => byName.get(name)?.id

describe('filter', () => {
  const cases: [string, object, string[]][] = [
    ['nothing', {}, all],
    ['op name', { op_names: ['agent'] }, ['root', 'running']],
    ['op ref', { op_names: [`${OP}:v1digest`] }, ['child']],
    ['any version of an op', { op_names: [`${OP}:*`] }, ['child', 'grandchild']],
    ['two op names', { op_names: ['agent', `${OP}:v1digest`] }, ['root', 'child', 'running']],
    ['op name that nobody has', { op_names: ['nobody'] }, []],
    ['trace', { trace_ids: [traceA] }, ['root', 'child', 'grandchild']],
    ['parent', { parent_ids: [root.id] }, ['child']],
    ['ids', { call_ids: [id('run'), id('root'), uuid7()] }, ['root', 'run']],
    ['an open call by id', { call_ids: [id('running')] }, ['running']],
    ['thread', { thread_ids: ['t1'] }, ['turn', 'in turn']],
    ['turn', { turn_ids: [turn] }, ['turn', 'in turn']],
    ['input ref', { input_refs: [REF] }, ['child', 'grandchild']],
    [
      'input ref, any version',
      { input_refs: [`weave:///${project}/object/prompt:*`] },
      ['child', 'grandchild'],
    ],
    ['output ref', { output_refs: [REF] }, ['output ref', 'output is ref']],
    ['run, whole', { wb_run_ids: ['acme/p/run-9'] }, ['run']],
    ['run, neutral name', { platform_run_ids: ['acme/p/run-9'] }, ['run']],
    [
      'roots',
      { trace_roots_only: true },
      all.filter((name) => !['child', 'grandchild', 'in turn'].includes(name)),
    ],
    ['two at once', { op_names: ['agent'], trace_ids: [traceA] }, ['root']],
    ['empty lists are no condition', { op_names: [], trace_ids: [], call_ids: [], parent_ids: [] }, all],
    ['an empty thread list matches nothing', { thread_ids: [] }, []],
    ['an empty turn list matches nothing', { turn_ids: [] }, []],
    ['nulls are no condition', { op_names: null, trace_roots_only: null, thread_ids: null }, all],
  ]
  it.each(cases)('%s', async (_name, filter, expected) => {
    const rows = await server.api.calls(project, { filter })
    expect(names(rows)).toEqual(expected)
    expect(await server.api.count(project, { filter })).toBe(expected.length)
  })

  it('by user: the caller’s own id', async () => {
    const [first] = await server.api.calls(project, { limit: 1 })
    const user = first?.wb_user_id
    expect(typeof user).toBe('string')
    expect(await server.api.count(project, { filter: { wb_user_ids: [user] } })).toBe(all.length)
    expect(await server.api.count(project, { filter: { platform_user_ids: ['nobody'] } })).toBe(0)
  })

  it('takes 1,000 values and refuses more', async () => {
    const call_ids = Array.from({ length: 1000 }, () => uuid7())
    expect(
      await server.api.count(project, { filter: { call_ids: [...call_ids.slice(1), id('root')] } }),
    ).toBe(1)
    for (const path of ['/calls/stream_query', '/calls/query_stats']) {
      const answer = await server.api.post(path, {
        project_id: project,
        filter: { call_ids: [...call_ids, uuid7()] },
      })
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.text)).toHaveProperty('reason')
    }
  })
})

describe('sort', () => {
  const byStart = all
  const cases: [string, object[], string[]][] = [
    ['started_at asc', [{ field: 'started_at', direction: 'asc' }], byStart],
    ['started_at desc', [{ field: 'started_at', direction: 'desc' }], [...byStart].reverse()],
    ['no direction is asc', [{ field: 'started_at' }], byStart],
    [
      'op name, then start',
      [
        { field: 'op_name', direction: 'asc' },
        { field: 'started_at', direction: 'desc' },
      ],
      [
        'running',
        'root',
        ...['below failed', 'run', 'in turn', 'turn', 'output is ref', 'output ref'],
        'child',
        'grandchild',
      ],
    ],
    ['a text in inputs', [{ field: 'inputs.name', direction: 'asc' }], [...all].sort()],
    [
      'latency, longest first',
      [{ field: 'summary.weave.latency_ms', direction: 'desc' }],
      ['below failed', 'root', 'turn'],
    ],
    ['the neutral name', [{ field: 'platform_run_id', direction: 'desc' }], ['run']],
    ['the client’s name', [{ field: 'wb_run_id', direction: 'desc' }], ['run']],
    [
      'numbers in inputs: existing first, by value, then text; missing last',
      [{ field: 'inputs.n', direction: 'asc' }],
      ['child', 'output ref', 'grandchild'],
    ],
  ]
  it.each(cases)('%s', async (_name, sort_by, expected) => {
    const rows = await server.api.calls(project, { sort_by })
    expect(rows).toHaveLength(all.length)
    expect(names(rows).slice(0, expected.length)).toEqual(expected)
  })

  it('by status groups equal ones', async () => {
    const rows = await server.api.calls(project, {
      sort_by: [{ field: 'summary.weave.status', direction: 'asc' }],
    })
    const seen = rows.map((row) => (row.summary as { weave: { status: string } }).weave.status)
    expect(seen).toEqual([...seen].sort())
    expect(new Set(seen)).toEqual(new Set(['error', 'descendant_error', 'running', 'success']))
  })

  it('by trace name', async () => {
    const rows = await server.api.calls(project, {
      sort_by: [{ field: 'summary.weave.trace_name', direction: 'asc' }],
    })
    const seen = rows.map((row) => (row.summary as { weave: { trace_name: string } }).weave.trace_name)
    expect(seen).toEqual([...seen].sort())
  })

  it('with an empty list gives every call once', async () => {
    expect(names(await server.api.calls(project, { sort_by: [] })).sort()).toEqual([...all].sort())
  })

  it.each(['ASC', 'up', '', 1, null])('refuses the direction %j', async (direction) => {
    const sort_by = [{ field: 'started_at', direction }]
    const answer = await server.api.post('/calls/stream_query', { project_id: project, sort_by })
    expect(answer.status).toBe(422)
    expect(JSON.parse(answer.text).detail[0].loc).toContain('direction')
  })
})

describe('limit and offset', () => {
  it('page through everything once', async () => {
    const seen: string[] = []
    for (let offset = 0; ; offset += 3) {
      const page = names(await server.api.calls(project, { limit: 3, offset }))
      seen.push(...page)
      if (page.length < 3) break
    }
    expect(seen).toEqual(all)
  })

  it('page from the newest, open calls in their place', async () => {
    const sort_by = [{ field: 'started_at', direction: 'desc' }]
    const seen: string[] = []
    for (let offset = 0; offset < 12; offset += 2)
      seen.push(...names(await server.api.calls(project, { sort_by, limit: 2, offset })))
    expect(seen).toEqual([...all].reverse())
  })

  it('null is no limit, 0 is no call, less is refused', async () => {
    expect(await server.api.calls(project, { limit: null })).toHaveLength(all.length)
    expect(await server.api.calls(project, { limit: 0 })).toEqual([])
    const answer = await server.api.post('/calls/stream_query', { project_id: project, limit: -1 })
    expect(answer.status).toBe(400)
  })

  it('saturate the count and say so', async () => {
    const stats = await server.api.ok('/calls/query_stats', { project_id: project, limit: 4 })
    expect(stats).toMatchObject({ count: 4, has_more: true })
    const enough = await server.api.ok('/calls/query_stats', { project_id: project, limit: 400 })
    expect(enough).toMatchObject({ count: all.length, has_more: false })
    expect((await server.api.post('/calls/query_stats', { project_id: project, limit: 0 })).status).toBe(400)
  })
})

describe('columns', () => {
  it('give the named ones, the fixed ones, and null or {} for the rest', async () => {
    const filter = { call_ids: [root.id] }
    const [row] = await server.api.calls(project, { filter, columns: ['inputs.name', 'display_name'] })
    expect(row).toMatchObject({
      id: root.id,
      trace_id: traceA,
      project_id: project,
      op_name: 'agent',
      started_at: at(10),
      inputs: { name: 'root' },
      attributes: {},
      output: null,
      ended_at: null,
    })
    const [whole] = await server.api.calls(project, { filter })
    expect(Object.keys(row ?? {}).sort()).toEqual(Object.keys(whole ?? {}).sort())
  })

  it('compute the status from the real end', async () => {
    const [row] = await server.api.calls(project, { filter: { call_ids: [root.id] }, columns: ['summary'] })
    expect(row?.summary).toMatchObject({ weave: { status: 'success', latency_ms: 4000 } })
  })

  it('take both names of a field', async () => {
    for (const column of ['wb_run_id', 'platform_run_id']) {
      const [row] = await server.api.calls(project, { filter: { call_ids: [id('run')] }, columns: [column] })
      expect(row).toMatchObject({ wb_run_id: 'acme/p/run-9', platform_run_id: 'acme/p/run-9' })
    }
  })
})

describe('sizes and names', () => {
  it('storage size is of the call, total of its trace on roots only', async () => {
    const rows = await server.api.calls(project, {
      filter: { trace_ids: [traceA] },
      include_storage_size: true,
      include_total_storage_size: true,
    })
    const sizes = rows.map((row) => Number(row.storage_size_bytes))
    expect(sizes.every((size) => size > 0)).toBe(true)
    expect(rows.map((row) => row.total_storage_size_bytes)).toEqual([
      sizes.reduce((a, b) => a + b),
      null,
      null,
    ])
    const stats = await server.api.ok('/calls/query_stats', {
      project_id: project,
      include_total_storage_size: true,
    })
    expect(Number(stats.total_storage_size_bytes)).toBeGreaterThan(sizes.reduce((a, b) => a + b))
  })

  it('user names only when asked for', async () => {
    const [without] = await server.api.calls(project, { limit: 1 })
    expect(without).not.toHaveProperty('platform_username')
    expect(without).not.toHaveProperty('wb_username')
    const [row] = await server.api.calls(project, { limit: 1, include_usernames: true })
    expect(typeof row?.platform_username).toBe('string')
    expect(row?.wb_username).toBe(row?.platform_username)
  })
})

describe('a line', () => {
  it('has every key of the contract', async () => {
    const [row] = await server.api.calls(project, { filter: { call_ids: [root.id] } })
    for (const key of [
      'id',
      'project_id',
      'op_name',
      'display_name',
      'trace_id',
      'parent_id',
      'thread_id',
      'turn_id',
      'started_at',
      'ended_at',
      'attributes',
      'inputs',
      'exception',
      'output',
      'summary',
      'deleted_at',
      'wb_user_id',
      'wb_run_id',
      'wb_run_step',
      'wb_run_step_end',
      'platform_user_id',
      'platform_run_id',
      'platform_run_step',
      'platform_run_step_end',
    ])
      expect(row).toHaveProperty(key)
  })

  it.each([
    [undefined, 'application/jsonl'],
    ['application/jsonl', 'application/jsonl'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['*/*', 'application/jsonl'],
    ['application/json', 'application/json'],
  ])('accept %s answers %s', async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    const answer = await server.api.post('/calls/stream_query', { project_id: project, limit: 2 }, headers)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toContain(type)
    expect(answer.text.trim()).not.toBe('')
  })

  it('an empty result is an empty body', async () => {
    const answer = await server.api.post('/calls/stream_query', { project_id: freshProject() })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})
