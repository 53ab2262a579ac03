/** Langfuse's SDK before version 3, as a process of its own, sends its events, and what becomes of them. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { freshProject } from '../support/ids.js'
import { runPython } from '../support/program.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'

let server: SharedServer
beforeAll(async () => {
  server = await sharedServer()
})

it('each observation is one call, whatever requests its parts came in; scores are feedback', async () => {
  const project = freshProject()
  const found = await runPython<Record<string, string>>(
    server,
    'langfuse_two',
    { PROJECT: project },
    120,
    '.venv/langfuse-2',
  )
  expect(found.problems).toEqual([])
  const { trace, span, generation, running } = found
  const calls = await server.api.calls(project)
  const byName = new Map(calls.map((call) => [/op\/([^:]+):/.exec(String(call.op_name))?.[1], call]))
  const root = byName.get('turn')?.id
  expect([...byName.keys()].sort()).toEqual(['ask', 'look', 'noticed', 'plan', 'turn', 'wait'])
  expect(calls).toHaveLength(6)
  for (const call of calls) {
    expect(call).toMatchObject({ trace_id: trace, thread_id: 'session-1', attributes: { user_id: 'ann' } })
    expect(call.id === running ? call.ended_at === null : call.ended_at !== null).toBe(true)
  }
  expect(byName.get('turn')).toMatchObject({
    ...{ id: expect.stringMatching(/^[0-9a-f]{16}$/), parent_id: null },
    inputs: { 'langfuse.trace.input': { q: 'weather?' } },
    output: { 'langfuse.trace.output': 'It is sunny.' },
  })
  expect(byName.get('plan')).toMatchObject({
    ...{ id: span, parent_id: root, exception: null },
    inputs: { 'langfuse.observation.input': { city: 'Paris' } },
    output: { 'langfuse.observation.output': 'planned' },
    attributes: {
      otel_span: { attributes: { langfuse: { observation: { metadata: { step: 1, result: 2 } } } } },
    },
  })
  expect(byName.get('ask')).toMatchObject({
    ...{ id: generation, parent_id: span },
    attributes: { kind: 'generation', model: 'gpt-4o', model_parameters: { temperature: '0.5' } },
    summary: { usage: { 'gpt-4o': { input_tokens: 20, output_tokens: 7, total_tokens: 27 } } },
  })
  expect(byName.get('noticed')).toMatchObject({ parent_id: span, attributes: { kind: 'event' } })
  expect(byName.get('look')).toMatchObject({ parent_id: root, exception: 'it is dark' })

  const { result } = await server.api.ok('/feedback/query', { project_id: project })
  const feedback = (result as Row[]).map(({ feedback_type, weave_ref, payload }) => [
    feedback_type,
    weave_ref,
    (payload as Row).value,
  ])
  expect(feedback.sort()).toEqual([
    ['langfuse.liked', `weave:///${project}/call/${root}`, 1],
    ['langfuse.tone', `weave:///${project}/call/${generation}`, 'warm'],
  ])
})

const timestamp = '2026-06-01T12:00:00Z'

/** Sends a batch as the SDK does. @param user `entity/project` */
function send(user: string, batch: object[]) {
  const authorization = `Basic ${Buffer.from(`${user}:${server.key}`).toString('base64')}`
  return server.api.as(null).send('POST', '/api/public/ingestion', { batch }, { authorization })
}

it('of many observations each is reported as what became of it', async () => {
  const project = freshProject()
  const created = (id: string, startTime: string) => ({
    ...{ id, type: 'span-create', timestamp },
    body: { id, traceId: 't', startTime, input: 'x'.repeat(500) },
  })
  const good = Array.from({ length: 50 }, (_, i) => created(`good-${i}`, timestamp))
  const late = Array.from({ length: 50 }, (_, i) => created(`late-${i}`, '2270-01-01T00:00:00Z'))
  const idsOf = (list: { id: string }[]) => list.map(({ id }) => id).sort()
  const answer = await send(project, [...good, ...late])
  expect(answer.status).toBe(207)
  const { successes, errors } = JSON.parse(answer.text) as Record<string, { id: string }[]>
  expect(idsOf(successes!)).toEqual(idsOf(good))
  expect(idsOf(errors!)).toEqual(idsOf(late))
  expect(idsOf((await server.api.calls(project)) as never)).toEqual(idsOf(good))
})

