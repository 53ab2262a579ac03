import { type ClientHttp2Session, connect } from 'node:http2'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { until } from '../../test/support/until.js'
import { errors } from '../errors/catalog.js'
import type { Finished } from '../http/app.js'
import { BodyBudget } from '../http/budget.js'
import { Principal } from '../http/principal.js'
import { type Bound, Reply, serve } from '../http/request.js'
import { route } from '../http/route.js'
import { type GrpcOptions, GrpcServer } from './server.js'
import { CODE } from './status.js'

const MOST = 1 << 20
const PATH = '/test.Service/'
const spec = route({
  ...{ id: 'test', method: 'POST', path: '/v1/traces', tag: 'test', summary: '', access: 'write' },
  ...{ project: 'handler', raw: true, encoded: true, maxBytes: MOST, answer: z.unknown() },
  headers: z.object({ project_id: z.string().optional() }),
} as const)

const refusals = {
  Share: errors.shareUsed(7),
  Overloaded: errors.overloaded(3),
  Bad: errors.badRequest('Name a project – any.'),
  Broken: new Error('a secret detail'),
}
let held = 0
const admitted: Bound['admit'] = () => {
  held++
  return () => held--
}
const methods = new Map<string, Bound>([
  [
    `${PATH}Echo`,
    serve(
      spec,
      ({ bytes, headers, principal }) => {
        const said = [headers.get('content-encoding'), principal.userId, headers.get('project_id')].join()
        return new Reply(200, '', Buffer.concat([Buffer.from(`${said} `), bytes]))
      },
      admitted,
    ),
  ],
  ...Object.entries(refusals).map(([name, error]): [string, Bound] => [
    PATH + name,
    serve(spec, () => {
      throw error
    }),
  ]),
])

const budget = new BodyBudget(4 * MOST)
const finished: Finished[] = []
const keys: Record<string, Principal> = {
  good: new Principal('ann', 'ann', [{ scope: 'acme', right: 'write' }]),
}
const options: GrpcOptions = {
  budget,
  finished: (one) => finished.push(one),
  // As a key that has to be looked up.
  authenticate: async (headers) => {
    const principal = keys[headers.get('authorization') ?? '']
    if (principal === undefined) throw errors.badKey()
    return principal
  },
}
const server = new GrpcServer(methods, options)
let port = 0
let client: Client
beforeAll(async () => {
  port = await server.listen(0)
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
})
afterAll(async () => {
  client.close()
  await server.stop(1000)
})

interface Answer {
  code: number
  text: string
  metadata?: Metadata
}

/** Calls as grpc-js does. */
function call(method: string, body: Buffer, headers: Record<string, string>, options = {}): Promise<Answer> {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries({ authorization: 'good', ...headers })) metadata.set(name, value)
  return new Promise((resolve) => {
    const same = (bytes: Buffer) => bytes
    client.makeUnaryRequest(
      ...([PATH + method, same, same, body, metadata, options] as const),
      (error: ServiceError | null, answer?: Buffer) =>
        resolve(
          error
            ? { code: error.code, text: error.details, metadata: error.metadata }
            : { code: 0, text: answer!.toString() },
        ),
    )
  })
}

/** Calls with what no library would send; the session must be closed. */
async function raw(
  frames: readonly Buffer[],
  { end = true, type = 'application/grpc', via = port } = {},
): Promise<{ session: ClientHttp2Session; code: number; status: number }> {
  const session = connect(`http://127.0.0.1:${via}`)
  session.on('error', () => undefined)
  const headers = { ':method': 'POST', ':path': `${PATH}Echo`, 'content-type': type, authorization: 'good' }
  const stream = session.request(headers)
  let [code, status] = [-1, 0]
  stream.on('error', () => undefined)
  stream.on('response', (head) => {
    status = Number(head[':status'])
    code = Number(head['grpc-status'] ?? code)
  })
  stream.on('trailers', (trailers) => {
    code = Number(trailers['grpc-status'])
  })
  stream.resume()
  for (const frame of frames) stream.write(frame)
  if (end) stream.end()
  await new Promise((resolve) => stream.once('close', resolve))
  return { session, code, status }
}

function framed(body: Buffer, flag = 0, length = body.length): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt8(flag)
  prefix.writeUInt32BE(length, 1)
  return Buffer.concat([prefix, body])
}

