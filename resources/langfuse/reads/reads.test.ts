/** Traces, observations, sessions and scores as Langfuse's SDKs read them, over a real store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../../cli/serve/reads.js'
import { type TestCall, writeCalls } from '../../../query/testing/calls.js'
import { startService, type TestService } from '../../../query/testing/service.js'

let service: TestService
const project = 'acme/one'

const basic = (of: string) => ({ authorization: `Basic ${Buffer.from(`${of}:all`).toString('base64')}` })
const send = (method: string, path: string, body?: object, of = project) =>
  service.send(method, `/api/public/${path}`, body, basic(of))
const get = async (path: string, of = project) => {
  const answer = await send('GET', path, undefined, of)
  expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text])
  return answer.json
}

const at = (second: number) => `2026-03-01T00:00:${String(second).padStart(2, '0')}Z`
/** A call of a trace, and what Langfuse's attributes say. */
const span = (
  id: string,
  trace: string,
  second: number,
  langfuse: object,
  more: Partial<TestCall> = {},
): TestCall => ({
  ...{ id, trace_id: trace, started_at: at(second), ended_at: at(second + 1), op_name: id },
  otel_span: JSON.stringify({ attributes: { langfuse } }),
  ...more,
})
const under = (parent_id: string) => ({ parent_id })

beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '1' }).routes)
}, 120_000)
afterAll(() => service?.stop())

it('a score of a trace is none of its root’s observation', async () => {
  const own = 'acme/scores'
  await writeCalls(service.store, own, [span('r', 't', 1, {}), span('a', 't', 2, {}, under('r'))])
  const score = { name: 'n', value: 1, traceId: 't' }
  const scores = [score, { ...score, observationId: 'r' }, { ...score, observationId: 'a' }]
  await send(
    'POST',
    'scores',
    scores.map((one, i) => ({ ...one, id: `s${i}` })),
    own,
  )
  const ids = async (path: string) => (await get(path, own)).data.map(({ id }: { id: string }) => id).sort()
  expect(await ids('v2/scores?traceId=t')).toEqual(['s0', 's1', 's2'])
  expect(await ids('v2/scores?observationId=r')).toEqual(['s1'])
  expect(await ids('v3/scores?traceId=t&observationId=r')).toEqual(['s1'])
  expect(await ids('v3/scores?traceId=t&observationId=a')).toEqual(['s2'])
  const filter = encodeURIComponent(JSON.stringify([{ column: 'observationId', operator: '=', value: 'r' }]))
  expect(await ids(`v2/scores?filter=${filter}`)).toEqual(['s1'])
  const query = {
    ...{ view: 'observations', metrics: [{ measure: 'countScores', aggregation: 'sum' }] },
    ...{ fromTimestamp: at(0), toTimestamp: at(50) },
  }
  const { data } = await get(`metrics?query=${encodeURIComponent(JSON.stringify(query))}`, own)
  expect(data).toEqual([{ sum_countScores: 2 }])
})

describe('costs', () => {
  it('cached tokens are counted, and all reads have the same total', async () => {
    const own = 'acme/costs'
    await service.post('/cost/create', {
      project_id: own,
      costs: {
        m: {
          ...{ prompt_token_cost: 1, completion_token_cost: 10 },
          ...{ cache_read_input_token_cost: 0.5, cache_creation_input_token_cost: 2 },
        },
      },
    })
    const usage = { requests: 1, input_tokens: 30, output_tokens: 1 }
    const cached = { cache_read_input_tokens: 10, cache_creation_input_tokens: 5 }
    await writeCalls(service.store, own, [
      span('r', 't', 1, {}),
      span(
        'priced',
        't',
        2,
        {},
        {
          ...under('r'),
          summary: JSON.stringify({ usage: { m: { ...usage, ...cached } } }),
        },
      ),
      span('sent', 't', 3, { observation: { cost_details: { input: 1, output: 2 } } }, under('r')),
    ])
    const priced = await get('observations/priced', own)
    expect(priced.costDetails).toEqual({ input: 15 + 5 + 10, output: 10, total: 40 })
    const query = {
      ...{ view: 'observations', metrics: [{ measure: 'totalCost', aggregation: 'sum' }] },
      ...{ fromTimestamp: at(0), toTimestamp: at(50) },
    }
    const { data } = await get(`v2/metrics?query=${encodeURIComponent(JSON.stringify(query))}`, own)
    expect(data).toEqual([{ sum_totalCost: 40 }])
    expect((await get('traces/t', own)).totalCost).toBe(43)
    expect((await get('traces', own)).data[0].totalCost).toBe(43)
  })
})

