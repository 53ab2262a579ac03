import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { App } from './app.js'
import { Principal } from './principal.js'
import { serve } from './request.js'
import { route } from './route.js'

const common = { method: 'POST', tag: 'test', summary: '', project: 'none', answer: z.unknown() } as const
/** What was done, by the text that a request carries. */
const stored: string[] = []
let taken = 0
/** Opened when everything was sent. */
let gate = Promise.resolve()
const store = async (text: string) => {
  taken++
  await gate
  // Longer than a turn, as every store is.
  await sleep(20)
  stored.push(text)
  return { stored: text }
}
const routes = [
  serve(
    route({ ...common, id: 'p', path: '/parsed', access: 'write', body: z.object({ text: z.string() }) }),
    ({ body }) => store(body.text),
  ),
  serve(route({ ...common, id: 'r', path: '/raw', access: 'write', raw: true }), ({ bytes }) =>
    store((JSON.parse(Buffer.from(bytes).toString()) as { text: string }).text),
  ),
  serve(
    route({ ...common, id: 's', path: '/streamed', access: 'write', streamed: true }),
    async ({ chunks }) => {
      let text = ''
      for await (const chunk of chunks!) text += Buffer.from(chunk).toString()
      return store((JSON.parse(text) as { text: string }).text)
    },
  ),
  serve(route({ ...common, id: 'd', method: 'DELETE', path: '/deleted', access: 'write' }), () => store('x')),
  serve(route({ ...common, id: 'g', method: 'GET', path: '/get', access: 'public' }), () => ({ got: true })),
]
const app = new App(routes, { heldBytes: 1 << 20, authenticate: () => new Principal('u', 'u', []) })
let port = 0
beforeAll(async () => {
  port = await app.listen(0)
})
afterAll(() => app.stop(100))

/** Sends parts on one connection, each when the one before has gone out, and says what came until it was closed. */
async function talk(parts: readonly string[], until?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  let text = ''
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (until !== undefined && text.includes(until)) resolve()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
  const before = taken
  let open: () => void = () => undefined
  if (parts.length > 1)
    gate = new Promise<void>((resolve) => {
      open = resolve
    })
  for (const [i, part] of parts.entries()) {
    if (i > 0) await expect.poll(() => taken).toBe(before + i)
    await new Promise((resolve) => socket.write(part, resolve))
  }
  open()
  await ended
  socket.destroy()
  return text
}

const text = '{"text":"hello"}'
const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const post = (path: string, headers: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${body}`
const whole = (path: string) => post(path, `content-length: ${text.length}`, text)
const get = 'GET /get HTTP/1.1\r\nhost: x\r\n\r\n'
const statuses = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]))

describe.each(['/parsed', '/raw', '/streamed', '/get', '/nowhere'])('%s', (path) => {
  const method = path === '/get' ? 'GET' : 'POST'
  const send = (headers: string, body: string) => post(path, headers, body).replace('POST', method)

  it.each([
    ['two lengths that differ', 'content-length: 2\r\ncontent-length: 16', text],
    ['two lengths that differ, the longer first', 'content-length: 16\r\ncontent-length: 2', text],
    ['an empty length', 'content-length:', ''],
    ['a length that is no number', 'content-length: +16', text],
    ['a list of lengths', 'content-length: 16, 16', text],
    ['chunks and something else', 'transfer-encoding: chunked, identity', chunked],
    ['something else and chunks', 'transfer-encoding: gzip, chunked', chunked],
    ['chunks twice', 'transfer-encoding: chunked\r\ntransfer-encoding: chunked', chunked],
    ['identity', 'transfer-encoding: identity', text],
    ['a length and chunks', `content-length: ${chunked.length}\r\ntransfer-encoding: chunked`, chunked],
  ])('%s: 400, the connection ends, and nothing is stored', async (_, headers, body) => {
    stored.length = 0
    const answers = await talk([send(headers, body)])
    // One whose body could be another request is refused with or without an answer.
    expect(statuses(answers).filter((status) => status !== 400)).toEqual([])
    expect(stored).toEqual([])
  })

  it('what follows in a body that has two lengths is not run', async () => {
    stored.length = 0
    const answers = await talk([send('content-length: 0\r\ncontent-length: 99', whole('/raw'))])
    expect(statuses(answers).filter((status) => status !== 400)).toEqual([])
    expect(stored).toEqual([])
  })
})

it.each(['/parsed', '/raw', '/streamed'])(
  '%s: one length twice is one length, and chunks are read',
  async (path) => {
    stored.length = 0
    const twice = post(path, `content-length: ${text.length}\r\ncontent-length: ${text.length}`, text)
    const isNode = process.env.HEDDLE_HTTP_SERVER === 'node'
    // The parser of Node.js refuses two lengths, as it may.
    expect(statuses(await talk([twice], '{"stored":"hello"}'))).toEqual([isNode ? 400 : 200])
    expect(statuses(await talk([post(path, 'Transfer-Encoding: Chunked', chunked)], '"hello"}'))).toEqual([
      200,
    ])
    expect(stored).toEqual(isNode ? ['hello'] : ['hello', 'hello'])
  },
)

it.each(['/parsed', '/raw', '/streamed'])(
  '%s: a request behind it waits for its answer, and has one',
  async (path) => {
    stored.length = 0
    const answers = await talk([whole(path), get], '{"got":true}')
    expect(statuses(answers)).toEqual([200, 200])
    expect(answers.indexOf('stored')).toBeLessThan(answers.indexOf('got'))
    expect(stored).toEqual(['hello'])
  },
)

it('a request behind one without a body does, too', async () => {
  stored.length = 0
  const answers = await talk(['DELETE /deleted HTTP/1.1\r\nhost: x\r\n\r\n', get], '{"got":true}')
  expect(statuses(answers)).toEqual([200, 200])
})

it.each(['/parsed', '/raw', '/streamed'])(
  '%s: what comes in one piece with another request is answered or never stored',
  async (path) => {
    stored.length = 0
    const answers = await talk([whole(path) + get], '{"got":true}')
    await expect.poll(() => app.open).toBe(0)
    expect(stored.length).toBe(answers.includes('stored') ? 1 : 0)
    const trailer = post(path, 'transfer-encoding: chunked', chunked.replace(/\r\n$/, 'x: y\r\n\r\n'))
    stored.length = 0
    const others = await talk([trailer], '"hello"}')
    await expect.poll(() => app.open).toBe(0)
    expect(stored.length).toBe(others.includes('stored') ? 1 : 0)
  },
)
