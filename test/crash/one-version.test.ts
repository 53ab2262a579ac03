/**
 * Readers see each call once while it is replaced, completed or deleted: an oracle writes to a server while every way to
 * read is asked again and again, and once more after a kill between the steps of a write.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { at, complete, halves, v2 } from '../support/calls.js'
import { freshProject } from '../support/ids.js'
import { signal } from '../support/processes.js'
import { rounds } from '../support/rounds.js'
import { Server } from '../support/server.js'

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.dispose())

const CALLS = 40
/** Begun and ended just before a kill. */
const ENDED = 600
/** Rounds of each way to read. */
const ROUNDS = rounds(3, 6)
/** Of each way to read much. */
const LONG_ROUNDS = rounds(1, 2)

const ways: Record<string, object> = {
  list: {},
  page: { limit: 100 },
  newest: { limit: 100, sort_by: [{ field: 'started_at', direction: 'desc' }] },
  sorted: { sort_by: [{ field: 'op_name', direction: 'asc' }] },
  'sorted page': { limit: 100, sort_by: [{ field: 'op_name', direction: 'asc' }] },
}

/** Replaces calls of `all` until it is told to stop; every second one begins at another time than before. */
async function replace(project: string, all: Record<string, unknown>[], isOver: () => boolean, n: number) {
  for (let round = 0; !isOver(); round++) {
    const call = all[(n * 7 + round * 11) % all.length]!
    const second = round % 2 === 0 ? 0 : ((round * 37) % 400) - 200
    const body = { ...call, started_at: at(second), ended_at: at(second + 1), output: `${n} ${round}` }
    const answer = await server.api.post(v2(project, 'calls/complete'), { batch: [body] })
    // A server that is killed or starting says nothing, or that it is not there.
    if (!isOver()) expect(answer.status).toBe(200)
  }
}

/** Every way to read a project of which these calls, and no others, are there. */
async function eachOnce(project: string, ids: readonly string[]): Promise<void> {
  for (const [way, query] of Object.entries(ways)) {
    const listed = await server.api.calls(project, { columns: ['id'], ...query })
    expect([way, listed.map(({ id }) => String(id)).sort()]).toEqual([way, ids])
  }
  expect(['count', await server.api.count(project)]).toEqual(['count', ids.length])
  expect(['count', await server.api.count(project, { limit: 1000 })]).toEqual(['count', ids.length])
  const stats = await server.api.ok('/calls/stats', {
    ...{ project_id: project, start: at(-1000), end: at(1000), granularity: 86_400 },
    call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
  })
  const sums = (stats.call_buckets as { sum_call_count: number }[]).map((bucket) => bucket.sum_call_count)
  expect(['stats', sums.reduce((sum, one) => sum + one, 0)]).toEqual(['stats', ids.length])
  for (const id of ids.slice(0, 3)) {
    const { call } = await server.api.ok('/call/read', { project_id: project, id })
    expect(call).toMatchObject({ id })
  }
}

it('shows a call once while it is replaced', async () => {
  const project = freshProject()
  const all = Array.from({ length: CALLS }, () => complete(project))
  const ids = all.map(({ id }) => String(id)).sort()
  await server.api.ok(v2(project, 'calls/complete'), { batch: all })
  let over = false
  const writing = Promise.all([0, 1, 2].map((n) => replace(project, all, () => over, n)))
  try {
    for (let round = 0; round < ROUNDS; round++) await eachOnce(project, ids)
  } finally {
    over = true
    await writing
  }
})

