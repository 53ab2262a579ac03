/** Whatever comes in, the answer is an answer: never 500, never a hang, and the server lives on. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, jsonLines } from '../support/api.js'
import { complete, halves, v2 } from '../support/calls.js'
import { freshProject, hex } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { isAlive } from '../support/processes.js'
import { rounds } from '../support/rounds.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'

let server: SharedServer
const project = freshProject()
beforeAll(async () => {
  server = await sharedServer()
  const batch = Array.from({ length: 5 }, (_, n) =>
    complete(project, { inputs: { n, text: `text ${n}`, list: [1, 'two'] } }),
  )
  await server.api.ok(v2(project, 'calls/complete'), { batch })
})

const RUNS = { numRuns: rounds(40, 100) }

/** Statuses that say what is wrong, or that nothing is. */
async function answered(
  path: string,
  body: string | Uint8Array | object,
  headers?: Record<string, string>,
): Promise<Answer> {
  const answer = await server.api.post(path, body, headers)
  const { status, text } = answer
  expect([200, 400, 403, 404, 409, 413, 415, 422], `${path}: ${status} ${text.slice(0, 500)}`).toContain(
    status,
  )
  if (status !== 200)
    expect(JSON.parse(text)).toSatisfy((found: object) => 'reason' in found || 'detail' in found)
  return answer
}

const READS = [
  '/calls/stream_query',
  '/calls/query_stats',
  '/calls/stats',
  '/calls/usage',
  '/trace/usage',
  '/threads/stream_query',
  '/call/read',
]
const WRITES = [
  '/call/start',
  '/call/end',
  '/call/upsert_batch',
  '/call/update',
  '/calls/delete',
  v2(project, 'calls/complete'),
  v2(project, 'call/start'),
  v2(project, 'call/end'),
  '/obj/create',
  '/obj/read',
  '/file/content',
  '/refs/read_batch',
  '/service/projects_info',
  '/graphql',
]

describe('any JSON', () => {
  it.each([...READS, ...WRITES])('at %s', async (path) => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), async (body) => {
        await answered(path, body)
      }),
      { numRuns: rounds(12, 30) },
    )
  })
})

describe('bodies with one part exchanged', () => {
  const call = complete(project)
  const bodies: [string, object][] = [
    [
      '/calls/stream_query',
      {
        project_id: project,
        filter: { op_names: ['op'], call_ids: [call.id], trace_roots_only: true },
        sort_by: [{ field: 'started_at', direction: 'asc' }],
        columns: ['inputs'],
        limit: 5,
        offset: 1,
        query: { $expr: { $eq: [{ $getField: 'inputs.n' }, { $literal: 1 }] } },
      },
    ],
    [
      '/calls/stats',
      {
        project_id: project,
        start: '2026-06-01T00:00:00Z',
        end: '2026-06-02T00:00:00Z',
        granularity: 3600,
        timezone: 'UTC',
        call_metrics: [{ metric: 'latency_ms', aggregations: ['avg'], percentiles: [50] }],
      },
    ],
    [
      '/threads/stream_query',
      {
        project_id: project,
        filter: { after_datetime: '2026-06-01T00:00:00Z', thread_ids: ['t'] },
        sort_by: [{ field: 'turn_count', direction: 'desc' }],
        limit: 1,
      },
    ],
    ['/call/start', { start: halves(call).start }],
    [
      '/call/upsert_batch',
      {
        batch: [
          { mode: 'start', req: { start: halves(call).start } },
          { mode: 'end', req: { end: halves(call).end } },
        ],
      },
    ],
    [v2(project, 'calls/complete'), { batch: [call] }],
    ['/obj/create', { obj: { project_id: project, object_id: 'o', val: { a: 1 } } }],
    ['/refs/read_batch', { refs: [`weave:///${project}/object/o:v0/key/a`] }],
  ]

  it.each(bodies)('at %s', async (path, body) => {
    const places = placesOf(body)
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(null, '', -1, 1e308, 2 ** 63, '\u0000', '\ud800', "'", '{x:String}', [], {}, [[[]]]),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), odd, async (place, value) => {
        await answered(path, JSON.stringify(exchanged(body, place, value)))
      }),
      RUNS,
    )
  })
})

