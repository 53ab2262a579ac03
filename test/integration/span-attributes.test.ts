/** Attributes of stored spans, by the index of leaves and by their places, are what the whole text says they are. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Operation } from '../../contract/query-expr.js'
import { CallBlock } from '../../domain/calls/block.js'
import { pathSegments } from '../../domain/calls/leaves.js'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { callsOrder, WAY } from '../../domain/calls/read/order.js'
import { readPlaces } from '../../domain/calls/read/places.js'
import { visible } from '../../domain/calls/read/visible.js'
import { insertTarget } from '../../domain/calls/schema.js'
import {
  type Shape,
  shapesStatement,
  spanPlaces,
  wholeSpanStatement,
} from '../../domain/calls/span-places.js'
import { asNumber } from '../../domain/expr/cast.js'
import { compileExpr } from '../../domain/expr/compile.js'
import type { Fields, JsonValue } from '../../domain/expr/value.js'
import { OtlpDecoder } from '../../ingest/otlp/decode.js'
import { message } from '../../ingest/otlp/testing/arbitrary-messages.js'
import { realisticSpan } from '../../ingest/otlp/testing/arbitrary-spans.js'
import { requestOf } from '../../ingest/otlp/testing/decoded.js'
import { encodeExport, exportOf, spanWith } from '../../ingest/otlp/testing/messages.js'
import { join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { attributeField, spanField } from '../../query/agents/fields.js'
import type { Window } from '../../query/agents/identity.js'
import { prefilterConditions } from '../../query/calls/prefilter.js'
import { callsRoutes } from '../../query/calls/routes.js'
import { startService, type TestService } from '../../query/testing/service.js'
import { callColumns, readBy } from '../../resources/langfuse/query/calls.js'

let service: TestService
const project = 'acme/one'
const projectId = projectIdOf(project)
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
const ROOT = 'attributes.otel_span.attributes'
/** What is a number and what is none. */
const SCORES = [
  '1',
  '1.0',
  ' 1',
  '1e2',
  '-0.5',
  '+2',
  '"3"',
  '1,5',
  '0x10',
  'inf',
  '',
  'null',
  true,
  1e300,
  2 ** 53,
  '\\1',
  '٣',
]
/** Paths of texts, numbers and the rest in the attributes of the stored spans, and what stands there. */
let known: [path: string, value: unknown][]

const plain: Fields = (name): JsonValue => ({
  kind: 'json',
  document: OTEL_SPAN,
  path: pathSegments(name).slice(2),
})

/** The same with its number. */
const plainNumbers: Fields = (name) => {
  const value = plain(name) as JsonValue
  return { ...value, number: asNumber(value) }
}

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
  const { store } = service
  const block = new CallBlock('calls')
  const decoder = new OtlpDecoder(block, new CallBlock('calls_open'))
  let id = 0
  const spanId = () => {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt32BE(++id, 4)
    return bytes
  }
  const spans = [
    ...fc.sample(realisticSpan(['genai', 'openinference', 'openllmetry', 'langfuse', 'ai-sdk']), {
      numRuns: 60,
      seed: 7,
    }),
    ...fc
      .sample(message, { numRuns: 60, seed: 11 })
      .flatMap(({ resourceSpans }) =>
        (resourceSpans ?? []).flatMap(({ scopeSpans }) =>
          (scopeSpans ?? []).flatMap((scope) => scope.spans ?? []),
        ),
      ),
    ...[1, 2, 3].map((n) =>
      spanWith({ 'my.custom.key': `value ${n}`, 'my.score': n / 2, 'gen_ai.conversation.id': `c${n}` }),
    ),
    ...[1, 2, 3].map((n) =>
      spanWith({
        ...{
          'langfuse.environment': `e${n}`,
          'langfuse.trace.name': `t${n}`,
          'langfuse.trace.tags': '["a","b"]',
        },
        ...{ 'langfuse.observation.metadata.shop': `s${n}`, 'langfuse.trace.metadata': '{"user":"ann"}' },
      }),
    ),
    ...SCORES.map((score) => spanWith({ 'my.score': score })),
  ]
  const requests = spans.map((span) =>
    requestOf(encodeExport(exportOf({ ...spanWith({}), ...span, spanId: spanId() })), { project }),
  )
  decoder.decodeBatch(requests, { ver: 1_767_225_600_000_000 })
  await store.insert(insertTarget('calls'), 'Native', [block.encode()])
  // The same as builds from before wrote them, and as they are after a change: in one piece, without leaves of spans.
  await store.run(sql`INSERT INTO calls SELECT * REPLACE(concat('old ', id) AS id, ${OTEL_SPAN} AS otel_span, '' AS otel_shape,
    '' AS otel_origin, [] AS leaves, 0 AS span_indexed) FROM calls`)
  const texts = await store.rows<{ text: string }>(sql`SELECT ${OTEL_SPAN} AS text FROM calls`)
  known = texts.flatMap(({ text }) => leavesOf(JSON.parse(text).attributes, ROOT))
}, 60_000)