const withText = (text: string) =>
  expect.toSatisfy((value) => JSON.stringify(value).includes(text), `holds ${text}`)

it('parts that follow at once are put together, of ids of any length', async () => {
  const project = freshProject()
  const traceId = randomUUID()
  for (const [id, ofTrace] of [
    [randomUUID(), { traceId }],
    ['b7ad6b7169203331', { traceId }],
    ['00f067aa0ba902b7', {}],
  ] as const) {
    const events = [
      {
        id: randomUUID(),
        type: 'trace-create',
        timestamp,
        body: { id: traceId, name: 'turn', input: 'asked' },
      },
      { ...{ id: randomUUID(), type: 'span-create', timestamp }, body: { id, traceId, input: id } },
      { ...{ id: randomUUID(), type: 'span-update', timestamp }, body: { id, ...ofTrace, output: 'found' } },
      { id: randomUUID(), type: 'trace-create', timestamp, body: { id: traceId, output: 'told' } },
    ]
    for (const event of events) expect((await send(project, [event])).status).toBe(207)
    expect(await server.api.calls(project, { filter: { call_ids: [id] } })).toMatchObject([
      { trace_id: traceId, inputs: withText(id), output: withText('found') },
    ])
  }
  const [root] = await server.api.calls(project, { filter: { trace_roots_only: true } })
  expect(root).toMatchObject({ inputs: withText('asked'), output: withText('told') })
  expect(await server.api.calls(project)).toHaveLength(4)
})

it('bad events are reported one by one, and harm no others', async () => {
  const project = freshProject()
  const answer = await send(project, [
    { id: 'e1', type: 'trace-create', timestamp, body: { id: 't', name: 'good' } },
    { id: 'e2', type: 'dream-create', timestamp, body: { id: 'x' } },
    { id: 'e3', type: 'span-create', timestamp, body: { name: 'no id' } },
    { id: 'e4', type: 'span-create', timestamp, body: { id: 's', traceId: 't', startTime: 'soon' } },
    { id: 'e5', type: 'score-create', timestamp, body: { name: 'n', value: 1 } },
    { id: 'e6', type: 'sdk-log', timestamp, body: {} },
    { id: 'e7', type: 'constructor', timestamp, body: { id: 'x' } },
    { id: 'e8', type: '__proto__', timestamp, body: { id: 'x' } },
    { id: 'e9', type: 'span-create', timestamp, body: { id: 'x', type: 5 } },
    { id: 'f1', type: 'span-create', timestamp, body: { id: 'x', parentObservationId: 5 } },
    { id: 'f2', type: 'span-create', timestamp, body: { id: 'x', startTime: { toString: 1 } } },
  ])
  expect(answer.status).toBe(207)
  const { successes, errors } = JSON.parse(answer.text) as Record<string, { id: string; status: number }[]>
  expect(successes!.map(({ id, status }) => [id, status])).toEqual([
    ['e6', 201],
    ['e1', 201],
  ])
  expect(errors!.map(({ id, status }) => [id, status])).toEqual(
    ['e2', 'e3', 'e4', 'e5', 'e7', 'e8', 'e9', 'f1', 'f2'].map((id) => [id, 400]),
  )
  expect((await server.api.calls(project)).map((call) => call.trace_id)).toEqual(['t'])
  const nobody = await send('not-a-project', [])
  expect([nobody.status, nobody.text]).toEqual([400, expect.stringContaining('NO_PUBLIC_KEY')])
})
