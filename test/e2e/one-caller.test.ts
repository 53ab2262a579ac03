/** One caller does not stop the others: a tenant floods, and another one reads as ever. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Api } from '../support/api.js'
import { freshProject, hex } from '../support/ids.js'
import { createKey } from '../support/keys.js'
import { Server } from '../support/server.js'

let server: Server
let hostile: Api
let other: Api
beforeAll(async () => {
  server = await Server.start()
  hostile = server.api.as(await createKey(server, 'globex', 'write'))
  other = server.api.as(await createKey(server, 'acme', 'write'))
})
afterAll(() => server?.dispose())

/** As large as an expression may be: seconds of planning, however little there is to read. */
const filter = (root: string) => ({
  $expr: {
    $or: Array.from({ length: 64 }, (_, i) => ({
      $gt: [{ $getField: `${root}.a${i}.0.1.2` }, { $literal: i }],
    })),
  },
})

it('16 connections of one filter on an empty project fail no page of another tenant', async () => {
  const project_id = freshProject('acme')
  const id = hex(16)
  const start = { project_id, id, trace_id: id, op_name: 'op', started_at: '2026-01-01T00:00:00Z' }
  const more = { attributes: {}, inputs: {} }
  expect((await other.post('/call/start', { start: { ...start, ...more } })).status).toBe(200)

  let done = false
  const answered = new Map<number, number>()
  const empty = { project_id: 'globex/empty' }
  const asked = [
    ['/feedback/query', { ...empty, query: filter('payload') }],
    ['/calls/query_stats', { ...empty, query: filter('inputs') }],
  ] as const
  const flood = Array.from({ length: 16 }, async (_, i) => {
    const [path, body] = asked[i % asked.length]!
    while (!done) {
      const { status } = await hostile.post(path, body)
      answered.set(status, (answered.get(status) ?? 0) + 1)
    }
  })
  await expect.poll(() => answered.size, { timeout: 60_000 }).toBeGreaterThan(0)
  const pages = [
    ['/calls/stream_query', { project_id, limit: 100 }],
    ['/calls/query_stats', { project_id }],
    ['/feedback/query', { project_id }],
    ['/objs/query', { project_id }],
    ['/call/read', { project_id, id }],
  ] as const
  const statuses: [string, number, string][] = []
  for (let round = 0; round < 4; round++)
    for (const [path, body] of pages) {
      const { status, text } = await other.post(path, body)
      statuses.push([path, status, status === 200 ? '' : text])
    }
  done = true
  await Promise.all(flood)
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  // The flood was one: its filter is accepted.
  expect([...answered.keys()]).toContain(200)
}, 240_000)
