import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuid7 } from '../platform/ids/uuid7.js'
import { sharedTestEngine, type TestEngine } from '../platform/testing/engine.js'
import { anEnd, aStart, newProject, TestService } from './testing/service.js'

let engine: TestEngine
let service: TestService
beforeAll(async () => {
  engine = await sharedTestEngine()
  const store = await engine.migrated('ingest')
  service = await TestService.start(store)
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
})

const ok = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const answer = await service.post(path, body, headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const start = (half: object) => ok('/call/start', { start: half })
const end = (half: object) => ok('/call/end', { end: half })
const complete = (project: string, ...batch: object[]) => ok(`/v2/${project}/calls/complete`, { batch })
const span = (project: string, spanId: string, more: object = {}) => {
  const [entity, name] = project.split('/')
  const attribute = (key: string, value: string | undefined) => ({ key, value: { stringValue: value } })
  const nanos = String(Date.now() * 1e6)
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute('wandb.entity', entity), attribute('wandb.project', name)] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: '0af7651916cd43dd8448eb211c80319c',
                spanId,
                name: 'step',
                startTimeUnixNano: nanos,
                endTimeUnixNano: nanos,
                ...more,
              },
            ],
          },
        ],
      },
    ],
  }
}

it('a batch of Langfuse that is sent again replaces nothing, one that says more what it speaks of', async () => {
  const project = newProject()
  const timestamp = '2026-06-01T12:00:00Z'
  const event = (type: string, body: object) => ({ id: uuid7(), type: `${type}-create`, timestamp, body })
  const batch = [
    event('trace', {
      id: 't',
      name: 'turn',
      sessionId: 's',
      tags: ['a'],
      metadata: { k: 1.5 },
      input: { q: 1 },
    }),
    event('span', { id: 'plan', traceId: 't', startTime: timestamp, endTime: '2026-06-01T12:00:01.25Z' }),
    event('generation', {
      ...{ id: 'ask', traceId: 't', parentObservationId: 'plan', startTime: timestamp, model: 'm' },
      ...{
        usage: { input: 3, output: 4 },
        modelParameters: { temperature: 0.5 },
        output: 'text',
        level: 'ERROR',
      },
    }),
    event('event', { id: 'seen', traceId: 't', startTime: timestamp, metadata: { step: 'one' } }),
  ]
  const authorization = `Basic ${Buffer.from(`${project}:any`).toString('base64')}`
  const send = async (events: object[]) => {
    const { status, body } = await service.post('/api/public/ingestion', { batch: events }, { authorization })
    expect(status).toBe(207)
    expect(body).toMatchObject({ successes: { length: events.length }, errors: [] })
    return new Map((await service.whole(project)).map((row) => [row.op_name, row.ver]))
  }
  const first = await send(batch)
  expect(first.size).toBe(4)
  expect(await send(batch)).toEqual(first)
  const second = await send([event('span', { id: 'plan', traceId: 't', output: 'planned' })])
  const changed = [...second].filter(([name, ver]) => first.get(name) !== ver)
  expect(changed.map(([name]) => name)).toEqual([expect.stringContaining('/span:')])
})