it('shows a call once in lists of several statements while it is moved', async () => {
  const project = freshProject()
  // Rows of twelve megabytes: a list of them is read in slices, of which the first has four.
  const all = Array.from({ length: 30 }, (_, n) =>
    complete(project, { started_at: at(10 * n - 150), inputs: { text: 'x'.repeat(400_000) } }),
  )
  const ids = all.map(({ id }) => String(id)).sort()
  for (const call of all) await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
  let over = false
  const writing = Promise.all([0, 1, 2].map((n) => replace(project, all, () => over, n)))
  const down = { sort_by: [{ field: 'started_at', direction: 'desc' }] }
  const long: Record<string, object> = {
    list: { columns: ['id', 'inputs'] },
    'list from the end': { columns: ['id', 'inputs'], ...down },
    'long page': { columns: ['id', 'inputs'], limit: 2000 },
    'long narrow page': { columns: ['id'], limit: 2000, ...down },
  }
  try {
    for (let round = 0; round < LONG_ROUNDS; round++)
      for (const [way, query] of Object.entries(long)) {
        const listed = await server.api.calls(project, query)
        expect([way, listed.map(({ id }) => String(id)).sort()]).toEqual([way, ids])
      }
  } finally {
    over = true
    await writing
  }
})

it('counts a call once while it ends, and none that is deleted', async () => {
  const project = freshProject()
  const begun: string[] = []
  let [begins, deleted, deletes, over] = [0, 0, 0, false]
  const write = async () => {
    while (!over) {
      const { start, end } = halves(complete(project))
      begins++
      await server.api.ok('/call/start', { start })
      begun.push(String(start.id))
      await server.api.ok('/call/end', { end })
      if (begun.length % 5 !== 0) continue
      deletes++
      await server.api.ok('/calls/delete', { project_id: project, call_ids: [String(start.id)] })
      deleted++
    }
  }
  const writing = Promise.all([write(), write()])
  const read = {
    count: () => server.api.count(project),
    list: async () => (await server.api.calls(project, { columns: ['id'] })).length,
    page: async () => (await server.api.calls(project, { columns: ['id'], limit: 1100 })).length,
  }
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const [way, ask] of Object.entries(read)) {
        const least = begun.length - deletes
        const most = deleted
        const found = await ask()
        // Those acknowledged before, and not deleted since, are there; none that did not begin.
        expect([way, found >= least - (deletes - most)]).toEqual([way, true])
        expect([way, found <= begins - most]).toEqual([way, true])
      }
  } finally {
    over = true
    await writing
  }
  const listed = await server.api.calls(project, { columns: ['id'] })
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
  expect(await server.api.count(project)).toBe(listed.length)
  expect(listed.length).toBe(begun.length - deleted)
})

it('shows a call once, when it is ready, after a kill between the steps of a write', async () => {
  const project = freshProject()
  const pairs = freshProject()
  const endedIds: string[] = []
  const all = Array.from({ length: CALLS }, () => complete(project))
  const ids = all.map(({ id }) => String(id)).sort()
  await server.api.ok(v2(project, 'calls/complete'), { batch: all })
  for (let round = 0; round < rounds(1, 2); round++) {
    let over = false
    const writing = [0, 1, 2].map((n) => replace(project, all, () => over, n).catch(() => undefined))
    // A moment that is another one each time, with writes under way.
    await sleep(400 + 37 * round)
    // More than are reconciled at once, and their halves have not gone yet.
    const ended = Array.from({ length: ENDED }, () => complete(pairs))
    for (const mode of ['start', 'end'] as const)
      await server.api.ok('/call/upsert_batch', {
        batch: ended.map((call) => ({ mode, req: { [mode]: halves(call)[mode] } })),
      })
    endedIds.push(...ended.map(({ id }) => String(id)))
    over = true
    for (const pid of [server.pid, ...server.children()]) signal(pid, 'SIGKILL')
    await Promise.all(writing)
    const { dataDir } = server
    server = await Server.start({ dataDir })
    expect(await server.api.count(pairs)).toBe(endedIds.length)
    const listed = await server.api.calls(pairs, { columns: ['id'] })
    expect(listed.map(({ id }) => String(id)).sort()).toEqual(endedIds.toSorted())
    await eachOnce(project, ids)
  }
})