describe('a call', () => {
  it.each([
    ['an empty message', Buffer.alloc(0), {}, ',ann, '],
    [
      'a message, with headers of the exporter',
      Buffer.from('hello'),
      { project_id: 'acme/x' },
      ',ann,acme/x hello',
    ],
    ['a message of several frames', Buffer.alloc(700_000, 'a'), {}, `,ann, ${'a'.repeat(700_000)}`],
  ])('is answered: %s', async (_what, body, headers, expected) => {
    const answer = await call('Echo', body, headers)
    expect(answer.code).toBe(CODE.OK)
    expect(answer.text === expected).toBe(true)
  })

  it('hands a compressed message on as it is', async () => {
    const options = { 'grpc.default_compression_algorithm': 2 }
    const gzip = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options)
    const metadata = new Metadata()
    metadata.set('authorization', 'good')
    const answer = await new Promise<Buffer>((resolve, reject) => {
      const same = (bytes: Buffer) => bytes
      gzip.makeUnaryRequest(
        `${PATH}Echo`,
        same,
        same,
        Buffer.alloc(9000, 'a'),
        metadata,
        {},
        (error, bytes) => (error ? reject(error) : resolve(bytes!)),
      )
    })
    gzip.close()
    expect(answer.subarray(0, 10).toString()).toBe('gzip,ann, ')
    expect(answer.length).toBeLessThan(500)
  })

  it.each([
    ['a key that is none', 'Echo', { authorization: 'bad' }, CODE.UNAUTHENTICATED, /key/],
    ['a project that is not its own', 'Echo', { project_id: 'other/x' }, CODE.PERMISSION_DENIED, /other\/x/],
    ['a bad request', 'Bad', {}, CODE.INVALID_ARGUMENT, /^Name a project – any\.$/],
    ['what broke, without details', 'Broken', {}, CODE.INTERNAL, /^Internal error/],
    ['a method that is none', 'Nothing', {}, CODE.UNIMPLEMENTED, /Unknown method/],
  ])('is refused for %s', async (_what, method, headers, code, text) => {
    // A large message: what is not read must not keep the answer from its reader.
    const answer = await call(method, Buffer.alloc(900_000), headers)
    expect(answer).toMatchObject({ code, text: expect.stringMatching(text) })
  })

  it.each([
    ['Share', CODE.RESOURCE_EXHAUSTED, 7],
    ['Overloaded', CODE.UNAVAILABLE, 3],
  ])('is told when to come again: %s', async (method, code, seconds) => {
    const { metadata, ...answer } = await call(method, Buffer.alloc(0), {})
    expect(answer.code).toBe(code)
    const details = metadata!.get('grpc-status-details-bin')[0] as Buffer
    // RetryInfo with a delay of so many seconds ends the details.
    expect(details.subarray(-6)).toEqual(Buffer.from([18, 4, 10, 2, 8, seconds]))
    expect(details.toString()).toContain('google.rpc.RetryInfo')
  })

  it('is refused for a message that is too large, before that is there', async () => {
    expect(await call('Echo', Buffer.alloc(MOST + 1), {})).toMatchObject({ code: CODE.RESOURCE_EXHAUSTED })
    const { session, code } = await raw([framed(Buffer.alloc(0), 0, 2 ** 31)], { end: false })
    session.close()
    expect(code).toBe(CODE.RESOURCE_EXHAUSTED)
  })

  it.each([
    ['two messages', [framed(Buffer.from('a')), framed(Buffer.from('b'))]],
    ['half a message', [framed(Buffer.from('a'), 0, 2)]],
    ['half a prefix', [Buffer.from([0, 0])]],
    ['no message', []],
  ])('is refused for %s', async (_what, frames) => {
    const { session, code } = await raw(frames)
    session.close()
    expect(code).toBe(CODE.INVALID_ARGUMENT)
  })

  it('of another kind is none', async () => {
    const { session, status } = await raw([Buffer.from('{}')], { type: 'application/json' })
    session.close()
    expect(status).toBe(415)
  })

  it('whose message stalls is ended, and gives its memory back', async () => {
    const before = budget.held
    const { session, code } = await raw([framed(Buffer.alloc(1000), 0, 2000)], { end: false })
    session.close()
    expect(code).toBe(CODE.DEADLINE_EXCEEDED)
    await until('the memory to be back', () => budget.held === before && held === 0)
  })

  it('leaves nothing behind', async () => {
    await until('all to be given back', () => budget.held === 0 && held === 0 && server.open.calls === 0)
    expect(finished.some(({ status, bytesIn }) => status === 200 && bytesIn > 700_000)).toBe(true)
    // A key that is none, and a message that stalled.
    expect(finished.map(({ status }) => status)).toEqual(expect.arrayContaining([401, 408]))
  })
})