describe('traces', () => {
  const own = 'acme/traces'
  beforeAll(async () => {
    const named = { trace: { name: 'first', tags: ['a'], metadata: { x: 1, y: 1 }, input: 'in' } }
    const later = { trace: { name: 'last', tags: ['b', 'a'], metadata: { y: 2 }, output: { o: 1 } } }
    await writeCalls(service.store, own, [
      span('r1', 't1', 1, named, { attributes: '{"user_id":"ann"}' }),
      span(
        'a1',
        't1',
        2,
        { release: 'v1', ...later },
        {
          ...{ ...under('r1'), thread_id: 's1', attributes: '{"user_id":"bob"}' },
          ...{ inputs: '{"langfuse.observation.input":"Hello World"}', output: '{"x":"out"}' },
        },
      ),
      span('r2', 't2', 5, { release: 'v9', observation: { prompt: { name: 'p', version: 3 } } }),
      span('lost', 't3', 8, {}, { ...under('nobody'), thread_id: 's1' }),
    ])
  })

  it('of one, what any span says of it counts, the latest most', async () => {
    expect(await get('traces/t1', own)).toMatchObject({
      ...{ name: 'last', tags: ['a', 'b'], metadata: { x: 1, y: 2 }, input: 'in', output: { o: 1 } },
      ...{ userId: 'bob', sessionId: 's1', release: 'v1' },
    })
    expect(await get('traces/t2', own)).toMatchObject({ name: 'r2', tags: [], userId: null })
  })

  it('are of a session of which any of their spans is', async () => {
    const { traces } = await get('sessions/s1', own)
    const told = traces.map(({ id, sessionId }: { id: string; sessionId: string }) => [id, sessionId])
    expect(told).toEqual([
      ['t1', 's1'],
      ['t3', 's1'],
    ])
    expect((await send('GET', 'sessions/none', undefined, own)).status).toBe(404)
  })

  it('are what groups of fields of observations tell of', async () => {
    const { data } = await get('v2/observations?fields=time,trace_context', own)
    const one = (id: string) => data.find((observation: { id: string }) => observation.id === id)
    expect(one('a1')).toMatchObject({ tags: ['a', 'b'], release: 'v1', traceName: 'last' })
    expect(one('a1')).toMatchObject({ createdAt: at(2), updatedAt: at(3) })
    expect(one('r2')).toMatchObject({ tags: [], release: 'v9', traceName: 'r2' })
    expect(one('lost')).toMatchObject({ traceName: 'lost' })
    const [core] = (await get('v2/observations?fields=core', own)).data
    expect(core).not.toHaveProperty('tags')
    expect(core).not.toHaveProperty('createdAt')
  })

  it.each([
    ['name.asc', ['t1', 't2']],
    ['name.desc', ['t2', 't1']],
    ['id.asc', ['t1', 't2']],
    ['userId.desc', ['t1', 't2']],
    ['release.asc', ['t2', 't1']],
    ['timestamp.desc', ['t2', 't1']],
    ['sessionId.asc', ['t1', 't2']],
    ['version.asc', ['t1', 't2']],
  ])('are sorted by %s', async (orderBy, expected) => {
    const { data } = await get(`traces?orderBy=${orderBy}`, own)
    expect(data.map(({ id }: { id: string }) => id)).toEqual(expected)
  })

  it.each([
    ['model', '=', 'nope', []],
    ['traceTags', 'any of', ['b'], ['a1']],
    ['input', '=', 'Hello World', ['a1']],
    ['input', 'matches', 'hello w', ['a1']],
    ['output', 'matches', '"OUT"', ['a1']],
    ['promptVersion', '>=', 3, ['r2']],
    ['tokens', '>', 0, []],
    ['traceName', '=', 'r2', ['r2']],
    ['traceName', '=', 'last', ['a1']],
    ['traceName', 'any of', ['first', 'lost'], ['r1']],
  ])('filters observations by %s %s %s', async (column, operator, value, expected) => {
    const filter = encodeURIComponent(JSON.stringify([{ column, operator, value }]))
    const { data } = await get(`v2/observations?filter=${filter}`, own)
    expect(data.map(({ id }: { id: string }) => id)).toEqual(expected)
  })
})

