import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { errors } from '../errors/catalog.js'
import { App } from './app.js'
import { Principal } from './principal.js'
import { type Bound, serve } from './request.js'
import { route } from './route.js'

const MIB = 1 << 20
const common = {
  tag: 'test',
  summary: '',
  access: 'write',
  answer: z.unknown(),
  maxBytes: 200 * MIB,
} as const
const inPath = z.object({ entity: z.string(), project: z.string() })
const named = z.object({ project_id: z.string() })
const length = ({ bytes }: { bytes: Uint8Array }) => ({ length: bytes.length })
const routes = [
  serve(
    route({ ...common, id: 'b', method: 'POST', path: '/body', project: 'body', body: named }),
    () => 'done',
  ),
  serve(route({ ...common, id: 'raw', method: 'POST', path: '/raw', project: 'handler', raw: true }), length),
  serve(
    route({
      ...{ ...common, id: 'path', method: 'POST', path: '/v2/{entity}/{project}/x' },
      ...{ project: 'path', params: inPath, raw: true },
    }),
    length,
  ),
  serve(
    route({
      ...common,
      id: 'query',
      method: 'POST',
      path: '/query',
      project: 'query',
      query: named,
      raw: true,
    }),
    length,
  ),
  serve(
    route({
      ...{ ...common, id: 'header', method: 'POST', path: '/header', project: 'handler' },
      ...{ raw: true, headers: z.object({ project_id: z.string().optional() }) },
    }),
    length,
  ),
  serve(
    route({ ...common, id: 's', method: 'POST', path: '/streamed', project: 'handler', streamed: true }),
    async ({ chunks }) => {
      let size = 0
      for await (const chunk of chunks!) size += chunk.length
      return { length: size }
    },
  ),
]

/** Addresses that are being looked at. */
const checks: { allow: () => void; refuse: () => void }[] = []
const signed: Bound = {
  ...serve(
    route({
      ...common,
      id: 'signed',
      method: 'PUT',
      path: '/signed',
      access: 'public',
      project: 'none',
      raw: true,
    }),
    length,
  ),
  check: () =>
    new Promise((resolve, reject) => {
      checks.push({ allow: resolve, refuse: () => reject(errors.badLink()) })
    }),
}

/** Keys that are being looked up. */
const asked: { know: () => void; refuse: () => void }[] = []
const writer = new Principal('u', 'user', [{ scope: 'acme/one', right: 'write' }])
const app = new App([...routes, signed], {
  heldBytes: 64 * MIB,
  authenticate: (headers) => {
    if (headers.get('authorization') === 'Bearer reader')
      return new Principal('u', 'user', [{ scope: '*', right: 'read' }])
    if (headers.get('authorization') === 'Bearer writer') return writer
    if (headers.get('authorization') === 'Bearer nobody') return new Principal('', '', [])
    return new Promise<Principal>((resolve, reject) => {
      asked.push({ know: () => resolve(writer), refuse: () => reject(errors.badKey()) })
    })
  },
})
let port = 0
const sockets: Socket[] = []
beforeAll(async () => {
  port = await app.listen(0)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => app.stop(100))

/** Sends `text` and returns what has been answered so far. */
function send(text: string | Buffer): { answer: () => string; socket: Socket } {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(text)
  return { answer: () => answer, socket }
}
const head = (path: string, key: string, bytes: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${bytes}\r\n${more}\r\n`

it.each(['/raw', '/streamed'])('%s takes memory for what comes, not for what is announced', async (path) => {
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 40; i++) send(`${head(path, i % 2 ? 'writer' : 'unknown', 134 * MIB)}x`)
  await expect.poll(() => app.open, { timeout: 20_000 }).toBe(40)
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(20)
  expect(app.budget.held).toBeLessThan(1000)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB)
  for (const { refuse } of asked.splice(0)) refuse()
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => app.open, { timeout: 20_000 }).toBe(0)
  expect(app.budget.held).toBe(0)
})

it.each(['/raw', '/streamed'])('%s reads a body when its key is accepted, and not before', async (path) => {
  const size = 50 * MIB
  const { answer, socket } = send(Buffer.concat([Buffer.from(head(path, 'new', size)), Buffer.alloc(size)]))
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(1)
  let waiting = -1
  // What the kernel takes comes to an end: nobody reads it.
  await expect
    .poll(() => {
      const before = waiting
      waiting = app.budget.held
      return before === waiting
    })
    .toBe(true)
  expect(waiting).toBeLessThanOrEqual(8 * MIB)
  expect(socket.writableLength).toBeGreaterThan(0)
  asked.pop()!.know()
  await expect.poll(answer, { timeout: 10_000 }).toContain(`{"length":${size}}`)
  expect(app.budget.held).toBe(0)
})

it('a body is read when the address that it goes to is checked, and not before', async () => {
  const size = 50 * MIB
  const whole = () =>
    send(
      Buffer.concat([
        Buffer.from(head('/signed', 'nobody', size).replace('POST', 'PUT')),
        Buffer.alloc(size),
      ]),
    )
  const refused = whole()
  await expect.poll(() => checks.length, { timeout: 20_000 }).toBe(1)
  expect(app.budget.held).toBeLessThanOrEqual(8 * MIB)
  checks.pop()!.refuse()
  await expect.poll(refused.answer).toContain('403 ')
  const taken = whole()
  await expect.poll(() => checks.length, { timeout: 20_000 }).toBe(1)
  checks.pop()!.allow()
  await expect.poll(taken.answer, { timeout: 10_000 }).toContain(`{"length":${size}}`)
  expect(app.budget.held).toBe(0)
})

it('an unknown key is refused and what its sender goes on sending is dropped', async () => {
  const size = 20 * MIB
  const { answer } = send(
    Buffer.concat([
      Buffer.from(head('/raw', 'new', size)),
      Buffer.alloc(size),
      Buffer.from(`${head('/raw', 'writer', 2)}ab`),
    ]),
  )
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(1)
  asked.pop()!.refuse()
  await expect.poll(answer).toContain('401 ')
  await expect.poll(answer, { timeout: 10_000 }).toContain('{"length":2}')
  expect(app.budget.held).toBe(0)
})

it.each([
  ['in its path', '/v2/acme/two/x', ''],
  ['in its query', '/query?project_id=acme/two', ''],
  ['in a header', '/header', 'project_id: acme/two\r\n'],
])('a project %s that the key has no right to is refused before the body', async (_, path, more) => {
  const { answer } = send(head(path, 'writer', 1000, more))
  await expect.poll(answer).toContain('403 ')
})

it.each(['/body', '/raw', '/streamed', '/header'])(
  '%s refuses a key that may write nowhere before the body',
  async (path) => {
    const { answer } = send(head(path, 'reader', 1000))
    await expect.poll(answer).toContain('403 ')
  },
)
