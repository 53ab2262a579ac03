/** Contract §2: how starts, ends, whole calls, updates and deletes meet. */
import { beforeAll, describe, expect, it } from 'vitest'
import { at, complete, halves, v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

/** The one call a read by id gives. */
async function read(project: string, id: unknown) {
  const { call } = await server.api.ok('/call/read', { project_id: project, id })
  return call as Record<string, unknown> | null
}

/** A call with every field set. */
function rich(project: string) {
  return complete(project, {
    op_name: 'answer',
    display_name: 'An answer',
    parent_id: uuid7(),
    thread_id: 'thread-1',
    turn_id: 'turn-1',
    started_at: at(0.000001),
    ended_at: at(1.5),
    attributes: { env: 'test', n: 1 },
    inputs: {
      question: 'żółć 🧵 "quoted" \\ \u0001 line\nbreak',
      list: [1, 2.5, null, true],
      deep: { a: { b: 'c' } },
    },
    output: { text: 'yes', score: 0.1 },
    summary: { usage: { m: { prompt_tokens: 1 } }, custom: 'kept' },
    wb_run_id: 'run-1',
    wb_run_step: 3,
  })
}

const WRITES = {
  'calls/complete': async (call: Record<string, unknown>, project: string) => {
    expect(await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })).toEqual({})
  },
  'call/start then call/end': async (call: Record<string, unknown>) => {
    const { start, end } = halves(call)
    const answer = await server.api.ok('/call/start', { start })
    expect(answer).toEqual({ id: call.id, trace_id: call.trace_id })
    expect(await server.api.ok('/call/end', { end })).toEqual({})
  },
  'call/end then call/start': async (call: Record<string, unknown>, project: string) => {
    const { start, end } = halves(call)
    await server.api.ok('/call/end', { end })
    expect(await read(project, call.id)).toBeNull()
    expect(await server.api.count(project)).toBe(0)
    await server.api.ok('/call/start', { start })
  },
  'upsert_batch with both': async (call: Record<string, unknown>) => {
    const { start, end } = halves(call)
    const { res } = await server.api.ok('/call/upsert_batch', {
      batch: [
        { mode: 'start', req: { start } },
        { mode: 'end', req: { end } },
      ],
    })
    expect(res).toEqual([{ id: call.id, trace_id: call.trace_id }, {}])
  },
  'upsert_batch, end first': async (call: Record<string, unknown>) => {
    const { start, end } = halves(call)
    await server.api.ok('/call/upsert_batch', {
      batch: [
        { mode: 'end', req: { end } },
        { mode: 'start', req: { start } },
      ],
    })
  },
  'v2 call/start then v2 call/end': async (call: Record<string, unknown>, project: string) => {
    const { start, end } = halves(call)
    const answer = await server.api.ok(v2(project, 'call/start'), { start })
    expect(answer).toEqual({ id: call.id, trace_id: call.trace_id })
    expect(await server.api.ok(v2(project, 'call/end'), { end })).toEqual({})
  },
}

describe.each(Object.entries(WRITES))('written by %s', (_name, write) => {
  it('reads back whole, by every read', async () => {
    const project = freshProject()
    const call = rich(project)
    await write(call, project)
    const expected = {
      id: call.id,
      project_id: project,
      trace_id: call.trace_id,
      parent_id: call.parent_id,
      thread_id: 'thread-1',
      turn_id: 'turn-1',
      op_name: 'answer',
      display_name: 'An answer',
      started_at: at(0.000001),
      ended_at: at(1.5),
      attributes: call.attributes,
      inputs: call.inputs,
      output: call.output,
      exception: null,
      wb_run_id: 'run-1',
      platform_run_id: 'run-1',
      wb_run_step: 3,
      platform_run_step: 3,
    }
    const one = await read(project, call.id)
    expect(one).toMatchObject(expected)
    expect(one?.summary).toMatchObject({
      usage: { m: { prompt_tokens: 1 } },
      custom: 'kept',
      weave: { status: 'success', latency_ms: 1499, display_name: 'An answer' },
    })
    const rows = await server.api.calls(project)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toEqual(one)
    expect(await server.api.count(project)).toBe(1)
  })
})

