/** The published weave SDKs, Python and npm, as processes of their own: they trace, then they read back. */
import { beforeAll, describe, expect, it } from 'vitest'
import { dig, type Row } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { runNode, runPython } from '../support/program.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

/** The name part of an op ref, or the name itself. */
function op(call: Row): string {
  return /\/op\/([^:]+):/.exec(String(call.op_name))?.[1] ?? String(call.op_name)
}

function weave(call: Row | undefined): Row {
  return dig(call, 'summary', 'weave') as Row
}

describe.each([
  ['calls/complete (default)', '.venv'],
  ['start and end, from a client a year old', '.venv/weave-0.52.17'],
])('Python, %s', (_name, place) => {
  const project = freshProject()
  let made: Record<string, { id: string; trace_id: string }>
  let calls: Map<string, Row>
  const call = (name: string) => calls.get(made[name]!.id)
  const named = (name: string) => [...calls.values()].filter((one) => op(one) === name)
  const children = (parent: Row | undefined) =>
    [...calls.values()].filter((one) => one.parent_id === parent?.id)

  beforeAll(async () => {
    ;({ made } = await runPython<{ made: typeof made }>(
      server,
      'weave_trace',
      { PROJECT: project },
      120,
      place,
    ))
    calls = new Map((await server.api.calls(project)).map((one) => [String(one.id), one]))
  })

  it('plain ops', () => {
    expect(call('add')).toMatchObject({ inputs: { a: 1, b: 2 }, output: 3, exception: null, parent_id: null })
    expect(weave(call('add'))).toMatchObject({ status: 'success', trace_name: 'add' })
    expect(dig(call('add'), 'attributes', 'weave')).toBeTruthy()
  })

  it('nested ops', () => {
    const outer = call('outer')
    const inner = children(outer)
    expect(inner.map((one) => (one.inputs as Row).text)).toEqual(['hello', 'hello!', 'hello?'])
    for (const one of inner) expect(one.trace_id).toBe(outer?.trace_id)
    expect(inner[0]?.output).toEqual({
      length: 5,
      text: 'hello',
      nested: { list: [1, 2.5, null, true, 'żółć 🧵'] },
    })
  })

  it('failing ops, and what is above them', () => {
    const failed = named('fails')
    expect(failed).toHaveLength(2)
    for (const one of failed) {
      expect(String(one.exception)).toContain('ValueError')
      expect(weave(one).status).toBe('error')
    }
    expect(weave(call('fails_inside')).status).toBe('descendant_error')
    expect(call('fails_inside')?.output).toBe('survived')
  })

  it('async ops', () => {
    const [gathers] = named('gathers')
    expect(gathers?.output).toEqual(['A', 'B', 'C'])
    expect(children(gathers)).toHaveLength(3)
  })

  it('generators', () => {
    const [counts] = named('counts')
    expect(counts?.ended_at).not.toBeNull()
    expect(children(counts)).toHaveLength(3)
    expect(named('streams')[0]?.ended_at).not.toBeNull()
  })

  it('display names and op names', () => {
    expect(call('named')).toMatchObject({ display_name: 'shown as this' })
    expect(op(call('named')!)).toBe('renamed-op')
    expect(call('named_by_input')).toMatchObject({ display_name: 'shown 8' })
    expect(call('by_hand')).toMatchObject({ display_name: 'renamed later' })
    expect(op(call('by_hand')!)).toBe('by.hand')
  })

  it('attributes', () => {
    expect(call('attributed')?.attributes).toMatchObject({
      env: 'test',
      release: { major: 3, tags: ['a', 'b'] },
    })
  })

  it('large inputs stay out of lists, unless asked for', async () => {
    expect(dig(call('large'), 'inputs', '_omitted', 'bytes')).toBeGreaterThan(1_200_000)
    const filter = { op_names: [call('large')?.op_name] }
    const [asked] = await server.api.calls(project, { filter, columns: ['inputs', 'output'] })
    const { call: one } = await server.api.ok('/call/read', { project_id: project, id: made.large!.id })
    for (const read of [asked, one]) {
      expect(dig(read, 'inputs', 'text')).toHaveLength(1_200_000)
      expect(dig(read, 'inputs', 'rows')).toHaveLength(5_000)
      expect(dig(read, 'output')).toBe(1_205_000)
    }
  })

  it('usage', () => {
    expect(call('calls_model')?.summary).toMatchObject({
      usage: { 'model-small-1': { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, requests: 1 } },
    })
  })

  it('threads and turns', async () => {
    const threads = await server.api.lines('/threads/stream_query', { project_id: project })
    expect(threads.map((thread) => [thread.thread_id, thread.turn_count]).sort()).toEqual([
      ['thread-one', 2],
      ['thread-two', 1],
    ])
    for (const turn of named('turn')) {
      expect(turn.turn_id).toBe(turn.id)
      expect(children(turn)[0]).toMatchObject({ thread_id: turn.thread_id, turn_id: turn.id })
    }
  })

  it('secrets are not stored', async () => {
    expect(call('secret')?.inputs).toMatchObject({
      api_key: 'REDACTED',
      headers: { Authorization: 'REDACTED', x: 'kept' },
    })
    const { text } = await server.api.post('/calls/stream_query', { project_id: project })
    expect(text).not.toContain('not-to-be-stored')
    expect(text).toContain('12345678901234567890')
  })

  it('deleted calls are gone with their children, a running one is there', () => {
    expect(call('deleted')).toBeUndefined()
    expect(call('deleted_child')).toBeUndefined()
    const [open] = named('left.open')
    expect(open?.ended_at).toBeNull()
    expect(weave(open).status).toBe('running')
  })

  it('eager starts meet their ends', () => {
    expect(call('long_running')).toMatchObject({ inputs: { x: 5 }, output: 1 })
    expect(weave(call('long_running')).status).toBe('success')
  })

  it('published ops can be read by their refs', async () => {
    const ref = String(call('add')?.op_name)
    const { vals } = await server.api.ok('/refs/read_batch', { refs: [ref] })
    expect((vals as Row[])[0]).toMatchObject({ _type: 'CustomWeaveType', weave_type: { type: 'Op' } })
    const digest = dig(vals, 0, 'files', 'obj.py')
    const file = await server.api.post('/file/content', { project_id: project, digest: digest as string })
    expect(file.text).toContain('def add(a: int, b: float)')
  })

  it('nothing is there twice', async () => {
    const rows = await server.api.calls(project)
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    expect(await server.api.count(project)).toBe(rows.length)
  })

  it('the SDK reads it all back', async () => {
    const addRef = String(call('add')?.op_name)
    const literal = (value: unknown) => ({ $literal: value })
    const queries: Record<string, object> = {
      all: {},
      small_pages: { page_size: 7 },
      op: { filter: { op_names: [addRef] } },
      any_version: { filter: { op_names: [addRef.replace(/:[^:]*$/, ':*')] } },
      roots: { filter: { trace_roots_only: true } },
      trace: { filter: { trace_ids: [made.outer!.trace_id] } },
      newest: { sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 5 },
      page: { limit: 3, offset: 2 },
      columns: { columns: ['inputs'], filter: { call_ids: [made.add!.id] } },
      expr: { query: { $expr: { $eq: [{ $getField: 'inputs.a' }, literal(10)] } } },
      failed: { query: { $expr: { $eq: [{ $getField: 'summary.weave.status' }, literal('error')] } } },
      contains: {
        query: { $expr: { $contains: { input: { $getField: 'inputs.text' }, substr: literal('hello') } } },
      },
      thread: { filter: { thread_ids: ['thread-one'] } },
      slowest: { sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }], limit: 3 },
    }
    type Read = {
      found: Record<string, Row[]>
      counts: Record<string, number>
      single: Record<string, Row>
      missing: string | null
    }
    const env = {
      PROJECT: project,
      QUERIES: JSON.stringify(queries),
      IDS: JSON.stringify([made.add!.id, made.outer!.id, made.large!.id]),
    }
    const { found, counts, single, missing } = await runPython<Read>(server, 'weave_read', env, 120, place)
    const ids = (name: string) => found[name]?.map((one) => one.id)
    expect(ids('all')).toEqual([...calls.keys()])
    expect(ids('small_pages')).toEqual([...calls.keys()])
    expect(counts.all).toBe(calls.size)
    const adds = named('add').map((one) => one.id)
    expect(ids('op')).toEqual(adds)
    expect(ids('any_version')).toEqual(adds)
    expect(counts.op).toBe(adds.length)
    expect(ids('roots')?.length).toBe([...calls.values()].filter((one) => one.parent_id === null).length)
    expect(ids('trace')).toHaveLength(4)
    expect(ids('newest')).toEqual([...calls.keys()].reverse().slice(0, 5))
    expect(ids('page')).toEqual([...calls.keys()].slice(2, 5))
    expect(found.columns?.[0]).toMatchObject({ inputs: { a: 1, b: 2 } })
    expect(ids('expr')).toEqual([made.attributed!.id])
    expect(ids('failed')).toHaveLength(2)
    expect(ids('contains')).toHaveLength(4)
    expect(ids('thread')).toHaveLength(4)
    expect(ids('slowest')).toHaveLength(3)
    expect(single[made.add!.id]).toMatchObject({ inputs: { a: 1, b: 2 }, output: 3 })
    expect(single[made.outer!.id]?.output).toEqual(call('outer')?.output)
    expect(dig(single[made.large!.id], 'inputs', 'text')).toHaveLength(1_200_000)
    expect(missing).toContain('not found')
  })
})

