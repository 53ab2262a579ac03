import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../errors/catalog.js'
import type { App, Finished } from '../http/app.js'
import type { RouteSpec } from '../http/route.js'
import { logExchanges, openLog } from './log.js'
import { Metrics } from './metrics.js'
import { probes } from './probes.js'
import { textLine } from './text-line.js'

const exchange = (over: Partial<Finished>): Finished => ({
  spec: { id: 'call_read' } as RouteSpec,
  status: 200,
  seconds: 0.02,
  bytesIn: 10,
  bytesOut: 20,
  requestId: 'r-1',
  error: undefined,
  ...over,
})

/** A log into an array. */
function lines(level = 'info') {
  const written: Record<string, unknown>[] = []
  const to = { write: (line: string) => void written.push(JSON.parse(line)) }
  return { written, log: openLog({ level, format: 'json', role: 'test', to }) }
}

describe('the log', () => {
  it('tells of failures of ours with what is behind them', () => {
    const { written, log } = lines()
    const hook = logExchanges(log, 5)
    hook(exchange({ status: 503, error: errors.unavailable(new Error('connect ECONNREFUSED')) }))
    hook(exchange({ status: 500, error: new Error('boom') }))
    expect(written).toMatchObject([
      { level: 'warn', route: 'call_read', requestId: 'r-1', code: 'STORE_UNAVAILABLE', ms: 20 },
      { level: 'error', code: 'INTERNAL', err: { message: 'boom' }, causes: ['boom'] },
    ])
    expect(written[0]?.causes).toContain('connect ECONNREFUSED')
    expect(written[0]).not.toHaveProperty('err')
  })
  it('tells of slow requests, and of nothing else', () => {
    const { written, log } = lines()
    const hook = logExchanges(log, 5)
    hook(exchange({}))
    hook(exchange({ status: 404, error: errors.notFound('It') }))
    hook(exchange({ seconds: 6 }))
    expect(written).toMatchObject([{ level: 'warn', msg: 'slow request', ms: 6000 }])
  })
  it('never holds a secret that it is given', () => {
    const { written, log } = lines()
    log.info(
      { key: 'hk_1', nested: { password: 'p', authorization: 'Bearer hk_1' }, headers: { a: 'hk_1' } },
      'oops',
    )
    expect(JSON.stringify(written)).not.toMatch(/hk_1|"p"/)
  })
  it('is text for eyes', () => {
    const line = '{"level":"info","time":"2026-01-01T12:00:01.000Z","role":"up","port":80,"msg":"ready"}\n'
    expect(textLine(line)).toBe('12:00:01 info  ready  port=80\n')
    expect(textLine(line.replace('"up"', '"trainer-worker"'))).toBe(
      '12:00:01 info  trainer-worker: ready  port=80\n',
    )
    expect(textLine('not JSON')).toBe('not JSON')
  })
  it('as text keeps what callers wrote within its field', () => {
    const hostile = 'a\n12:00:02 error forged\u001b[2J\u009b1A\u202e status=200 "'
    const event = { level: 'info', time: '2026-01-01T12:00:01.000Z', role: 'up', msg: `m ${hostile}` }
    const err = { stack: `Error: ${hostile}\n    at f (x.js:1)` }
    const text = textLine(JSON.stringify({ ...event, name: hostile, plain: 'a.b', deep: [hostile], err }))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    const [first, ...below] = text.trimEnd().split('\n')
    expect(first).toContain(' plain=a.b ')
    expect(first).toContain(' name="a\\n12:00:02 error forged\\u001b[2J\\u009b1A\\u202e status=200 \\"" ')
    for (const line of below) expect(line).toMatch(/^ {4}/)
  })
})

describe('the probes', () => {
  let app: App
  let url = ''
  let trouble: string | undefined
  let full: string | undefined
  const metrics = new Metrics(() => 7)

  beforeAll(async () => {
    const store = { store: () => trouble, process: async () => undefined }
    app = probes(metrics, store, { writes: () => full })
    url = `http://127.0.0.1:${await app.listen(0)}`
  })
  afterAll(() => app.stop(100))

  it('say that it lives, and whether it wants requests', async () => {
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      status: 'ok',
      checks: { store: 'ok', process: 'ok', writes: 'ok' },
    })
    expect((await fetch(`${url}/readyz/writes`)).status).toBe(200)
    full = 'the disk is full'
    const reads = await fetch(`${url}/readyz`)
    expect([reads.status, await reads.json()]).toMatchObject([200, { status: 'reads only' }])
    const writes = await fetch(`${url}/readyz/writes`)
    expect([writes.status, await writes.json()]).toMatchObject([503, { checks: { writes: full } }])
    trouble = 'not reachable'
    const answer = await fetch(`${url}/readyz`)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ checks: { store: 'not reachable' } })
  })

  it('give the numbers of exchanges, memory and event loop', async () => {
    metrics.exchange(exchange({}))
    metrics.exchange(exchange({ status: 503 }))
    metrics.counter('spans_total', 'Spans.').inc(5)
    const answer = await fetch(`${url}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const text = await answer.text()
    for (const line of [
      'heddle_http_requests_total{route="call_read",status="200"} 1',
      'heddle_http_requests_total{route="call_read",status="503"} 1',
      'heddle_http_request_bytes_total{route="call_read"} 20',
      'heddle_http_request_seconds_count{route="call_read"} 2',
      'heddle_http_held_bytes 7',
      'heddle_spans_total 5',
    ]) {
      expect(text).toContain(line)
    }
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  })

  it('wake an idle process at most ten times a second', async () => {
    const shortest = async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^nodejs_eventloop_lag_min_seconds (\S+)/m.exec(text)![1])
    }
    const seen: number[] = []
    const isKnown = async () => {
      seen.push(await shortest())
      // Until there is a sample the shortest is absurd.
      return seen.at(-1)! < 1000
    }
    await expect.poll(isKnown, { timeout: 60_000, interval: 300 }).toBe(true)
    expect(seen.at(-1)).toBeGreaterThan(0.09)
  })
})