describe('merging', () => {
  it('shows a running call at once', async () => {
    const project = freshProject()
    const { start } = halves(rich(project))
    await server.api.ok('/call/start', { start })
    const call = await read(project, start.id)
    expect(call).toMatchObject({ ended_at: null, output: null, summary: { weave: { status: 'running' } } })
    expect(await server.api.calls(project, { filter: { op_names: ['answer'] } })).toHaveLength(1)
  })

  it('lets the second start win on its side', async () => {
    const project = freshProject()
    const call = rich(project)
    const { start, end } = halves(call)
    await server.api.ok('/call/start', { start })
    await server.api.ok('/call/start', { start: { ...start, op_name: 'second', inputs: { second: true } } })
    await server.api.ok('/call/end', { end })
    expect(await read(project, call.id)).toMatchObject({
      op_name: 'second',
      inputs: { second: true },
      output: call.output,
    })
    expect(await server.api.count(project)).toBe(1)
  })

  it('lets a start after both halves replace the start side only', async () => {
    const project = freshProject()
    const call = rich(project)
    const { start, end } = halves(call)
    await server.api.ok('/call/start', { start })
    await server.api.ok('/call/end', { end })
    await server.api.ok('/call/start', { start: { ...start, op_name: 'later' } })
    expect(await read(project, call.id)).toMatchObject({
      op_name: 'later',
      output: call.output,
      ended_at: at(1.5),
    })
    expect(await server.api.count(project)).toBe(1)
  })

  it('lets the last end win', async () => {
    const project = freshProject()
    const call = rich(project)
    const { start, end } = halves(call)
    await server.api.ok('/call/start', { start })
    await server.api.ok('/call/end', { end })
    await server.api.ok('/call/end', { end: { ...end, output: 'last', ended_at: at(9) } })
    expect(await read(project, call.id)).toMatchObject({ output: 'last', ended_at: at(9) })
    expect(await server.api.count(project)).toBe(1)
  })

  it('replaces the whole row on a second complete, also with another started_at', async () => {
    const project = freshProject()
    const call = rich(project)
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    const second = {
      ...call,
      started_at: at(-7),
      op_name: 'replaced',
      inputs: { only: 1 },
      display_name: null,
    }
    await server.api.ok(v2(project, 'calls/complete'), { batch: [second] })
    expect(await read(project, call.id)).toMatchObject({
      op_name: 'replaced',
      started_at: at(-7),
      inputs: { only: 1 },
      display_name: null,
    })
    expect(await server.api.calls(project)).toHaveLength(1)
    expect(await server.api.count(project)).toBe(1)
  })

  it('lets a complete replace an open start', async () => {
    const project = freshProject()
    const call = rich(project)
    await server.api.ok('/call/start', { start: halves(call).start })
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    expect(await read(project, call.id)).toMatchObject({ ended_at: at(1.5), output: call.output })
    expect(await server.api.count(project)).toBe(1)
  })

  it('keeps the same id apart in two projects', async () => {
    const [one, two] = [freshProject(), freshProject()]
    const call = rich(one)
    await server.api.ok(v2(one, 'calls/complete'), { batch: [call] })
    await server.api.ok(v2(two, 'calls/complete'), {
      batch: [{ ...call, project_id: two, op_name: 'other' }],
    })
    expect(await read(one, call.id)).toMatchObject({ op_name: 'answer' })
    expect(await read(two, call.id)).toMatchObject({ op_name: 'other' })
  })

  it('takes several projects in one upsert_batch', async () => {
    const [one, two] = [freshProject(), freshProject()]
    const batch = [one, two].map((project) => ({
      mode: 'start',
      req: { start: halves(rich(project)).start },
    }))
    await server.api.ok('/call/upsert_batch', { batch })
    expect(await server.api.count(one)).toBe(1)
    expect(await server.api.count(two)).toBe(1)
  })

  it('makes ids where a start has none', async () => {
    const project = freshProject()
    const { id: _id, trace_id: _trace, ...start } = halves(rich(project)).start
    const made = await server.api.ok('/call/start', { start })
    expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(await read(project, made.id)).toMatchObject({ id: made.id, trace_id: made.trace_id })
  })

  it('answers 404 to a v2 end without a start', async () => {
    const project = freshProject()
    const { end } = halves(rich(project))
    const answer = await server.api.post(v2(project, 'call/end'), { end })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toHaveProperty('reason')
  })

  it('takes a null or unknown field, and overwrites the user', async () => {
    const project = freshProject()
    const call: Record<string, unknown> = {
      ...rich(project),
      wb_user_id: 'somebody-else',
      nonsense: { a: 1 },
      parent_id: null,
    }
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    const stored = await read(project, call.id)
    expect(stored?.wb_user_id).not.toBe('somebody-else')
    expect(stored?.wb_user_id).toBe(stored?.platform_user_id)
    expect(stored?.parent_id).toBeNull()
  })
})

