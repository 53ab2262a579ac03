/** That a caller may wait for its answer longer than the HTTP library waits for anything: ten seconds. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { App } from './app.js'
import { Principal } from './principal.js'
import { type Handler, serve } from './request.js'
import type { RouteSpec } from './route.js'

const LONGER_MS = 13_000
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
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
  await later(LONGER_MS)
  return {}
}
const routes = Object.entries(KINDS).map(([id, kind]) => {
  const about = { tag: 't', summary: '', project: 'none', answer: z.unknown() } as const
  return serve({ ...about, ...kind, id, path: `/${id}` } as RouteSpec, answerLate)
})

/** Keys that are known at once, and keys that are looked up first. */
const apps = [() => principal, () => later(50).then(() => principal)].map(
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

it('is answered, whatever its route, its body, and how its key is known', async () => {
  const asked = Object.keys(KINDS).flatMap((id) => [0, 3_000_000].map((bytes) => [id, bytes] as const))
  const all = ports.flatMap((port, n) =>
    asked.map(([id, bytes]) => ({ what: `${n} ${id} ${bytes}`, port, id, bytes })),
  )
  const statuses = await Promise.all(all.map(({ port, id, bytes }) => statusOf(port, id, bytes)))
  expect(all.map(({ what }, n) => [what, statuses[n]])).toEqual(all.map(({ what }) => [what, 200]))
})