describe('halves', () => {
  it('that meet in order become one whole call', async () => {
    const project = newProject()
    const half = aStart(project)
    expect(await start(half)).toEqual({ id: half.id, trace_id: half.trace_id })
    expect(await service.halves(project)).toEqual([`start ${half.id}`])
    await end(anEnd(project, half.id))
    expect(await service.halves(project)).toEqual([])
    const rows = await service.whole(project)
    expect(rows).toMatchObject([{ id: half.id, inputs: '{"n":"one"}', output: '"done"', leaves: 2 }])
    expect(rows[0]!.bytes).toBe('{"n":"one"}{}"done"{}'.length)
  })

  it('that meet the other way round too; until then the end is only kept', async () => {
    const project = newProject()
    const half = aStart(project)
    await end(anEnd(project, half.id))
    expect(await service.whole(project)).toEqual([])
    await start(half)
    expect(await service.whole(project)).toMatchObject([{ id: half.id, output: '"done"' }])
    expect(await service.halves(project)).toEqual([])
  })

  it('a second start replaces the start side alone', async () => {
    const project = newProject()
    const half = aStart(project)
    await start(half)
    await start({ ...half, inputs: { n: 'two' } })
    // Readers count starts without looking for others of their calls.
    expect(await service.halves(project)).toEqual([`start ${half.id}`])
    await end(anEnd(project, half.id, { exception: 'broke' }))
    await start({ ...half, inputs: { n: 'three' }, op_name: 'other' })
    expect(await service.halves(project)).toEqual([])
    expect(await service.whole(project)).toMatchObject([
      { op_name: 'other', inputs: '{"n":"three"}', output: '"done"', exception: 'broke' },
    ])
  })

  it('a second end replaces the end side alone', async () => {
    const project = newProject()
    const half = aStart(project)
    await end(anEnd(project, half.id, { output: 'first' }))
    await end(anEnd(project, half.id, { output: 'second' }))
    await start(half)
    expect(await service.whole(project)).toMatchObject([{ output: '"second"' }])
    await end(anEnd(project, half.id, { output: 'third' }))
    expect(await service.whole(project)).toMatchObject([{ inputs: '{"n":"one"}', output: '"third"' }])
    expect(await service.halves(project)).toEqual([])
  })

  it('many at once, from many requests, each find their other half', async () => {
    const project = newProject()
    const starts = Array.from({ length: 60 }, () => aStart(project))
    await Promise.all(starts.flatMap((half) => [start(half), end(anEnd(project, half.id))]))
    expect((await service.whole(project)).map(({ id }) => id)).toEqual(starts.map(({ id }) => id).sort())
    expect(await service.halves(project)).toEqual([])
  })

  it('of a batch meet each other, and what is left over waits', async () => {
    const project = newProject()
    const [a, b] = [aStart(project), aStart(project)]
    const batch = [
      { mode: 'end', req: { end: anEnd(project, a.id) } },
      { mode: 'start', req: { start: a } },
      { mode: 'start', req: { start: b } },
    ]
    expect(await ok('/call/upsert_batch', { batch })).toEqual({
      res: [{}, { id: a.id, trace_id: a.trace_id }, { id: b.id, trace_id: b.trace_id }],
    })
    expect(await service.whole(project)).toMatchObject([{ id: a.id }])
    expect(await service.halves(project)).toEqual([`start ${b.id}`])
  })

  it('an end by /v2 without a start is 404, and is not kept', async () => {
    const project = newProject()
    const half = aStart(project)
    const body = { end: anEnd(project, half.id) }
    expect((await service.post(`/v2/${project}/call/end`, body)).status).toBe(404)
    expect(await service.halves(project)).toEqual([])
    await ok(`/v2/${project}/call/start`, { start: half })
    await ok(`/v2/${project}/call/end`, body)
    expect(await service.whole(project)).toHaveLength(1)
  })
})

