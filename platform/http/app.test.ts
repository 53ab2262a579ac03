import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errors } from '../errors/catalog.js'
import { App, type Finished } from './app.js'
import { Principal } from './principal.js'
import { Reply, serve } from './request.js'
import { route } from './route.js'

const project = z.object({ project_id: z.string() })
const open = { tag: 'test', summary: '', access: 'public', project: 'none', answer: z.unknown() } as const
/** Headers of a single answer. */
const TRANSIENT = ['date', 'transfer-encoding', 'x-request-id']
/** MiB: more than any socket's buffers hold. */
const LARGE = 32
const finished: Finished[] = []
let streamEnded: () => void
const streamEnd = new Promise<void>((resolve) => {
  streamEnded = resolve
})

const routes = [
  serve(
    route({
      ...open,
      id: 'echo',
      method: 'POST',
      path: '/echo',
      aliases: ['/repeat'],
      access: 'read',
      project: 'body',
      body: project,
    }),
    ({ body }) => body,
  ),
  serve(
    route({
      ...open,
      id: 'raw',
      method: 'POST',
      path: '/raw/{name}',
      raw: true,
      maxBytes: 1000,
      params: z.object({ name: z.string() }),
    }),
    ({ bytes, params, headers }) => ({
      project: headers.get('project_id'),
      length: bytes.length,
      name: params.name,
      own: bytes.byteLength === bytes.buffer.byteLength,
    }),
  ),
  serve(route({ ...open, id: 'boom', method: 'GET', path: '/boom' }), () => {
    throw new Error('a secret detail')
  }),
  serve(route({ ...open, id: 'cut', method: 'GET', path: '/cut' }), () => {
    async function* chunks() {
      yield new TextEncoder().encode('{"a":1}\n')
      throw errors.tooSlow()
    }
    return new Reply(200, 'application/jsonl', chunks())
  }),
  serve(route({ ...open, id: 'late', method: 'GET', path: '/late' }), () => {
    const chunks = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(errors.tooSlow()),
    })
    return new Reply(200, 'application/jsonl', chunks)
  }),
  serve(route({ ...open, id: 'large', method: 'GET', path: '/large' }), () => {
    async function* chunks() {
      for (let n = 0; n < LARGE; n++) yield new Uint8Array(1 << 20)
    }
    return new Reply(200, 'application/octet-stream', chunks())
  }),
  serve(route({ ...open, id: 'endless', method: 'GET', path: '/endless' }), () => {
    async function* chunks() {
      try {
        for (;;) yield new Uint8Array(65536)
      } finally {
        streamEnded()
      }
    }
    return new Reply(200, 'application/octet-stream', chunks())
  }),
]

const app = new App(routes, {
  heldBytes: 4000,
  authenticate: (headers, spec) => {
    if (spec.access === 'public') return new Principal('', '', [])
    if (!headers.has('authorization')) throw errors.noKey()
    if (headers.get('authorization') === 'Bearer unknown')
      return sleep(1).then(() => Promise.reject(errors.badKey()))
    return new Principal('u', 'user', [{ scope: 'acme/one', right: 'read' }])
  },
  finished: (exchange) => void finished.push(exchange),
})
let base = ''

beforeAll(async () => {
  base = `http://127.0.0.1:${await app.listen(0)}`
})
afterAll(() => app.stop(100))

const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(base + path, { method: 'POST', body: body as string, headers })
const key = { authorization: 'Bearer k' }

describe('what a request must be', () => {
  it.each([
    ['no key', '{"project_id":"acme/one"}', {}, 401],
    ['a project of others', '{"project_id":"acme/two"}', key, 403],
    ['no JSON', '{"project_id":', key, 400],
    ['nested too deeply', `{"project_id":${'['.repeat(200)}${']'.repeat(200)}}`, key, 400],
    ['another type', '{"project_id":1}', key, 422],
    ['nothing', '', key, 422],
    ['as it should be', '{"project_id":"acme/one"}', key, 200],
  ])('%s', async (_, body, headers, status) => {
    expect((await post('/echo', body, headers)).status).toBe(status)
  })

  it('refused before its unknown key was looked up, which harms nobody else', async () => {
    const caught: unknown[] = []
    const note = (error: unknown) => void caught.push(error)
    process.on('unhandledRejection', note)
    const unknown = { authorization: 'Bearer unknown' }
    expect((await post('/echo', '{}', unknown)).status).toBe(401)
    expect((await post('/echo', '{}', { ...unknown, 'content-encoding': 'br' })).status).toBe(415)
    expect((await post('/echo', new Uint8Array(5 << 20), unknown)).status).toBe(413)
    await sleep(50)
    process.off('unhandledRejection', note)
    expect(caught).toEqual([])
  })
  it('names the place of a violation', async () => {
    const answer = await post('/echo', '{}', key)
    expect(await answer.json()).toEqual({
      detail: [{ loc: ['body', 'project_id'], msg: 'Field required', type: 'missing' }],
    })
  })
})

