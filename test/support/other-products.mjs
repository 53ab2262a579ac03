// A stand-in for Phoenix and Langfuse, which answers as their published interfaces say: made-up spans by pages, for the
// right keys alone, and now and then too busy. `/phoenix`, `/langfuse` and `/langfuse-old` are three servers.
import { createServer } from 'node:http'

const COUNT = 2500
const START = Date.UTC(2026, 0, 1)
const time = (i) => new Date(START + i * 1000).toISOString()
const hex = (i, length) => (i + 1).toString(16).padStart(length, '0')
const uuid = (i) => `00000000-0000-4000-8000-${hex(i, 12)}`
const KEYS = { phoenix: 'Bearer px-key', langfuse: `Basic ${btoa('pk-1:sk-1')}` }

/** Every tenth is a root. */
const rootOf = (i) => i - (i % 10)
let asked = 0

const phoenix = {
  '/v1/projects/shop/spans': ({ limit, cursor }) => {
    // Newest first.
    const from = cursor === undefined ? COUNT - 1 : Number(cursor)
    const indexes = Array.from({ length: Math.min(Number(limit ?? 100), from + 1) }, (_, k) => from - k)
    const next = from - indexes.length
    return { data: indexes.map(phoenixSpan), next_cursor: next < 0 ? null : String(next) }
  },
  '/v1/projects/shop/span_annotations': ({ span_ids }) => ({
    data: [span_ids].flat().flatMap((span_id) => (span_id === hex(1, 16) ? [annotation(span_id)] : [])),
    next_cursor: null,
  }),
}

function phoenixSpan(i) {
  const isRoot = rootOf(i) === i
  return {
    id: `span-${i}`,
    name: isRoot ? 'answer' : 'llm',
    context: { trace_id: hex(rootOf(i), 32), span_id: hex(i, 16) },
    span_kind: isRoot ? 'CHAIN' : 'LLM',
    parent_id: isRoot ? null : hex(rootOf(i), 16),
    start_time: time(i),
    end_time: time(i + 1),
    status_code: i === 1 ? 'ERROR' : 'OK',
    status_message: i === 1 ? 'too long' : '',
    attributes: {
      'session.id': 'talk',
      ...(!isRoot && {
        'llm.model_name': 'gpt-4',
        'llm.token_count.prompt': 7,
        'llm.token_count.completion': 5,
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': `hello ${i}`,
      }),
    },
    events: [],
  }
}

function annotation(span_id) {
  const result = { label: 'good', score: 0.9, explanation: 'to the point' }
  const made = { created_at: time(0), updated_at: time(0), source: 'APP', user_id: null, identifier: '' }
  return { id: 'a1', span_id, name: 'quality', annotator_kind: 'HUMAN', result, metadata: {}, ...made }
}

const numbered =
  (item, count) =>
  ({ limit, page }) => {
    const size = Number(limit ?? 50)
    const from = (Number(page ?? 1) - 1) * size
    const data = Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, k) => item(from + k))
    return {
      data,
      meta: { page: Number(page), limit: size, totalItems: count, totalPages: Math.ceil(count / size) },
    }
  }

const langfuse = {
  '/api/public/traces': numbered(
    (k) => ({
      ...{ id: traceId(k * 10), timestamp: time(k * 10), name: `question ${k}`, latency: 10, tags: ['live'] },
      ...{ input: { q: k }, output: 'an answer', sessionId: 'talk', userId: 'eve', metadata: { tier: 3 } },
    }),
    COUNT / 10,
  ),
  '/api/public/v2/scores': numbered((k) => {
    const base = { id: `s${k}`, name: 'quality', source: 'ANNOTATION', timestamp: time(k), comment: 'fine' }
    if (k === 0)
      return { ...base, traceId: traceId(0), observationId: observationId(1), value: 1, dataType: 'NUMERIC' }
    if (k === 1)
      return { ...base, traceId: traceId(0), value: 0, stringValue: 'bad', dataType: 'CATEGORICAL' }
    return { ...base, traceId: null, sessionId: 'talk', value: 1, dataType: 'NUMERIC' }
  }, 3),
}
/** The ids of older SDKs are UUIDs, those of newer ones OpenTelemetry's. */
const traceId = (i) => (i % 20 === 0 ? uuid(i) : hex(i, 32))
const observationId = (i) => (rootOf(i) % 20 === 0 ? uuid(i) : hex(i, 16))

const observation = (i) => ({
  ...{
    id: observationId(i),
    traceId: traceId(rootOf(i)),
    name: 'step',
    startTime: time(i),
    endTime: time(i + 1),
  },
  parentObservationId: rootOf(i) === i ? null : observationId(rootOf(i)),
  type: rootOf(i) === i ? 'SPAN' : 'GENERATION',
  ...{ level: i === 1 ? 'ERROR' : 'DEFAULT', statusMessage: i === 1 ? 'too long' : null },
  ...{ input: JSON.stringify([{ role: 'user', content: `hello ${i}` }]), output: '"ho"', metadata: { n: i } },
  modelParameters: { temperature: 0.5 },
})
const newer = (i) => ({
  ...observation(i),
  ...{
    providedModelName: 'gpt-4',
    usageDetails: { input: 7, output: 5, total: 12 },
    costDetails: { total: 0.25 },
  },
  ...{ sessionId: 'talk', userId: 'eve' },
})
const older = (i) => ({
  ...observation(i),
  ...{ model: 'gpt-4', usage: { input: 7, output: 5, total: 12, unit: 'TOKENS' }, calculatedTotalCost: 0.25 },
})

const servers = {
  phoenix,
  langfuse: {
    ...langfuse,
    '/api/public/v2/observations': ({ limit, cursor }) => {
      const from = cursor === undefined ? 0 : Number(atob(cursor))
      const data = Array.from({ length: Math.min(Number(limit ?? 50), COUNT - from) }, (_, k) =>
        newer(from + k),
      )
      const next = from + data.length
      return { data, meta: next < COUNT ? { cursor: btoa(String(next)) } : {} }
    },
  },
  'langfuse-old': { ...langfuse, '/api/public/observations': numbered(older, COUNT) },
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const [, name, path] = /^\/([\w-]+)(\/.*)$/.exec(pathname) ?? []
  const answer = (status, body, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  if (request.headers.authorization !== KEYS[name?.split('-')[0]])
    return answer(401, { message: 'Invalid credentials' })
  const route = servers[name]?.[path]
  if (route === undefined) return answer(404, { message: 'not found' })
  // Too busy for every fourth request.
  if (++asked % 8 === 1) return answer(429, { message: 'Rate limit exceeded' }, { 'retry-after': '0' })
  if (asked % 8 === 5) return answer(503, {}, { 'retry-after': '0' })
  const query = {}
  for (const key of searchParams.keys()) query[key] = searchParams.getAll(key)
  for (const [key, values] of Object.entries(query)) if (values.length === 1) query[key] = values[0]
  return answer(200, route(query))
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
