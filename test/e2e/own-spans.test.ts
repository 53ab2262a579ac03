/**
 * Spans of Heddle's own work, as a collector gets them: what a request, its statements and the job that it queued say,
 * how they hang together over processes, and what never becomes a span.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complete, halves } from '../support/calls.js'
import { Collector } from '../support/collector.js'
import { Evaluations } from '../support/evaluations.js'
import { freshProject } from '../support/ids.js'
import { freePorts } from '../support/ports.js'
import { RedisProcess } from '../support/redis.js'
import { Server } from '../support/server.js'
import { Stub } from '../support/stub.js'
import { until } from '../support/until.js'

const SECRET = 'provider-key-0123456789'

let collector: Collector
let provider: Stub
let redis: RedisProcess
let server: Server
beforeAll(async () => {
  collector = await Collector.start()
  provider = await Stub.start('chat-provider')
  redis = await RedisProcess.start()
  server = await Server.start({
    env: {
      REDIS_URL: redis.url,
      HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1/32',
      HEDDLE_SECRETS_KEY: 'a-key-of-tests-0123456789',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
  await server.cliWith(SECRET, 'secrets', 'set', '*', 'STUB_KEY', '--for', provider.url)
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  await provider?.stop()
  await collector?.stop()
})

/** Posts as part of a new trace. */
async function traced(path: string, body: object, headers: Record<string, string> = {}) {
  const trace = randomBytes(16).toString('hex')
  const parent = randomBytes(8).toString('hex')
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.key}`,
      'content-type': 'application/json',
      traceparent: `00-${trace}-${parent}-01`,
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { trace, parent, status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** The one span of a trace that is called so, once it is there. */
async function span(trace: string, name: string) {
  await until(`${name} in ${trace}`, async () => collector.of(trace).some((one) => one.name === name), 30)
  return collector.of(trace).find((one) => one.name === name)!
}

describe('spans of a request', () => {
  it('go on with the trace of the caller, and have the statements below them', async () => {
    const { start } = halves(complete(freshProject()))
    const sent = await traced('/call/start', { start })
    expect(sent.status).toBe(200)
    const request = await span(sent.trace, 'POST /call/start')
    expect(request).toMatchObject({ service: 'heddle-up', parent: sent.parent, kind: 2 })
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/call/start',
      'http.response.status_code': 200,
    })
    const insert = await span(sent.trace, 'INSERT calls_open')
    expect(insert).toMatchObject({ parent: request.id, kind: 3 })
    expect(insert.attributes).toMatchObject({ 'db.system.name': 'clickhouse', 'heddle.written_rows': 1 })
  })

  it('say what went wrong by its code', async () => {
    const sent = await traced('/call/read', { id: 'of no project' })
    expect(sent.status).toBe(422)
    const request = await span(sent.trace, 'POST /call/read')
    expect(request.attributes).toMatchObject({
      'http.response.status_code': 422,
      'error.type': 'INVALID_REQUEST',
    })
  })

  it('are not made of what our exporter sends, nor of probes', async () => {
    const own = await traced(
      '/call/read',
      { project_id: freshProject(), id: 'none' },
      { 'x-heddle-own-spans': '1' },
    )
    await fetch(`${server.metricsUrl}/readyz`)
    const later = await traced('/call/read', { project_id: freshProject(), id: 'none' })
    await span(later.trace, 'POST /call/read')
    expect(collector.of(own.trace)).toEqual([])
    expect(collector.spans.filter(({ name }) => name.includes('readyz'))).toEqual([])
    expect(collector.headers.every((headers) => headers['x-heddle-own-spans'] === '1')).toBe(true)
    expect(collector.headers.every((headers) => headers['x-collector-key'] === 'abc')).toBe(true)
  })
})

describe('spans of a job', () => {
  it('hang below the request that queued it, in another process', async () => {
    const evaluations = new Evaluations(server.api, freshProject())
    const { project } = evaluations
    const val = { name: 'stub', base_url: provider.url, api_key_name: 'STUB_KEY' }
    const obj = { project_id: project, object_id: 'stub', builtin_object_class: 'Provider', val }
    await server.api.ok('/obj/create', { obj })
    const scorer = await evaluations.scorer('exact', 'ExactMatchScorer', { trim: true })
    const evaluation_ref = await evaluations.evaluation(
      [{ question: 'say Paris', expected: 'Paris' }],
      [scorer],
    )
    const model_ref = await evaluations.model('custom::stub::painter')
    const path = '/evaluations/evaluate_model'
    const sent = await traced(path, { project_id: project, evaluation_ref, model_ref })
    await evaluations.ended(String(sent.body.call_id))

    const request = await span(sent.trace, `POST ${path}`)
    const job = await span(sent.trace, 'process evaluations')
    expect(request).toMatchObject({ service: 'heddle-up', parent: sent.parent })
    expect(job).toMatchObject({ service: 'heddle-evaluation-worker', parent: request.id, kind: 5 })
    expect(job.attributes).toMatchObject({ 'messaging.destination.name': 'evaluations' })
    const below = collector.of(sent.trace).filter(({ parent }) => parent === job.id)
    expect(below.some(({ name }) => name.startsWith('INSERT'))).toBe(true)
  })

  it('hold no key, and nothing that callers sent', () => {
    const all = JSON.stringify(collector.spans)
    expect(collector.spans.length).toBeGreaterThan(10)
    for (const word of [server.key, SECRET, 'Paris', 'painter']) expect(all).not.toContain(word)
  })
})

describe('a collector that is Heddle', () => {
  it.each(['its own port', 'that of another'])('gets no spans, and the service starts: %s', async (whose) => {
    const [port = 0, metrics = 0] = await freePorts(2)
    const url = whose === 'its own port' ? `http://localhost:${port}` : server.url
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/otel/v1/traces`,
    }
    const started = await Server.start({ ports: [port, metrics], env })
    await started.dispose()
    expect(started.output).toContain('Heddle sends no spans')
    expect(started.output).not.toContain('spans are sent')
  })
})