afterAll(() => service.stop())

function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, one]) => [
    ...(typeof one === 'object' ? [[`${path}.${key.replaceAll('.', '\\.')}`, 0] as [string, unknown]] : []),
    ...leavesOf(one, `${path}.${key.replaceAll('.', '\\.')}`),
  ])
}

const one = (terms: readonly Sql[]) => join(terms, sql`, `)

/** Spans whose text is in pieces. */
const IN_PIECES = sql`(otel_shape != '' OR otel_span = '')`

async function idsBy(fields: Fields, field: string, among: Sql[] = []): Promise<string[]> {
  const { terms } = callsOrder([{ field, direction: 'desc' }], fields)
  const order = terms.map(({ value, direction }) => sql`${value} ${WAY[direction]}`)
  const rows = sql`SELECT id ${visible('calls', projectId, among)} ORDER BY ${one(order)}`
  return (await service.store.rows<{ id: string }>(rows)).map(({ id }) => id)
}

/** Those that have a number, as lists look for them first. */
async function numberedIdsBy(fields: Fields, field: string): Promise<string[]> {
  const { numbered } = callsOrder([{ field, direction: 'desc' }], fields)
  const among = [IN_PIECES, sql`${numbered![0].value} IS NOT NULL`]
  const order = numbered!.map(({ value, direction }) => sql`${value} ${WAY[direction]}`)
  const rows = sql`SELECT id ${visible('calls', projectId, among)} ORDER BY ${one(order)}`
  return (await service.store.rows<{ id: string }>(rows)).map(({ id }) => id)
}

async function countBy(expr: Operation): Promise<number> {
  const body = { project_id: project, query: { $expr: expr } }
  const { status, text } = await service.post('/calls/query_stats', body)
  expect(status, text).toBe(200)
  return (JSON.parse(text) as { count: number }).count
}

