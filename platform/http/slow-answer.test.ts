/** That a caller may wait for its answer, or with it, longer than the HTTP library waits for anything: ten seconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { App } from './app.js'
import { Principal } from './principal.js'
import { type Handler, Reply, serve } from './request.js'
import type { RouteSpec } from './route.js'

const LONGER_MS = 13_000
/** Longer than the HTTP library lets a connection be idle, its clock's coarseness included. */
const PAUSE_MS = 18_000
/** MiB: more than any socket's buffers hold. */
const LARGE = 32
const principal = new Principal('u', 'u', [{ scope: '*', right: 'admin' }], 'k')

const KINDS: Record<string, Partial<RouteSpec>> = {
  get: { method: 'GET', access: 'read' },
  reading: { method: 'POST', access: 'read', body: z.object({}) },
  writing: { method: 'POST', access: 'write', body: z.object({}) },
  raw: { method: 'POST', access: 'write', raw: true },
  streamed: { method: 'POST', access: 'write', streamed: true },
}
const answerLate: Handler = async ({ chunks }) => {
  if (chunks) for await (const _ of chunks);
  await sleep(LONGER_MS)
  return {}
}
async function* gap() {
  yield new TextEncoder().encode('one\n')
  await sleep(PAUSE_MS)
  yield new TextEncoder().encode('two\n')
}
async function* large() {
  for (let n = 0; n < LARGE; n++) yield new Uint8Array(1 << 20)
}
async function* one() {
  yield new Uint8Array(LARGE << 20)
}
const route = (id: string, kind: Partial<RouteSpec>, handler: Handler) => {
  const about = { tag: 't', summary: '', project: 'none', answer: z.unknown() } as const
  return serve({ ...about, ...kind, id, path: `/${id}` } as RouteSpec, handler)
}
const streaming = (chunks: () => AsyncIterable<Uint8Array>) => () =>
  new Reply(200, 'application/octet-stream', chunks())
const routes = [
  ...Object.entries(KINDS).map(([id, kind]) => route(id, kind, answerLate)),
  route('gap', KINDS.get!, streaming(gap)),
  route('large', KINDS.get!, streaming(large)),
  route('one', KINDS.get!, streaming(one)),
  route('whole', KINDS.get!, () => new Reply(200, 'application/octet-stream', 'x'.repeat(LARGE << 20))),
]

/** Keys that are known at once, and keys that are looked up first. */
const apps = [() => principal, () => sleep(50).then(() => principal)].map(
  (authenticate) => new App(routes, { heldBytes: 2 ** 28, authenticate }),
)
let ports: number[]
beforeAll(async () => {
  ports = await Promise.all(apps.map((app) => app.listen(0)))
})
afterAll(() => Promise.all(apps.map((app) => app.stop(100))))

async function statusOf(port: number, id: string, bytes: number): Promise<unknown> {
  const { method = 'GET' } = KINDS[id]!
  const body = method === 'GET' ? undefined : JSON.stringify({ text: 'x'.repeat(bytes) })
  const answer = await fetch(`http://127.0.0.1:${port}/${id}`, { method, ...(body && { body }) }).catch(
    String,
  )
  return typeof answer === 'string' ? answer : answer.status
}

describe.concurrent('a caller who waits for long', () => {
  it('is answered, whatever its route, its body, and how its key is known', async () => {
    const asked = Object.keys(KINDS).flatMap((id) => [0, 3_000_000].map((bytes) => [id, bytes] as const))
    const all = ports.flatMap((port, n) =>
      asked.map(([id, bytes]) => ({ what: `${n} ${id} ${bytes}`, port, id, bytes })),
    )
    const statuses = await Promise.all(all.map(({ port, id, bytes }) => statusOf(port, id, bytes)))
    expect(all.map(({ what }, n) => [what, statuses[n]])).toEqual(all.map(({ what }) => [what, 200]))
  })

  it('has the rest of a stream that had nothing to say', async () => {
    expect(await (await fetch(`http://127.0.0.1:${ports[0]}/gap`)).text()).toBe('one\ntwo\n')
  })

  it.each(['large', 'one', 'whole'])(
    'has the rest of an answer of which it took nothing: %s',
    async (path) => {
      const { body } = await fetch(`http://127.0.0.1:${ports[0]}/${path}`)
      const reader = body!.getReader()
      let bytes = (await reader.read()).value!.length
      await sleep(PAUSE_MS)
      for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length
      expect(bytes).toBe(LARGE << 20)
    },
  )
})
