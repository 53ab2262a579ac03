import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { HttpClient } from './http-client.js'

let server: Server | undefined
let client: HttpClient | undefined
afterEach(() => {
  client?.close()
  server?.closeAllConnections()
  server?.close()
})

/** A client of a server that answers so; `url` makes its address of the server's port. */
async function clientOf(answer: RequestListener, url = (port: number) => `http://127.0.0.1:${port}`) {
  server = createServer(answer)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new HttpClient({
    ...{ url: url(port), username: 'default', password: 'secret', database: 'default', connections: 2 },
    settings: { date_time_input_format: 'best_effort', compile_expressions: 0 },
  })
  return client
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

it('the blocks of an insert are sent as they are, one behind the other, and its statement in the address', async () => {
  let asked: URLSearchParams | undefined
  let body: Buffer | undefined
  const at = await clientOf(async (request, response) => {
    asked = new URL(request.url ?? '/', 'http://store').searchParams
    body = await bodyOf(request)
    response.end()
  })
  const memory = new Uint8Array(new SharedArrayBuffer(4)).fill(7)
  const query = 'INSERT INTO t FORMAT Native'
  const { status, stream } = await at.send({
    ...{ query, blocks: [memory, new Uint8Array([0, 255])] },
    settings: { compile_expressions: 1, async_insert: 0 },
  })
  stream.resume()
  expect(status).toBe(200)
  expect(body).toEqual(Buffer.from([7, 7, 7, 7, 0, 255]))
  expect(Object.fromEntries(asked!)).toEqual({
    ...{ query, date_time_input_format: 'best_effort', compile_expressions: '1', async_insert: '0' },
  })
})

it('half a surrogate pair in a value is no reason to fail', async () => {
  let asked: URLSearchParams | undefined
  const at = await clientOf((request, response) => {
    asked = new URL(request.url ?? '/', 'http://store').searchParams
    request.resume().once('end', () => response.end())
  })
  const { stream } = await at.send({ query: 'SELECT 1', settings: { log_comment: 'a\ud800 +&' } })
  stream.resume()
  expect(asked?.get('log_comment')).toBe('a\ufffd +&')
})

it.each([
  [(port: number) => `http://127.0.0.1:${port}`, 'default:secret', null],
  [(port: number) => `http://me:p%40ss@127.0.0.1:${port}/other`, 'me:p@ss', 'other'],
])('a user, a password and a database in the address count', async (url, user, database) => {
  let head: IncomingMessage | undefined
  const at = await clientOf((request, response) => {
    head = request
    request.resume().once('end', () => response.end())
  }, url)
  const { stream } = await at.send({ query: 'SELECT 1' })
  stream.resume()
  expect(head?.headers.authorization).toBe(`Basic ${Buffer.from(user).toString('base64')}`)
  expect(new URL(head?.url ?? '/', 'http://store').searchParams.get('database')).toBe(database)
})

it('a signal ends a request before its answer, and within it, and leaves no listener behind', async () => {
  const gone = new AbortController()
  const at = await clientOf((request, response) => {
    request.resume()
    if (request.url?.includes('silent')) gone.abort()
    else response.write('first')
  })
  const silent = at.send({ query: 'SELECT 1', settings: { log_comment: 'silent' }, signal: gone.signal })
  await expect(silent).rejects.toMatchObject({ code: 'ABORT_ERR' })
  const later = new AbortController()
  const { stream } = await at.send({ query: 'SELECT 1', signal: later.signal })
  await expect(
    (async () => {
      for await (const _ of stream) later.abort()
    })(),
  ).rejects.toMatchObject({ code: expect.any(String) })
})

it('a connection that the server has closed meanwhile is not used', async () => {
  const at = await clientOf((request, response) => {
    request.resume().once('end', () => response.end('1'))
  })
  for (let round = 0; round < 2; round++) {
    const { status, stream } = await at.send({ query: 'SELECT 1' })
    const { socket } = stream
    await bodyOf(stream)
    expect(status).toBe(200)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    server!.closeAllConnections()
    await closed
  }
})