describe('a call that is written again', () => {
  it('whole, is there once', async () => {
    const project = newProject()
    const call = { ...aStart(project), ...anEnd(project, uuid7()) }
    for (let i = 0; i < 3; i++) await complete(project, call)
    expect(await service.whole(project)).toHaveLength(1)
  })

  it('whole, with another start time, replaces the first', async () => {
    const project = newProject()
    const call = { ...aStart(project), ...anEnd(project, uuid7()) }
    await complete(project, call)
    await complete(project, { ...call, started_at: '2026-01-02T03:04:05Z', output: 'again' })
    expect(await service.whole(project)).toMatchObject([
      { output: '"again"', started_at: '2026-01-02 03:04:05.000000' },
    ])
  })

  it('whole, replaces halves of it', async () => {
    const project = newProject()
    const half = aStart(project)
    await start(half)
    await complete(project, { ...half, ...anEnd(project, half.id), inputs: { n: 'whole' } })
    expect(await service.whole(project)).toMatchObject([{ inputs: '{"n":"whole"}' }])
    expect(await service.halves(project)).toEqual([])
  })

  it('with an id that tells no time, is there once', async () => {
    const project = newProject()
    const call = { ...aStart(project), ...anEnd(project, 'my own id') }
    await complete(project, call)
    await complete(project, { ...call, started_at: '2026-02-02T00:00:00Z' })
    expect(await service.whole(project)).toHaveLength(1)
  })

  it('as a span, is there once; a span of another trace with the same id is another', async () => {
    const project = newProject()
    const body = span(project, 'b7ad6b7169203331')
    for (let i = 0; i < 3; i++) await ok('/otel/v1/traces', body)
    expect(await service.whole(project)).toHaveLength(1)
    await ok(
      '/otel/v1/traces',
      span(project, 'b7ad6b7169203331', { traceId: '0af7651916cd43dd8448eb211c80319d' }),
    )
    expect(await service.whole(project)).toHaveLength(2)
  })

  it('as an old span, is there once', async () => {
    const project = newProject()
    const times = { startTimeUnixNano: '1700000000000000001', endTimeUnixNano: '1700000000000000001' }
    for (let i = 0; i < 2; i++) await ok('/otel/v1/traces', span(project, 'b7ad6b7169203332', times))
    expect(await service.whole(project)).toHaveLength(1)
  })

  it('as a span in zstd, is read', async () => {
    const project = newProject()
    const json = Buffer.from(JSON.stringify(span(project, 'b7ad6b7169203334')))
    // A frame of one block that is not compressed.
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 80, 0, 0, 0])
    head.writeUIntLE((json.length << 3) | 1, 6, 3)
    await ok('/otel/v1/traces', Buffer.concat([head, json]), { 'content-encoding': 'zstd' })
    expect(await service.whole(project)).toHaveLength(1)
  })

  it('under the same retry id, is answered from memory', async () => {
    const project = newProject()
    const half = aStart(project, { id: null, trace_id: null })
    const headers = { 'x-weave-retry-id': uuid7() }
    const [one, two] = await Promise.all([
      ok('/call/start', { start: half }, headers),
      ok('/call/start', { start: half }, headers),
    ])
    expect(two).toEqual(one)
    expect(await ok('/call/start', { start: half }, headers)).toEqual(one)
    expect(await service.halves(project)).toHaveLength(1)
  })

  it('and another under the same retry id, of the same length, are both there', async () => {
    const project = newProject()
    const headers = { 'x-weave-retry-id': uuid7() }
    const [first, other] = ['one', 'two'].map((text) => ({
      start: aStart(project, { id: uuid7(), inputs: { text } }),
    }))
    expect(JSON.stringify(first).length).toBe(JSON.stringify(other).length)
    await ok('/call/start', first!, headers)
    await ok('/call/start', other!, headers)
    await ok('/call/start', first!, headers)
    expect(await service.halves(project)).toHaveLength(2)
  })

  it('in the same moment, is there once', async () => {
    const project = newProject()
    const call = { ...aStart(project), ...anEnd(project, uuid7()) }
    await Promise.all(Array.from({ length: 8 }, () => complete(project, call)))
    expect(await service.whole(project)).toHaveLength(1)
  })
})

describe('a bad neighbour', () => {
  it('is refused alone', async () => {
    const project = newProject()
    const good = Array.from({ length: 20 }, () => ({ ...aStart(project), ...anEnd(project, uuid7()) }))
    const answers = await Promise.all([
      ...good.map((call) => service.post(`/v2/${project}/calls/complete`, { batch: [call] })),
      service.post(`/v2/${project}/calls/complete`, { batch: [{ id: 7 }] }),
      service.post(`/v2/${project}/calls/complete`, new Uint8Array([1, 2, 3])),
      service.post('/otel/v1/traces', new Uint8Array([255, 255, 255]), {
        'content-type': 'application/x-protobuf',
      }),
      service.post('/call/start', { start: aStart('others/project') }),
      service.post('/otel/v1/traces', span('others/project', 'b7ad6b7169203331')),
    ])
    expect(answers.map(({ status }) => status)).toEqual([...good.map(() => 200), 422, 400, 400, 403, 403])
    expect(await service.whole(project)).toHaveLength(20)
  })
})