describe('npm', () => {
  const project = freshProject()
  let made: Record<string, string>
  let calls: Map<string, Row>
  const call = (name: string) => calls.get(made[name]!)
  const named = (name: string) => [...calls.values()].filter((one) => op(one) === name)
  const children = (parent: Row | undefined) =>
    [...calls.values()].filter((one) => one.parent_id === parent?.id)

  beforeAll(async () => {
    ;({ made } = await runNode<{ made: typeof made }>(server, 'weave-trace', { PROJECT: project }))
    calls = new Map((await server.api.calls(project)).map((one) => [String(one.id), one]))
  })

  it('plain, nested and failing ops', () => {
    expect(call('add')).toMatchObject({
      inputs: { a: 1, b: 2.5 },
      output: 3.5,
      display_name: 'renamed later',
    })
    expect(children(call('outer'))).toHaveLength(3)
    const failed = named('fails')
    expect(failed).toHaveLength(2)
    for (const one of failed) expect(String(one.exception)).toMatch(/on purpose|caught/)
    for (const one of failed) expect(weave(one).status).toBe('error')
    expect(call('failsInside')?.output).toBe('survived')
  })

  it('async iterators, display names, usage, attributes', () => {
    expect(named('streams')[0]).toMatchObject({ output: { seen: [0, 1, 2, 3] } })
    expect(call('named')).toMatchObject({ display_name: 'shown 7' })
    expect(call('callsModel')?.summary).toMatchObject({
      usage: { 'model-small-1': { prompt_tokens: 11, completion_tokens: 7 } },
    })
    expect(call('attributed')?.attributes).toMatchObject({ env: 'test', release: { major: 3 } })
  })

  it('nothing is running or there twice', async () => {
    for (const one of calls.values()) expect(one.ended_at).not.toBeNull()
    expect(await server.api.count(project)).toBe(calls.size)
  })

  it('the SDK reads it all back', async () => {
    type Read = { found: Record<string, Row[]>; single: Record<string, Row> }
    const { found, single } = await runNode<Read>(server, 'weave-read', {
      PROJECT: project,
      FILTERS: JSON.stringify({
        all: { filter: {} },
        op: { filter: { op_names: [call('add')?.op_name] } },
        roots: { filter: { trace_roots_only: true }, limit: 4 },
        trace: { filter: { trace_ids: [call('outer')?.trace_id] } },
      }),
      IDS: JSON.stringify([made.add, made.outer]),
    })
    expect(found.all?.map((one) => one.id)).toEqual([...calls.keys()])
    expect(found.op?.map((one) => one.id)).toEqual(named('add').map((one) => one.id))
    expect(found.roots).toHaveLength(4)
    expect(found.trace).toHaveLength(4)
    expect(single[made.add!]).toMatchObject({ inputs: { a: 1, b: 2.5 }, output: 3.5 })
    expect(single[made.outer!]).toMatchObject({ output: call('outer')?.output })
  })
})
