/** Asking a provider that answers in every way it should not. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { treeText } from '../../platform/json/tree.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import { type AskOptions, askProvider, fetchResult } from './ask.js'

const KEY = 'sk-secret-0123456789'
type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** What the provider does, by the path it is asked under. */
const BEHAVIOUR: Record<string, Handler> = {
  '/good': (request, response) => response.end(JSON.stringify({ told: request.headers.authorization })),
  '/packed': (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.alloc(4 << 20, 'x')))
  },
  '/rubbish': (_, response) => response.end('<html>hello</html>'),
  '/long': (_, response) => response.end(`"${'x'.repeat(100_000)}"`),
  '/400': (_, response) => response.writeHead(400).end('{"error":{"message":"no such size"}}'),
  '/401': (request, response) =>
    response.writeHead(401).end(JSON.stringify({ error: `bad key ${request.headers.authorization}` })),
  '/404': (_, response) => response.writeHead(404).end(),
  '/429': (_, response) => response.writeHead(429).end('{"detail":"slow down"}'),
  '/500': (request, response) =>
    response.writeHead(500).end(`<pre>boom\n ${request.headers.authorization}</pre>`),
  '/401-cut': (request, response) =>
    response
      .writeHead(401)
      .end(`${'x'.repeat(1_000 - 'Bearer '.length - 12)}${request.headers.authorization}`),
  '/hang': () => undefined,
  '/half': (_, response) => {
    response.writeHead(200)
    response.write('{"data":')
  },
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"data":', () => response.destroy())
  },
  '/inward': (_, response) => response.writeHead(307, { location: 'http://10.0.0.1/' }).end(),
  '/leaky-cut': (request, response) =>
    response
      .writeHead(302, {
        location: `file:///${'x'.repeat(192 - 'Bearer%20'.length - 12)}${request.headers.authorization}`,
      })
      .end(),
  '/leaky': (request, response) =>
    response.writeHead(302, { location: `file:///${request.headers.authorization}` }).end(),
}

let server: Server
let base = ''
const outbound = new Outbound({ allowPrivate: ['127.0.0.0/8'] })
beforeAll(async () => {
  server = createServer((request, response) => BEHAVIOUR[request.url ?? '']?.(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
})

const options = (changes: Partial<AskOptions> = {}): AskOptions => ({
  time: AbortSignal.timeout(20_000),
  timeoutMs: 20_000,
  maxBytes: 50_000,
  holding: { take: () => true },
  signal: new AbortController().signal,
  ...changes,
})
const provider = () => ({
  provider: 'stub',
  model: 'm',
  baseUrl: base,
  headers: { authorization: `Bearer ${KEY}` },
  secrets: [KEY],
})
const ask = (path: string, changes?: Partial<AskOptions>) =>
  askProvider(outbound, provider(), path, '{}', options(changes))

it('an answer comes as JSON, without the key', async () => {
  expect(treeText(await ask('/good'))).toBe('{"told":"Bearer REDACTED"}')
})

describe('failures', () => {
  it.each([
    ['/rubbish', 'PROVIDER_BAD_ANSWER', undefined, 'is not JSON'],
    ['/long', 'PROVIDER_TOO_LARGE', undefined, 'more than 50000 bytes'],
    ['/packed', 'PROVIDER_TOO_LARGE', undefined, 'more than 50000 bytes'],
    ['/400', 'PROVIDER_REFUSED', 400, 'refused the request (400): no such size'],
    ['/401', 'PROVIDER_KEY_REFUSED', 401, 'refused the key it was sent (401): bad key Bearer REDACTED'],
    ['/404', 'PROVIDER_REFUSED', 404, 'refused the request (404).'],
    ['/429', 'PROVIDER_LIMIT', 429, 'slow down'],
    ['/500', 'PROVIDER_FAILED', 500, '<pre>boom Bearer REDACTED</pre>'],
    ['/cut', 'PROVIDER_UNREACHABLE', undefined, "can't be reached"],
    ['/inward', 'BAD_ADDRESS', undefined, '10.0.0.1'],
    ['/leaky', 'BAD_ADDRESS', undefined, 'what it redirects to'],
    ['/leaky-cut', 'BAD_ADDRESS', undefined, 'what it redirects to'],
    ['/401-cut', 'PROVIDER_KEY_REFUSED', 401, 'REDACTED'],
  ])('%s', async (path, code, status, message) => {
    const failure = await ask(path).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code, status, message: expect.stringContaining(message) })
    expect(JSON.stringify(failure) + String(failure)).not.toContain(KEY.slice(0, 8))
  })

  it.each(['/hang', '/half'])('%s: the time is over', async (path) => {
    const time = AbortSignal.timeout(200)
    await expect(ask(path, { time, timeoutMs: 200 })).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' })
  })

  it('nobody waits any more', async () => {
    const caller = new AbortController()
    const asked = ask('/hang', { signal: caller.signal })
    caller.abort()
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('no room is left', () =>
    expect(ask('/good', { holding: { take: () => false } })).rejects.toMatchObject({ code: 'OVERLOADED' }))

  it('nothing listens', () =>
    expect(
      askProvider(outbound, { ...provider(), baseUrl: 'http://127.0.0.1:1' }, '/', '{}', options()),
    ).rejects.toMatchObject({ code: 'PROVIDER_UNREACHABLE' }))
})

describe('private addresses, where they are not allowed', () => {
  const closed = new Outbound({ allowPrivate: [] })
  afterAll(() => closed.close())

  it.each(['http://127.0.0.1', 'http://localhost', 'http://[::1]', 'http://169.254.169.254'])(
    '%s',
    async (baseUrl) => {
      const asked = askProvider(closed, { ...provider(), baseUrl }, '/', '{}', options())
      await expect(asked).rejects.toMatchObject({ code: 'BAD_ADDRESS' })
    },
  )
})

describe('what a provider points at', () => {
  it('is fetched without credentials', async () => {
    const bytes = await fetchResult(outbound, `${base}/good`, [KEY], options())
    expect(Buffer.from(bytes).toString()).toBe('{}')
  })

  it.each([
    ['/404', 'PROVIDER_BAD_ANSWER'],
    ['/long', 'PROVIDER_TOO_LARGE'],
  ])('%s', (path, code) =>
    expect(fetchResult(outbound, base + path, [KEY], options())).rejects.toMatchObject({ code }),
  )
})