describe('bodies', () => {
  it('come whole, in a buffer of their own, with decoded path parameters', async () => {
    const answer = await post('/raw/a%20b', new Uint8Array(999))
    expect(await answer.json()).toEqual({ length: 999, name: 'a b', own: true })
  })
  it('come with headers of any name that HTTP allows', async () => {
    const answer = await post('/raw/x', '', { Project_ID: 'acme/one', 'x.y~z': '1' })
    expect(await answer.json()).toMatchObject({ project: 'acme/one' })
  })
  it('come with headers of 30 kB', async () => {
    const headers = { project_id: 'x'.repeat(30_000) }
    const answer = await fetch(`${base}/raw/a`, { method: 'POST', body: 'x', headers })
    expect(await answer.json()).toMatchObject({ project: headers.project_id })
  })

  it('over the limit are refused, declared or not', async () => {
    expect((await post('/raw/x', new Uint8Array(1001))).status).toBe(413)
    const stream = new Blob([new Uint8Array(900), new Uint8Array(900)]).stream()
    const chunked = await fetch(`${base}/raw/x`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
  })
  it('that are compressed come as they were, within the same limit', async () => {
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['Deflate', deflateRawSync],
    ] as const) {
      const headers = { 'content-encoding': encoding }
      const answer = await post('/raw/x', compress(Buffer.alloc(999)), headers)
      expect(await answer.json()).toMatchObject({ length: 999, own: true })
      expect((await post('/raw/x', compress(Buffer.alloc(1001)), headers)).status).toBe(413)
      expect((await post('/raw/x', 'plain', headers)).status).toBe(400)
    }
    expect((await post('/raw/x', 'x', { 'content-encoding': 'br' })).status).toBe(415)
    await expect.poll(() => app.budget.held).toBe(0)
  })

  it('give their bytes back', async () => {
    for (let i = 0; i < 10; i++) await post('/raw/x', new Uint8Array(900))
    expect(app.budget.held).toBe(0)
  })
  it('of a caller that goes away in the middle give their bytes back', async () => {
    const before = finished.length
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.write(`POST /raw/x HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\n${'x'.repeat(500)}`)
    await expect.poll(() => app.budget.held).toBe(900)
    socket.destroy()
    await expect.poll(() => finished.length).toBe(before + 1)
    expect(app.budget.held).toBe(0)
    expect(finished.at(-1)!.status).toBe(499)
  })
})

describe('answers', () => {
  it('hide what broke inside', async () => {
    const answer = await fetch(`${base}/boom`)
    expect(answer.status).toBe(500)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await answer.text()).not.toContain('secret')
  })
  it('that fail before the first byte have the status of the failure', async () => {
    expect((await fetch(`${base}/late`)).status).toBe(504)
  })
  it('that fail in the middle are cut, never quietly ended', async () => {
    await expect(fetch(`${base}/cut`).then((answer) => answer.text())).rejects.toThrow()
    await expect.poll(() => finished.at(-1)).toMatchObject({ spec: { id: 'cut' }, status: 504 })
  })
  it('that nobody reads any more end what makes them', async () => {
    const controller = new AbortController()
    const answer = await fetch(`${base}/endless`, { signal: controller.signal })
    await answer.body!.getReader().read()
    controller.abort()
    await streamEnd
  })
  it('to no route at all are 404 with a reason', async () => {
    const answer = await fetch(`${base}/nowhere`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 'NO_ROUTE' })
  })
  it('under another path of a route are the same, rights too', async () => {
    const answers = [key, {}].map((headers) => post('/repeat', '{"project_id":"acme/one"}', headers))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 401])
    expect((await fetch(`${base}/repeat`, { headers: key })).headers.get('allow')).toBe('POST')
  })

  it('to another method than a path takes are 405 and say which it takes', async () => {
    const answer = await fetch(`${base}/echo`, { method: 'PUT', body: 'x' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await answer.json()).toMatchObject({ code: 'NO_METHOD' })
    expect((await fetch(`${base}/raw/x`, { method: 'HEAD' })).status).toBe(405)
  })

  it.each(['/boom', '/late', '/large', '/nowhere', '/echo'])(
    'by HEAD are answered as by GET, without the body: %s',
    async (path) => {
      const controller = new AbortController()
      const got = await fetch(base + path, { signal: controller.signal })
      const headers = [...got.headers].filter(([name]) => !TRANSIENT.includes(name))
      controller.abort()
      // The second tells whether anything followed the first.
      for (let times = 0; times < 2; times++) {
        const answer = await fetch(base + path, { method: 'HEAD' })
        expect(answer.status).toBe(got.status)
        const there = [...answer.headers].filter(([name]) => !TRANSIENT.includes(name))
        // An error that names the method is a letter longer.
        expect(Object.keys(Object.fromEntries(there))).toEqual(Object.keys(Object.fromEntries(headers)))
        expect(await answer.text()).toBe('')
      }
    },
  )

  it('refuse a taken port', async () => {
    const other = new App([], { heldBytes: 0, authenticate: () => new Principal('', '', []) })
    await expect(other.listen(Number(new URL(base).port))).rejects.toThrow('taken')
  })
})
