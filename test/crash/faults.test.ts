/**
 * What happens when the store stops, dies or is slow, when clients go away or flood, and at SIGTERM. Processes
 * are ended by their own ids, found below the server that the test started.
 */
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { freshProject, hex } from '../support/ids.js'
import { createKey } from '../support/keys.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { residentBytes, signal } from '../support/processes.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

/** For all: each leaves it as it found it. Readers, beside whom memory is measured, come before those who flood it. */
let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(async () => {
  // A stopped child can't be asked to stop.
  for (const pid of server.ended ? [] : server.children()) signal(pid, 'SIGCONT')
  await server.dispose()
})

const OTLP = { 'content-type': 'application/x-protobuf' }
const write = (api: Api, project: string, call = complete(project)) =>
  api.post(v2(project, 'calls/complete'), { batch: [call] })

/** Makes requests of `count` spans, each with ids of its own: what is sent again is looked up, which takes longer. */
function requestsOf(project: string, count: number): () => Buffer {
  const ids = Array.from({ length: count }, () => ({ traceId: hex(16), spanId: hex(8) }))
  const bytes = Buffer.from(
    exportRequest({
      attributes: inProject(project),
      spans: ids.map((own) => ({ ...own, attributes: { text: hex(300) } })),
    }),
  )
  let end = 0
  const places = ids.flatMap(({ traceId, spanId }) =>
    [traceId, spanId].map((id) => {
      const at = bytes.indexOf(id, end, 'hex')
      end = at + id.length / 2
      return [at, id.length / 2] as const
    }),
  )
  return () => {
    const copy = Buffer.from(bytes)
    for (const [at, length] of places) randomFillSync(copy, at, length)
    return copy
  }
}

function expectTurnedAway(answer: Answer): void {
  expect([429, 503]).toContain(answer.status)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(JSON.parse(answer.text)).toHaveProperty('reason')
}

describe('the store is killed', () => {
  it('nothing is acknowledged that is not stored, and it comes back by itself', async () => {
    const project = freshProject()
    const acknowledged: unknown[] = []
    let refused = 0
    let writing = true
    const writers = Array.from({ length: 4 }, async () => {
      while (writing) {
        const call = complete(project)
        const answer = await write(server.api, project, call)
        if (answer.status === 200) acknowledged.push(call.id)
        else {
          expectTurnedAway(answer)
          refused++
          await sleep(50)
        }
      }
    })
    for (let round = 1; round <= 3; round++) {
      const before = acknowledged.length
      await until('writes to be acknowledged', () => acknowledged.length > before + 20)
      const [engine] = server.children()
      signal(engine!, 'SIGKILL')
      await until('another engine to be there', () => server.children().some((pid) => pid !== engine))
      const then = acknowledged.length
      await until('writes to be acknowledged again', () => acknowledged.length > then + 20)
    }
    writing = false
    await Promise.all(writers)
    const stored = await server.api.calls(project, { columns: ['id'] })
    const ids = new Set(stored.map((call) => call.id))
    expect(acknowledged.filter((id) => !ids.has(id as string))).toEqual([])
    expect(ids.size).toBe(stored.length)
    expect(refused).toBeGreaterThanOrEqual(0)
    expect(server.ended).toBe(false)
  })

  it('readiness and health say so meanwhile', async () => {
    const [engine] = server.children()
    signal(engine!, 'SIGSTOP')
    await until('health to say so', async () => (await server.api.get('/health')).status === 503)
    signal(engine!, 'SIGCONT')
    await until('health to be well', async () => (await server.api.get('/health')).status === 200)
    await server.ready()
  })
})

describe('readers', () => {
  const CALLS = 160
  /** About 16 MB of calls, more than any socket's buffers hold. */
  async function fill(project: string) {
    for (let n = 0; n < CALLS / 20; n++) {
      const batch = Array.from({ length: 20 }, () => complete(project, { inputs: { text: hex(50_000) } }))
      await server.api.ok(v2(project, 'calls/complete'), { batch })
    }
  }

  async function stream(api: Api, project: string) {
    const answer = await request(`${server.url}/calls/stream_query`, {
      method: 'POST',
      headers: { ...api.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: project }),
    })
    expect(answer.statusCode).toBe(200)
    const { body } = answer
    body.on('error', () => {})
    return body
  }

  const open = () => server.metric('heddle_http_requests_open')
  const lines = (text: string) => text.split('\n').length - 1

  it('that stand still or are slow hold neither memory nor others up; that go away are forgotten', async () => {
    const project = freshProject()
    await fill(project)
    expect(await open()).toBe(0)
    const before = residentBytes(server.pid)
    // As many as the embedded engine has seats for reads, of one key.
    const still = await Promise.all(Array.from({ length: 8 }, () => stream(server.api, project)))
    for (const body of still) await once(body, 'readable')
    expect(await open()).toBe(8)
    expect(await server.api.count(project)).toBe(CALLS)
    expect(lines(await (await stream(server.api, project)).text())).toBe(CALLS)

    // And thirty of two others that take a little now and then.
    const [entity] = project.split('/') as [string]
    const keys = [await createKey(server, entity, 'read'), await createKey(server, entity, 'read')]
    const others = keys.map((key) => new Api(server.url, key))
    const slow = await Promise.all(Array.from({ length: 30 }, (_, n) => stream(others[n % 2]!, project)))
    let sipped = 0
    const sips = setInterval(() => {
      for (const body of slow) sipped += Buffer.from(body.read(1_000) ?? '').length
    }, 100)
    try {
      expect(await open()).toBe(38)
      for (const api of [server.api, ...others]) expect(await api.count(project)).toBe(CALLS)
      expect(lines(await (await stream(server.api, project)).text())).toBe(CALLS)
      expect(residentBytes(server.pid) - before).toBeLessThan(300 * 1024 ** 2)
    } finally {
      clearInterval(sips)
    }
    expect(sipped).toBeGreaterThan(0)
    // What waited for one that stood still is all there, after the first piece of it.
    let rest = 0
    for await (const piece of still[0]!) rest += lines(String(piece))
    expect(rest).toBe(CALLS)
    for (const body of [...still, ...slow]) body.destroy()
    await until('the streams to be gone', async () => (await open()) === 0)
    expect(await server.api.count(project)).toBe(CALLS)
  })
})

