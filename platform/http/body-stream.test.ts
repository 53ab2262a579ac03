import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { errors } from '../errors/catalog.js'
import { App } from './app.js'
import { Principal } from './principal.js'
import { serve } from './request.js'
import { route } from './route.js'

const MIB = 1 << 20
let mostHeld = 0
const open = { tag: 'test', summary: '', access: 'public', project: 'none', answer: z.unknown() } as const
const streamed = route({
  ...open,
  id: 'streamed',
  method: 'POST',
  path: '/streamed',
  streamed: true,
  maxBytes: 40 * MIB,
})
const written = route({
  ...open,
  id: 'written',
  method: 'POST',
  path: '/written',
  access: 'write',
  streamed: true,
})
/** Opened when a first piece was read. */
let begun: () => void = () => undefined
const app = new App(
  [
    serve(written, async ({ chunks }) => {
      let size = 0
      for await (const chunk of chunks!) {
        size += chunk.length
        begun()
      }
      return { size }
    }),
    serve(streamed, async ({ chunks, headers }) => {
      let size = 0
      for await (const chunk of chunks!) {
        size += chunk.length
        if (headers.has('x-refuse')) throw errors.badRequest('no more')
        mostHeld = Math.max(mostHeld, app.budget.held)
        await turn()
      }
      return { size }
    }),
  ],
  { heldBytes: 32 * MIB, authenticate: () => new Principal('', '', []) },
)
let url = ''
beforeAll(async () => {
  url = `http://127.0.0.1:${await app.listen(0)}/streamed`
})
afterAll(() => app.stop(100))

const send = (body: Uint8Array, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: Buffer.from(body), headers })

it('a body that is larger than what may be held comes whole, a little at a time', async () => {
  const answer = await send(Buffer.alloc(40 * MIB))
  expect(await answer.json()).toEqual({ size: 40 * MIB })
  expect(mostHeld).toBeLessThan(24 * MIB)
  expect(app.budget.held).toBe(0)
})

it('a compressed one comes as it was, within its limit', async () => {
  const gzip = { 'content-encoding': 'gzip' }
  /** Compresses to a hundredth, as long texts do that repeat each other. */
  const text = (bytes: number) => {
    const page = () => Buffer.concat([randomBytes(200), Buffer.alloc(20_000)])
    return Buffer.concat(Array.from({ length: Math.ceil(bytes / 20_200) }, page), bytes)
  }
  expect(await (await send(gzipSync(text(20 * MIB)), gzip)).json()).toEqual({ size: 20 * MIB })
  expect((await send(gzipSync(text(41 * MIB)), gzip)).status).toBe(413)
  const bomb = await send(gzipSync(Buffer.alloc(20 * MIB)), gzip)
  expect([bomb.status, ((await bomb.json()) as { code: string }).code]).toEqual([413, 'INFLATES_TOO_MUCH'])
  expect((await send(Buffer.from('plain'), gzip)).status).toBe(400)
})

it('one without a byte, one that is too large and one that is refused half-way have their answers', async () => {
  expect(await (await send(new Uint8Array(0))).json()).toEqual({ size: 0 })
  expect((await send(Buffer.alloc(41 * MIB))).status).toBe(413)
  expect((await send(Buffer.alloc(16 * MIB), { 'x-refuse': '1' })).status).toBe(400)
  await expect.poll(() => app.budget.held).toBe(0)
})

it('a write is not paused before its body has come', async () => {
  // What pauses it would go on by a timer.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  try {
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    socket.write('POST /written HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nfirst')
    await isBegun
    socket.write('later')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('{"size":10}')
  } finally {
    socket.destroy()
    vi.useRealTimers()
  }
})