it('any attribute is compared and sorted as its whole text would be', async () => {
  expect(known.length).toBeGreaterThan(500)
  const shapes = await service.store.rows<Shape>(shapesStatement(projectId))
  const indexed = callFields(project)
  expect(await service.store.rows(wholeSpanStatement(projectId))).toHaveLength(1)
  const placed = callFields(project, undefined, spanPlaces(shapes, true))
  const inPieces = callFields(project, undefined, spanPlaces(shapes, false))
  const some = fc.sample(fc.constantFrom(...known), { numRuns: 8, seed: 3 })
  const usual = ['my.custom.key', 'my.score', 'gen_ai.conversation.id', 'nowhere', '0'].map(
    (key) => [`${ROOT}.${key}`, key === 'my.score' ? 1 : 'c2'] as const,
  )
  for (const [n, [field, value]] of [...usual, ...some].entries()) {
    const here = { $getField: field }
    const literal = {
      $literal: typeof value === 'number' || typeof value === 'boolean' ? value : String(value),
    }
    const exprs = [
      { $eq: [here, literal] },
      { $in: [here, [literal, { $literal: 'value 1' }]] },
      { $not: [{ $eq: [here, literal] }] },
      { $contains: { input: here, substr: { $literal: String(value).slice(0, 3) } } },
      { $gte: [here, { $literal: 1 }] },
      { $eq: [{ $convert: { input: here, to: 'exists' } }, { $literal: true }] },
    ] as unknown as Operation[]
    const sumsBy = (fields: Fields) => {
      const each = exprs.map((expr) => {
        const all = [compileExpr(expr, fields), ...prefilterConditions(expr, fields)]
        return sql`countIf(${join(
          all.map((condition) => sql`ifNull(${condition}, 0)`),
          sql` AND `,
        )})`
      })
      return sql`[${one(each)}]`
    }
    const counted = async (ways: readonly Fields[], among: Sql[]) => {
      const [row] = await service.store.rows<{ all: number[][] }>(
        sql`SELECT [${one(ways.map(sumsBy))}] AS all ${visible('calls', projectId, among)}`,
      )
      const [first, ...others] = row!.all.map((counts) => counts.map(Number))
      for (const counts of others) expect(counts, field).toEqual(first)
      return first!
    }
    const whole = await counted([plain, indexed, placed], [])
    await counted([plain, inPieces], [IN_PIECES])
    if (n >= usual.length) continue
    expect(await idsBy(placed, field)).toEqual(await idsBy(plain, field))
    const sorted = await idsBy(plainNumbers, field, [IN_PIECES])
    expect(await idsBy(inPieces, field, [IN_PIECES])).toEqual(sorted)
    expect(callsOrder([{ field, direction: 'desc' }], inPieces).numbered !== undefined, field).toBe(n < 3)
    if (n < 3) {
      const numbered = await numberedIdsBy(inPieces, field)
      expect(sorted.slice(0, numbered.length)).toEqual(numbered)
    }
    for (const [i, expr] of exprs.slice(0, 2).entries()) expect(await countBy(expr)).toBe(whole[i])
  }
}, 60_000)

it('agents and Langfuse read any attribute at its place as they would in the whole text', async () => {
  const places = await readPlaces(projectId, (statement) => service.store.rows(statement))
  const window: Window = { projectId, from: undefined, to: undefined }
  const placed: Window = { ...window, places }
  const keys = [...new Set(known.map(([path]) => pathSegments(path).slice(3).join('.')))]
  const some = fc.sample(fc.constantFrom(...keys), { numRuns: 15, seed: 5 })
  const types = ['text', 'number', 'bool', 'any'] as const
  const fields = [
    ...['my.custom.key', 'my.score', 'nowhere', ...some].flatMap((key) =>
      types.map((type) => (window: Window) => attributeField(type, key, window)),
    ),
    ...['error_type', 'request_temperature', 'response_id', 'eval_trial_index'].map(
      (name) => (window: Window) => spanField(name, window)!,
    ),
  ]
  const columns = [undefined, places].map((places) => callColumns(project, readBy(project, places)))
  const pairs = [
    ...fields.map((field) => [window, placed].map((window) => field(window).sql)),
    ...[...columns[0]!.columns.keys()].map((name) => columns.map(({ columns }) => columns.get(name)!.sql)),
    ...['user', 'shop'].map((key) => columns.map(({ metadata }) => metadata(key))),
  ]
  for (const pair of pairs) {
    const [own, other] = pair.map((value) => sql`ifNull(toString(${value}), 'none')`)
    const rows = sql`SELECT id, ${own!} AS own, ${other!} AS other ${visible('calls', projectId, [])}`
    expect(await service.store.rows(sql`SELECT * FROM (${rows}) WHERE own != other LIMIT 3`)).toEqual([])
  }
  const langfuse = sql`SELECT uniqExact(${columns[1]!.columns.get('environment')!.sql}) AS found ${visible('calls', projectId, [])}`
  expect((await service.store.row<{ found: number }>(langfuse))!.found).toBeGreaterThan(1)
}, 60_000)