describe('the store stalls while clients flood', () => {
  it('turns them away early, keeps memory bounded, and recovers', async () => {
    const project = freshProject()
    await write(server.api, project)
    const [engine] = server.children()
    signal(engine!, 'SIGSTOP')
    const bodies = requestsOf(project, 2_000)
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, residentBytes(server.pid))
    }, 100)
    try {
      // Several times what may be held wants in, while nothing can go out.
      const pending = new Set<Promise<Answer | Error>>()
      const turnedAway: Answer[] = []
      for (let n = 0; n < 600; n++) {
        const sent: Promise<Answer | Error> = server.api
          .post('/otel/v1/traces', bodies(), OTLP)
          .catch((error: Error) => error)
        pending.add(sent)
        sent.then((answer) => {
          pending.delete(sent)
          if (!(answer instanceof Error)) turnedAway.push(answer)
        })
        if (pending.size >= 200) await Promise.race([...pending])
      }
      expect(turnedAway.length).toBeGreaterThan(0)
      for (const answer of turnedAway) expectTurnedAway(answer)
      expect(peak).toBeLessThan(1.2 * 1024 ** 3)
      signal(engine!, 'SIGCONT')
      await Promise.all(pending)
    } finally {
      clearInterval(watch)
    }
    await until('a write to be stored', async () => (await write(server.api, project)).status === 200)
    expect(await server.api.count(project)).toBeGreaterThanOrEqual(2)
  })
})

describe('one project floods', () => {
  it('and another’s writes all succeed', async () => {
    const [loud, quiet] = [freshProject('loud'), freshProject('quiet')]
    const flooder = new Api(server.url, await createKey(server, 'loud', 'write'))
    const neighbour = new Api(server.url, await createKey(server, 'quiet', 'write'))
    const bodies = requestsOf(loud, 500)
    let flooding = true
    let sent = 0
    const flood = Array.from({ length: 64 }, async () => {
      while (flooding) {
        const answer = await flooder.post('/otel/v1/traces', bodies(), OTLP).catch(() => undefined)
        // A request that never came to an answer is no flood.
        if (answer !== undefined) sent++
      }
    })
    // The first answers say that as much is under way as may be.
    await until('the flood to run', () => sent > 16)
    // A few at a time: each waits for its turn beside the flood.
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const statuses: number[] = []
        for (let n = 0; n < 10; n++) statuses.push((await write(neighbour, quiet)).status)
        return statuses
      }),
    )
    flooding = false
    await Promise.all(flood)
    expect(answers.flat()).toEqual(Array(40).fill(200))
    expect(await neighbour.count(quiet)).toBe(40)
  })
})

describe('SIGTERM', () => {
  it('under load: finishes what it took, refuses what comes, and ends with 0; what it acknowledged is there', async () => {
    const project = freshProject()
    const acknowledged: unknown[] = []
    let writing = true
    const writers = Array.from({ length: 8 }, async () => {
      while (writing) {
        const call = complete(project)
        const answer = await write(server.api, project, call).catch(() => undefined)
        if (answer?.status === 200) acknowledged.push(call.id)
        else if (answer !== undefined) expectTurnedAway(answer)
        else if (server.ended) return
      }
    })
    await until('writes to be acknowledged', () => acknowledged.length > 50)
    expect(await server.stop()).toBe(0)
    writing = false
    await Promise.all(writers)
    const { dataDir } = server
    server = await Server.start({ dataDir })
    const ids = new Set((await server.api.calls(project, { columns: ['id'] })).map((call) => call.id))
    expect(acknowledged.filter((id) => !ids.has(id as string))).toEqual([])
  })

  it('on an idle server: ends with 0', async () => {
    expect(await server.stop()).toBe(0)
  })
})