describe('$expr', () => {
  const fields = [
    'id',
    'op_name',
    'started_at',
    'ended_at',
    'inputs',
    'inputs.n',
    'inputs.list.0',
    'output.a\\.b',
    'summary.weave.status',
    'summary.weave.latency_ms',
    'exception',
    'wb_user_id',
    'attributes.x',
    'nope',
    '',
    '..',
    'inputs.',
  ]
  const { operation } = fc.letrec<{ operation: object; operand: object }>((tie) => ({
    operand: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...fields).map(($getField) => ({ $getField })),
      fc
        .oneof(
          fc.string(),
          fc.integer(),
          fc.double(),
          fc.boolean(),
          fc.constant(null),
          fc.constant('2026-06-01T00:00:00Z'),
        )
        .map(($literal) => ({ $literal })),
      fc
        .record({ input: tie('operand'), to: fc.constantFrom('double', 'string', 'int', 'bool', 'exists') })
        .map(($convert) => ({ $convert })),
      tie('operation'),
    ),
    operation: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte'), tie('operand'), tie('operand'))
        .map(([name, a, b]) => ({ [name]: [a, b] })),
      fc
        .tuple(tie('operand'), fc.array(tie('operand'), { maxLength: 3 }))
        .map(([a, list]) => ({ $in: [a, list] })),
      fc
        .record({ input: tie('operand'), substr: tie('operand'), case_insensitive: fc.boolean() })
        .map(($contains) => ({ $contains })),
      fc
        .tuple(fc.constantFrom('$and', '$or'), fc.array(tie('operand'), { maxLength: 3 }))
        .map(([name, list]) => ({ [name]: list })),
      tie('operand').map((one) => ({ $not: [one] })),
    ),
  }))

  it('of any shape: both routes agree on the status, and on the number', async () => {
    await fc.assert(
      fc.asyncProperty(operation, async ($expr) => {
        const body = { project_id: project, query: { $expr } }
        const stream = await answered('/calls/stream_query', { ...body, columns: ['id'] })
        const stats = await answered('/calls/query_stats', body)
        expect(stats.status).toBe(stream.status)
        if (stats.status === 200)
          expect(JSON.parse(stats.text)).toMatchObject({ count: jsonLines(stream.text).length })
      }),
      { numRuns: rounds(40, 200) },
    )
  })
})

describe('OTLP bytes', () => {
  const good = exportRequest({
    attributes: inProject(project),
    spans: Array.from({ length: 3 }, () => ({
      traceId: hex(16),
      spanId: hex(8),
      attributes: { 'input.value': '{"a":1}', n: 5, list: [1, 'x', { deep: true }] },
      events: [{ name: 'e', attributes: { k: 'v' } }],
      status: { code: 2, message: 'm' },
    })),
  })

  it('with some of them changed, cut or put in', async () => {
    const change = fc.tuple(
      fc.nat(good.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom('set', 'cut', 'insert'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const bytes = [...good]
        for (const [at, value, how] of changes)
          bytes.splice(at, how === 'insert' ? 0 : 1, ...(how === 'cut' ? [] : [value]))
        await answered('/otel/v1/traces', Uint8Array.from(bytes), {
          'content-type': 'application/x-protobuf',
        })
      }),
      RUNS,
    )
    expect(isAlive(server.pid)).toBe(true)
  })
})

type Place = (string | number)[]

/** Every place in a JSON value, the whole excepted. */
function placesOf(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap((key) => {
    const place = [...at, Array.isArray(value) ? Number(key) : key]
    return [place, ...placesOf((value as Record<string, unknown>)[key], place)]
  })
}

function exchanged(value: unknown, [key, ...rest]: Place, by: unknown): unknown {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >
  copy[key] = exchanged(copy[key], rest, by)
  return copy
}