describe('a connection', () => {
  let dropped = 0
  const watching = { ...options, dropped: () => dropped++ }
  const watchful = new GrpcServer(methods, { ...watching, sweepMs: 500 })
  let near = 0
  beforeAll(async () => {
    near = await watchful.listen(0)
  })
  afterAll(() => watchful.stop(0))

  it.each([
    ['that says nothing', ''],
    ['of another protocol', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['that begins well and shows no key', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
  ])('%s is closed, and counted', async (_what, text) => {
    const before = dropped
    const socket = createConnection(near, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(text, 'latin1')
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    // One of another protocol is closed by the library.
    if (!text.startsWith('GET')) expect(dropped).toBe(before + 1)
  })

  it('is one of so many at most', async () => {
    const small = new GrpcServer(methods, { ...watching, mostConnections: 2 })
    const before = dropped
    const at = await small.listen(0)
    const sockets = Array.from({ length: 5 }, () => createConnection(at, '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => undefined).resume()
    await until('those beyond to be closed', () => dropped === before + 3)
    await until('their peers to notice', () => sockets.filter(({ destroyed }) => destroyed).length === 3)
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false, false])
    // Those without a key make room, the oldest first, not a caller who has one.
    const { session, code } = await raw([framed(Buffer.from('a'))], { via: at })
    expect([code, session.destroyed]).toEqual([CODE.OK, false])
    const more = Array.from({ length: 5 }, () => createConnection(at, '127.0.0.1'))
    for (const socket of more) socket.on('error', () => undefined).resume()
    await until('those to be closed, too', () => dropped === before + 3 + 1 + 5)
    expect(session.destroyed).toBe(false)
    expect(small.open.connections).toBe(2)
    session.destroy()
    for (const socket of [...sockets, ...more]) socket.destroy()
    await small.stop(0)
  })

  it('that answers stays; one whose peer is gone is closed', async () => {
    const sockets: Socket[] = []
    const proxy = createServer((client) => {
      const far = createConnection(near, '127.0.0.1')
      sockets.push(client, far)
      for (const socket of sockets) socket.on('error', () => undefined)
      client.pipe(far).pipe(client)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { session } = await raw([framed(Buffer.from('a'))], { via: (proxy.address() as AddressInfo).port })
    let pings = 0
    await new Promise<void>((resolve) => session.on('ping', () => ++pings === 3 && resolve()))
    expect(watchful.open.connections).toBe(1)
    // As if a cable was pulled: nothing comes, and nobody says that the connection ended.
    for (const socket of sockets) socket.unpipe().pause()
    await until('it to be closed', () => watchful.open.connections === 0)
    for (const socket of sockets) socket.destroy()
    session.destroy()
    proxy.close()
  })
})

it('a stop answers what is under way', async () => {
  let answer: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => (answer = resolve))
  const slow = serve(spec, async () => {
    await waiting
    return new Reply(200, '', 'done')
  })
  const own = new GrpcServer(new Map([[`${PATH}Slow`, slow]]), {
    budget,
    authenticate: () => keys.good!,
  })
  const address = `127.0.0.1:${await own.listen(0)}`
  const caller = new Client(address, credentials.createInsecure())
  const said = new Promise<string>((resolve, reject) => {
    const same = (bytes: Buffer) => bytes
    caller.makeUnaryRequest(`${PATH}Slow`, same, same, Buffer.alloc(0), (error, bytes) =>
      error ? reject(error) : resolve(bytes!.toString()),
    )
  })
  await until('it to be under way', () => own.open.calls === 1)
  const stopped = own.stop(10_000)
  answer()
  expect(await said).toBe('done')
  await stopped
  caller.close()
})