describe('changes', () => {
  it('a display name: set, seen, cleared; null is refused, an unknown call is not', async () => {
    const project = newProject()
    const half = aStart(project)
    const update = (display_name: string | null, call_id = half.id) =>
      service.post('/call/update', { project_id: project, call_id, display_name })
    await start(half)
    expect((await update('while running')).status).toBe(200)
    await end(anEnd(project, half.id))
    expect(await service.whole(project)).toMatchObject([{ display_name: 'while running' }])
    expect((await update('after')).status).toBe(200)
    expect(await service.whole(project)).toMatchObject([{ display_name: 'after' }])
    await update('')
    expect(await service.whole(project)).toMatchObject([{ display_name: '' }])
    expect((await update(null)).status).toBe(400)
    expect((await update('x', 'unknown')).status).toBe(200)
  })

  it('a delete takes all descendants of the trace along, running or whole', async () => {
    const project = newProject()
    const root = aStart(project)
    const child = aStart(project, { trace_id: root.trace_id, parent_id: root.id })
    const grandchild = aStart(project, { trace_id: root.trace_id, parent_id: child.id })
    const other = aStart(project, { trace_id: root.trace_id })
    for (const half of [root, child, grandchild, other]) await start(half)
    await end(anEnd(project, child.id))
    const remove = { project_id: project, call_ids: [root.id, 'unknown'] }
    expect(await ok('/calls/delete', remove)).toEqual({ num_deleted: 4 })
    expect(await service.whole(project)).toEqual([])
    expect(await service.halves(project)).toEqual([`start ${other.id}`])
    expect(await ok('/calls/delete', remove)).toEqual({ num_deleted: 2 })
  })

  it('a delete of more than 1000 is 413', async () => {
    const call_ids = Array.from({ length: 1001 }, () => 'x')
    expect((await service.post('/calls/delete', { project_id: newProject(), call_ids })).status).toBe(413)
  })

  it('an end that races a delete leaves nothing to be seen', async () => {
    const project = newProject()
    const halves = Array.from({ length: 20 }, () => aStart(project))
    await Promise.all(halves.map(start))
    await Promise.all([
      ...halves.map((half) => end(anEnd(project, half.id))),
      ok('/calls/delete', { project_id: project, call_ids: halves.map(({ id }) => id) }),
    ])
    expect(await service.whole(project)).toEqual([])
    expect((await service.halves(project)).filter((half) => half.startsWith('start'))).toEqual([])
  })
})

describe('where the operator wants less than was sent', () => {
  let policed: TestService
  beforeAll(async () => {
    const store = await engine.migrated('policed')
    policed = await TestService.start(store, { arrival: { sensitiveData: 'pii-v1', sampleRate: 0.5 } })
  })
  afterAll(() => policed.stop())

  it('personal data is masked in calls and spans, wherever it stands', async () => {
    const project = newProject()
    const half = aStart(project, { inputs: { to: 'jane@example.com', n: 4111111111111111 } })
    const whole = { ...half, ...anEnd(project, half.id, { output: 'card 4111 1111 1111 1111' }) }
    expect((await policed.post(`/v2/${project}/calls/complete`, { batch: [whole] })).status).toBe(200)
    const list = [{ kvlistValue: { values: [{ key: 'c', value: { stringValue: '+49 30 1234567' } }] } }]
    const sent = span(project, '00f067aa0ba902b7', {
      status: { code: 2, message: 'no such user: jane@example.com' },
      attributes: [
        { key: 'input.value', value: { stringValue: '{"to":"jane@example.com"}' } },
        { key: 'weave.eval.kind', value: { arrayValue: { values: list } } },
      ],
    })
    expect((await policed.post('/otel/v1/traces', sent)).status).toBe(200)
    const rows = await policed.whole(project)
    expect(rows).toHaveLength(2)
    expect(rows.map(({ inputs, output, exception }) => ({ inputs, output, exception }))).toEqual(
      expect.arrayContaining([
        {
          inputs: '{"to":"****************","n":"****************"}',
          output: '"card *******************"',
          exception: '',
        },
        expect.objectContaining({
          inputs: '{"input.value":{"to":"****************"}}',
          exception: 'no such user: ****************',
        }),
      ]),
    )
  })

  it('a part of the traces is stored, each whole or not at all, evaluations always', async () => {
    const project = newProject()
    const traces = Array.from({ length: 40 }, (_, i) => `${i}`.padStart(32, 'a'))
    const send = (traceId: string, spanId: string, attributes: object[] = []) =>
      policed.post('/otel/v1/traces', span(project, spanId, { traceId, attributes }))
    for (const [i, trace] of traces.entries())
      for (const n of [1, 2]) await send(trace, `${i}${n}`.padStart(16, 'b'))
    const rows = await policed.whole(project)
    const kept = traces.filter((trace) => rows.some(({ trace_id }) => trace_id === trace))
    // As the rule says, in any process.
    const rule = (trace: string) =>
      BigInt(`0x${createHash('sha256').update(trace).digest('hex')}`) % 1_000_000n
    expect(kept).toEqual(traces.filter((trace) => rule(trace) < 500_000n))
    expect(rows).toHaveLength(kept.length * 2)
    const dropped = traces.find((trace) => !kept.includes(trace))!
    await send(dropped, 'c'.repeat(16), [{ key: 'weave.eval.run_id', value: { stringValue: 'r' } }])
    expect((await policed.whole(project)).filter(({ trace_id }) => trace_id === dropped)).toHaveLength(1)
  })
})
