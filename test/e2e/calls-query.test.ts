/** Contract §2.1 over calls that clients have sent; what each filter, sort and column means: `query/calls/calls.test.ts`. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { at, complete, halves, v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
const project = freshProject()
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
})

const id = (name: string) => byName.get(name)?.id

describe('filter', () => {
  const cases: [string, object, string[]][] = [
    ['nothing', {}, all],
    ['any version of an op', { op_names: [`${OP}:*`] }, ['child', 'grandchild']],
    ['an open call by id', { call_ids: [id('running')] }, ['running']],
    ['turn of a thread', { thread_ids: ['t1'], turn_ids: [turn] }, ['turn', 'in turn']],
    ['input ref', { input_refs: [REF] }, ['child', 'grandchild']],
    ['output ref', { output_refs: [REF] }, ['output ref', 'output is ref']],
    ['run', { wb_run_ids: ['acme/p/run-9'], platform_run_ids: ['acme/p/run-9'] }, ['run']],
    [
      'roots',
      { trace_roots_only: true },
      all.filter((name) => !['child', 'grandchild', 'in turn'].includes(name)),
    ],
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
})

describe('sort', () => {
  const cases: [string, object[], string[]][] = [
    [
      'latency, longest first',
      [{ field: 'summary.weave.latency_ms', direction: 'desc' }],
      ['below failed', 'root', 'turn'],
    ],
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
})

it('pages go from the newest, open calls in their place', async () => {
  const sort_by = [{ field: 'started_at', direction: 'desc' }]
  const seen: string[] = []
  for (let offset = 0; offset < 12; offset += 2)
    seen.push(...names(await server.api.calls(project, { sort_by, limit: 2, offset })))
  expect(seen).toEqual([...all].reverse())
})

it('user names only when asked for', async () => {
  const [without] = await server.api.calls(project, { limit: 1 })
  expect(without).not.toHaveProperty('platform_username')
  expect(without).not.toHaveProperty('wb_username')
  const [row] = await server.api.calls(project, { limit: 1, include_usernames: true })
  expect(typeof row?.platform_username).toBe('string')
  expect(row?.wb_username).toBe(row?.platform_username)
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