describe('times', () => {
  it.each([
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01Z'],
    ['2026-01-01T00:00:01.5Z', '2026-01-01T00:00:01.500000Z'],
    ['2026-01-01T00:00:01.123456Z', '2026-01-01T00:00:01.123456Z'],
    ['2026-01-01T02:00:01.000001+02:00', '2026-01-01T00:00:01.000001Z'],
    ['2026-01-01T00:00:01', '2026-01-01T00:00:01Z'],
  ])('reads %s back as %s', async (sent, expected) => {
    const project = freshProject()
    const call = complete(project, { started_at: sent, ended_at: '2026-01-01T00:00:02Z' })
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    expect(await read(project, call.id)).toMatchObject({ started_at: expected })
  })
})

describe('numbers and text', () => {
  it('come back with the text they came in with', async () => {
    const project = freshProject()
    const call = complete(project)
    const inputs =
      '{"one": 1.0, "big": 12345678901234567890123, "tiny": 1e-7, "minus": -0.0, "sp  ace": "\\u00e9\\ud83e\\uddf5"}'
    const body = JSON.stringify({ batch: [{ ...call, inputs: '@' }] }).replace('"@"', inputs)
    await server.api.ok(v2(project, 'calls/complete'), body)
    const { text } = await server.api.post('/calls/stream_query', { project_id: project })
    for (const kept of ['1.0', '12345678901234567890123', '1e-7', '-0.0']) expect(text).toContain(kept)
    expect(JSON.parse(text).inputs['sp  ace']).toBe('é🧵')
  })
})

describe('redaction', () => {
  it('hides credential-like strings in inputs and attributes, at any depth, not in the output', async () => {
    const project = freshProject()
    const call = complete(project, {
      inputs: {
        api_key: 'sk-1',
        deep: [{ OPENAI_API_KEY: 'sk-2', empty_api_key: '', apikey: 5 }],
        kept: 'yes',
      },
      attributes: { headers: { Authorization: 'Bearer x', 'x-client-secret': 's' } },
      output: { api_key: 'visible' },
    })
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    expect(await read(project, call.id)).toMatchObject({
      inputs: {
        api_key: 'REDACTED',
        deep: [{ OPENAI_API_KEY: 'REDACTED', empty_api_key: '', apikey: 5 }],
        kept: 'yes',
      },
      attributes: { headers: { Authorization: 'REDACTED', 'x-client-secret': 'REDACTED' } },
      output: { api_key: 'visible' },
    })
  })
})

describe('summary.weave', () => {
  it.each([
    ['success', {}, { status: 'success', latency_ms: 1000 }],
    ['error', { exception: 'boom' }, { status: 'error', latency_ms: 1000 }],
    [
      'descendant error',
      { summary: { status_counts: { error: 2, success: 1 } } },
      { status: 'descendant_error' },
    ],
    [
      'client values are discarded',
      { summary: { weave: { status: 'nonsense', latency_ms: 5 } } },
      { status: 'success', latency_ms: 1000 },
    ],
    ['a plain op name', { op_name: 'plain' }, { trace_name: 'plain' }],
    ['an op ref', { op_name: 'weave:///acme/p/op/my-op:abc' }, { trace_name: 'my-op' }],
    ['a display name', { display_name: 'shown' }, { display_name: 'shown' }],
  ])('%s', async (_name, more, expected) => {
    const project = freshProject()
    const call = complete(project, more)
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    expect((await read(project, call.id))?.summary).toMatchObject({ weave: expected })
  })
})

