import type { lookup } from 'node:dns'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Outbound } from './fetch.js'

let server: Server
let other: Server
let port = 0
let otherPort = 0
const open = new Outbound({ allowPrivate: ['127.0.0.1'], timeoutMs: 2000 })
const closed = new Outbound({ allowPrivate: [], timeoutMs: 2000 })

async function listen(target: Server): Promise<number> {
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  return (target.address() as { port: number }).port
}

beforeAll(async () => {
  other = createServer((request, response) => response.end(JSON.stringify(request.headers)))
  otherPort = await listen(other)
  server = createServer((request, response) => {
    if (request.url === '/loop') response.writeHead(302, { location: '/loop' })
    else if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${otherPort}/` })
    else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' })
    else if (request.url === '/hang') return
    else if (request.url?.startsWith('/to?'))
      response.writeHead(302, { location: decodeURIComponent(request.url.slice(4)) })
    response.end(JSON.stringify(request.headers))
  })
  port = await listen(server)
})
afterAll(async () => {
  await Promise.all([open.close(), closed.close()])
  server.closeAllConnections()
  server.close()
  other.close()
})

describe('addresses that are refused', () => {
  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'gopher://x/',
    'nonsense',
    '',
  ])('%s', async (address) => {
    await expect(closed.fetch(address)).rejects.toMatchObject({ code: 'BAD_ADDRESS', status: 400 })
  })
  it('a redirect to another scheme', async () => {
    await expect(open.fetch(`http://127.0.0.1:${port}/file`)).rejects.toMatchObject({ code: 'BAD_ADDRESS' })
  })
})

it.each(['http://127.0.0.2/', 'http://[::1]/', 'http://10.0.0.1/', 'http://169.254.169.254/'])(
  'what an operator did not allow stays closed, also behind a redirect: %s',
  async (address) => {
    await expect(open.fetch(address)).rejects.toMatchObject({ code: 'BAD_ADDRESS' })
    const behind = `http://127.0.0.1:${port}/to?${encodeURIComponent(address)}`
    await expect(open.fetch(behind)).rejects.toMatchObject({ code: 'BAD_ADDRESS' })
  },
)

it('an operator may allow private ranges', async () => {
  expect((await open.fetch(`http://localhost:${port}/`)).status).toBe(200)
})

it('a name that leads elsewhere at its next connection is looked at again', async () => {
  const answers = [['127.0.0.2', '127.0.0.1'], ['127.0.0.2']]
  const resolve = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(
      null,
      answers.shift()!.map((address) => ({ address, family: 4 })),
    )) as unknown as typeof lookup
  const rebound = new Outbound({ allowPrivate: ['127.0.0.1'], resolve })
  const headers = { connection: 'close' }
  expect((await rebound.fetch(`http://name.test:${port}/`, { headers })).status).toBe(200)
  await expect(rebound.fetch(`http://name.test:${port}/`)).rejects.toMatchObject({ code: 'BAD_ADDRESS' })
  expect(answers).toEqual([])
  await rebound.close()
})

it('a host that the operator named may be anywhere, and what it redirects to may not', async () => {
  const trusting = new Outbound({ allowPrivate: [], trustedHosts: ['localhost'], timeoutMs: 2000 })
  expect((await trusting.fetch(`http://localhost:${port}/`)).status).toBe(200)
  for (const address of [`http://localhost:${port}/away`, `http://127.0.0.1:${port}/`])
    await expect(trusting.fetch(address)).rejects.toMatchObject({ code: 'BAD_ADDRESS' })
  await trusting.close()
})

it('credentials do not follow a redirect to another origin', async () => {
  const headers = { authorization: 'Bearer secret', 'x-vendor-key': 'secret', accept: 'image/png' }
  const answer = await open.fetch(`http://127.0.0.1:${port}/away`, { headers })
  const seen = (await answer.json()) as Record<string, string>
  expect(JSON.stringify(seen)).not.toContain('secret')
  expect(seen.accept).toBe('image/png')
})

it.each(['/loop', '/hang'])('%s ends with an error', async (path) => {
  await expect(open.fetch(`http://127.0.0.1:${port}${path}`)).rejects.toMatchObject({
    code: 'UPSTREAM',
    status: 502,
  })
})

it('an address where nothing listens is an error of the other side', async () => {
  await expect(open.fetch('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'UPSTREAM' })
})