it('a trace’s name is that of its root for all of its observations', async () => {
  const own = 'acme/named'
  await writeCalls(service.store, own, [span('turn', 't', 1, {}), span('ask', 't', 2, {}, under('turn'))])
  const filter = encodeURIComponent(JSON.stringify([{ column: 'traceName', operator: '=', value: 'turn' }]))
  expect((await get(`v2/observations?filter=${filter}`, own)).data).toHaveLength(2)
})

describe('deleted traces', () => {
  const own = 'acme/deleted'
  it('have no calls', async () => {
    await writeCalls(service.store, own, [
      ...['1', '2', '3'].flatMap((n) => [
        span(`r${n}`, `t${n}`, 1, {}),
        span(`a${n}`, `t${n}`, 2, {}, under(`r${n}`)),
        span(`lost${n}`, `t${n}`, 3, {}, under('nobody')),
      ]),
      span('open', 't1', 4, {}, { ...under('r1'), half: 'start' }),
    ])
    const ids = async () => (await get('observations', own)).data.map(({ id }: { id: string }) => id).sort()
    expect(await ids()).toHaveLength(10)
    const one = await send('DELETE', 'traces/t1', undefined, own)
    expect([one.status, one.json]).toEqual([200, { message: 'Trace deleted successfully' }])
    expect(await ids()).toHaveLength(6)
    const two = await send('DELETE', 'traces', { traceIds: ['t2', 'nope'] }, own)
    expect([two.status, two.json]).toEqual([200, { message: 'Traces deleted successfully' }])
    expect(await ids()).toEqual(['a3', 'lost3', 'r3'])
    expect((await send('DELETE', 'traces', { traceIds: [] }, own)).status).toBe(200)
    const many = Array.from({ length: 1001 }, (_, i) => `t${i}`)
    expect((await send('DELETE', 'traces', { traceIds: many }, own)).status).toBe(422)
  })

  it('need the right to write', async () => {
    const authorization = `Basic ${Buffer.from(`${own}:reader`).toString('base64')}`
    for (const [path, body] of [
      ['traces/t3', undefined],
      ['traces', { traceIds: ['t3'] }],
    ] as const) {
      const { status } = await service.send('DELETE', `/api/public/${path}`, body, { authorization })
      expect(status).toBe(403)
    }
    expect((await get('observations', own)).data).toHaveLength(3)
  })
})

it('metadata of Langfuse’s SDK for Python is decoded from version 5 on', async () => {
  const own = 'acme/metadata'
  const metadata = { a: '"b"', n: '12', t: '"12"', o: { q: '"x"' }, plain: 'x' }
  const sdk = (version: string, language: string, name = 'langfuse-sdk') => ({
    otel_span: JSON.stringify({
      attributes: { langfuse: { observation: { metadata }, trace: { metadata } } },
      scope: { name, version },
      resource: { attributes: { telemetry: { sdk: { language } } } },
    }),
  })
  await writeCalls(service.store, own, [
    span('py5', 't', 1, {}, sdk('5.0.4', 'python')),
    span('other', 't', 2, {}, { ...under('py5'), ...sdk('1.0', 'python', 'opentelemetry.other') }),
    span('py4', 't4', 3, {}, sdk('4.9.0', 'python')),
    span('js5', 't5', 4, {}, sdk('5.0.0', 'nodejs')),
  ])
  const decoded = { a: 'b', n: 12, t: '12', o: { q: '"x"' }, plain: 'x' }
  expect((await get('observations/py5', own)).metadata).toEqual(decoded)
  expect((await get('observations/py4', own)).metadata).toEqual(metadata)
  expect((await get('observations/js5', own)).metadata).toEqual(metadata)
  expect((await get('traces/t', own)).metadata).toEqual(decoded)
})