describe('update', () => {
  it.each([
    ['a whole call', true],
    ['an open call', false],
  ])('sets and clears the display name of %s', async (_name, ended) => {
    const project = freshProject()
    const call = complete(project, { display_name: 'first' })
    if (ended) await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    else await server.api.ok('/call/start', { start: halves(call).start })
    await server.api.ok('/call/update', { project_id: project, call_id: call.id, display_name: 'second' })
    expect(await read(project, call.id)).toMatchObject({ display_name: 'second' })
    await server.api.ok('/call/update', { project_id: project, call_id: call.id, display_name: '' })
    expect(await read(project, call.id)).toMatchObject({ display_name: null })
    expect(await server.api.count(project)).toBe(1)
  })

  it('keeps an open call’s new name after its end', async () => {
    const project = freshProject()
    const call = complete(project, { display_name: 'first' })
    await server.api.ok('/call/start', { start: halves(call).start })
    await server.api.ok('/call/update', { project_id: project, call_id: call.id, display_name: 'second' })
    await server.api.ok('/call/end', { end: halves(call).end })
    expect(await read(project, call.id)).toMatchObject({ display_name: 'second', ended_at: at(1) })
  })

  it('answers 200 for an unknown call and 400 for null', async () => {
    const project = freshProject()
    const unknown = { project_id: project, call_id: uuid7(), display_name: 'x' }
    expect((await server.api.post('/call/update', unknown)).status).toBe(200)
    expect((await server.api.post('/call/update', { ...unknown, display_name: null })).status).toBe(400)
  })
})

describe('delete', () => {
  it('takes the descendants of the same trace along', async () => {
    const project = freshProject()
    const trace_id = uuid7()
    const root = complete(project, { trace_id })
    const child = complete(project, { trace_id, parent_id: root.id })
    const grandchild = complete(project, { trace_id, parent_id: child.id })
    const openChild = complete(project, { trace_id, parent_id: child.id })
    const sibling = complete(project, { trace_id })
    const otherTrace = complete(project, { parent_id: root.id })
    await server.api.ok(v2(project, 'calls/complete'), {
      batch: [root, child, grandchild, sibling, otherTrace],
    })
    await server.api.ok('/call/start', { start: halves(openChild).start })
    const answer = await server.api.ok('/calls/delete', { project_id: project, call_ids: [root.id, uuid7()] })
    expect(answer.num_deleted).toBe(5)
    const left = (await server.api.calls(project)).map((call) => call.id)
    expect(left.sort()).toEqual([sibling.id, otherTrace.id].sort())
    expect(await read(project, root.id)).toBeNull()
    expect(await server.api.count(project)).toBe(2)
  })

  it.each(Object.entries(WRITES))(
    'by a route of evaluations, right after %s is answered, finds the call, and it stays away',
    async (_name, write) => {
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          const project = freshProject()
          const call = complete(project)
          await write(call, project)
          const gone = await server.api.send(
            'DELETE',
            `${v2(project, 'predictions')}?prediction_ids=${call.id}`,
          )
          expect([gone.status, gone.text]).toEqual([200, '{"num_deleted":1}'])
          expect(await read(project, call.id)).toBeNull()
          expect(await server.api.count(project)).toBe(0)
        }),
      )
    },
  )

  it('refuses more than 1,000 ids', async () => {
    const project = freshProject()
    const call_ids = Array.from({ length: 1001 }, () => uuid7())
    const answer = await server.api.post('/calls/delete', { project_id: project, call_ids })
    expect(answer.status).toBe(413)
  })
})

describe('a retry', () => {
  it.each(Object.keys(WRITES))('of %s with the same id is seen once', async (name) => {
    const project = freshProject()
    const call = rich(project)
    const { start, end } = halves(call)
    const retryId = { 'x-weave-retry-id': uuid7() }
    const requests: [string, object][] =
      name === 'calls/complete'
        ? [[v2(project, 'calls/complete'), { batch: [call] }]]
        : [
            ['/call/upsert_batch', { batch: [{ mode: 'start', req: { start } }] }],
            ['/call/upsert_batch', { batch: [{ mode: 'end', req: { end } }] }],
          ]
    for (const [path, body] of requests)
      for (let again = 0; again < 3; again++)
        await server.api.ok(path, body, {
          'x-weave-retry-id': `${retryId['x-weave-retry-id']}-${path}-${JSON.stringify(body).length}`,
        })
    expect(await server.api.calls(project)).toHaveLength(1)
    expect(await server.api.count(project)).toBe(1)
    expect(await read(project, call.id)).toMatchObject({ output: call.output, inputs: call.inputs as object })
  })
})
