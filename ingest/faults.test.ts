import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bind, sql } from '../platform/clickhouse/sql.js'
import { Store } from '../platform/clickhouse/store.js'
import { projectIdOf } from '../platform/ids/project.js'
import { uuid7 } from '../platform/ids/uuid7.js'
import { sharedTestEngine, type TestEngine } from '../platform/testing/engine.js'
import { murmur2, murmur3 } from './pipeline/id-hash.js'
import { anEnd, aStart, newProject, TestService } from './testing/service.js'
import { Valve } from './testing/valve.js'

let engine: TestEngine
/** Goes past the valve. */
let direct: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  direct = await engine.migrated('faults')
})
afterAll(() => engine?.stop())

const whole = (project: string) => {
  const half = aStart(project)
  return { ...half, ...anEnd(project, half.id) }
}
const count = async (project: string) => {
  const id = bind.string(projectIdOf(project))
  const row = await direct.row<{ n: number }>(sql`SELECT count() AS n FROM calls WHERE project_id = ${id}`)
  return row?.n
}

describe('a store that', () => {
  let valve: Valve
  let store: Store
  let service: TestService
  beforeEach(async () => {
    const opened = await Valve.open(engine.options.url)
    valve = opened.valve
    store = new Store({ ...engine.optionsOf('faults'), url: opened.url })
    service = await TestService.start(store, { timeoutMs: 300, heldBytes: 100_000 })
  })
  afterEach(async () => {
    valve.release()
    await service.stop()
    await store.close()
    await valve.close()
  })
  const complete = (project: string, ...batch: object[]) =>
    service.post(`/v2/${project}/calls/complete`, { batch })

  it('is away: 503, nothing is acknowledged; back: all is well', async () => {
    const project = newProject()
    const call = whole(project)
    valve.shut()
    const answer = await complete(project, call)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).not.toBeNull()
    expect((await complete(project, call)).status).toBe(503)
    expect(await count(project)).toBe(0)
    valve.release()
    await expect.poll(async () => (await complete(project, call)).status).toBe(200)
    expect(await count(project)).toBe(1)
  })

  it('is away for a moment: the write waits for it', async () => {
    await service.stop()
    service = await TestService.start(store, { timeoutMs: 20_000 })
    const project = newProject()
    expect((await complete(project, whole(project))).status).toBe(200)
    valve.shut()
    // The first may have been under way; it is refused, since nobody knows what became of it.
    await complete(project, whole(project))
    const waiting = service.post('/call/start', { start: aStart(project) })
    valve.release()
    expect([200, 503]).toContain((await waiting).status)
    await expect.poll(async () => (await complete(project, whole(project))).status).toBe(200)
  })

  it('is slow where calls are replaced: another entity does not wait for that', async () => {
    const project = newProject()
    const call = whole(project)
    for (const _ of ['new', 'again']) expect((await complete(project, call)).status).toBe(200)
    valve.holdAnswers(/calls_unsettled/)
    const waiting = complete(project, call)
    const another = '/v2/other/project/calls/complete'
    const batch = [whole('other/project')]
    expect((await service.post(another, { batch }, { 'x-scope': 'other' })).status).toBe(200)
    valve.release()
    expect((await waiting).status).toBe(200)
  })

  it('is slow to store a batch of one entity: a small write of another does not wait for that', async () => {
    await service.stop()
    service = await TestService.start(store, { logged: true })
    const other = (batch: object[]) =>
      service.post('/v2/other/project/calls/complete', { batch }, { 'x-scope': 'other' })
    const project = newProject()
    for (const write of [() => complete(project, whole(project)), () => other([whole('other/project')])])
      expect((await write()).status).toBe(200)
    valve.holdAnswers(/INSERT.{1,3}INTO.{1,3}calls\W/, 1)
    const waiting = complete(project, whole(project))
    await expect.poll(() => valve.holds).toBe(1)
    expect((await other([whole('other/project')])).status).toBe(200)
    expect(valve.holds).toBe(1)
    valve.release()
    expect((await waiting).status).toBe(200)
  })

  it('stores and does not say so: 503, and sent again it is there once', async () => {
    const project = newProject()
    const call = whole(project)
    await complete(project, whole(project))
    valve.swallowAnswers()
    expect((await complete(project, call)).status).toBe(503)
    valve.release()
    await expect.poll(async () => (await complete(project, call)).status).toBe(200)
    expect(await count(project)).toBe(2)
  })

  it('stores a newer version and does not say so: when it is back, the call is there once, unasked', async () => {
    const project = newProject()
    const call = whole(project)
    expect((await complete(project, call)).status).toBe(200)
    valve.swallowAnswers(/INSERT(?:\+|%20)INTO(?:\+|%20)calls(?:\+|%20)/)
    const newer = { ...call, started_at: new Date(Date.now() - 1000).toISOString(), output: 'newer' }
    expect((await complete(project, newer)).status).toBe(503)
    expect(await count(project)).toBe(2)
    valve.release()
    await expect.poll(() => count(project), { timeout: 10_000 }).toBe(1)
    expect(await service.whole(project)).toMatchObject([{ output: '"newer"' }])
  })

  it('is away while a newer version comes: the older one stays', async () => {
    const project = newProject()
    const call = whole(project)
    expect((await complete(project, call)).status).toBe(200)
    valve.shut()
    expect((await complete(project, { ...call, output: 'newer' })).status).toBe(503)
    valve.release()
    await expect.poll(async () => (await complete(project, whole(project))).status).toBe(200)
    // The first look at what is owed is over when the second is.
    valve.swallowAnswers()
    const other = whole(project)
    await complete(project, other)
    valve.release()
    await expect.poll(async () => (await complete(project, other)).status).toBe(200)
    expect((await service.whole(project, call.id)).map(({ output }) => output)).toEqual(['"done"'])
  })

  it('refuses one request: it alone fails, its neighbours in the batch are stored, nobody is told that it is away', async () => {
    await service.stop()
    service = await TestService.start(store, { timeoutMs: 300 })
    await direct.runTrusted(`ALTER TABLE calls ADD CONSTRAINT IF NOT EXISTS edible CHECK op_name != 'poison'`)
    try {
      const project = newProject()
      // While the first is stored, the others gather.
      const first = complete(project, whole(project))
      const calls = Array.from({ length: 12 }, (_, n) => ({
        ...whole(project),
        ...(n % 5 === 2 && { op_name: 'poison' }),
      }))
      const answers = await Promise.all(calls.map((call) => complete(project, call)))
      expect((await first).status).toBe(200)
      calls.forEach(({ op_name }, n) => {
        if (op_name !== 'poison') expect(answers[n]).toMatchObject({ status: 200 })
        else expect(answers[n]).toMatchObject({ status: 500, body: { code: 'STORE_REFUSED' } })
      })
      expect(await count(project)).toBe(1 + 10)
      expect((await complete(project, whole(project))).status).toBe(200)
    } finally {
      await direct.runTrusted('ALTER TABLE calls DROP CONSTRAINT edible')
    }
  })

  it('has no room: 503 for what it has no room for, which is no reason to turn others away; then all is well', async () => {
    const project = newProject()
    await complete(project, whole(project))
    const call = whole(project)
    await direct.runTrusted('ALTER TABLE calls MODIFY SETTING parts_to_throw_insert = 1')
    try {
      const answer = await complete(project, call)
      expect(answer).toMatchObject({ status: 503, body: { code: 'STORE_BUSY' } })
      expect(answer.headers.get('retry-after')).not.toBeNull()
      // A start goes to another table, which has room.
      expect((await service.post('/call/start', { start: aStart(project) })).status).toBe(200)
    } finally {
      await direct.runTrusted('ALTER TABLE calls RESET SETTING parts_to_throw_insert')
    }
    expect((await complete(project, call)).status).toBe(200)
    expect(await count(project)).toBe(2)
  })

  it('stalls: writes are refused before they fill the memory, each project has its share, and none is lost', async () => {
    const [flood, other] = [newProject(), newProject()]
    await complete(flood, whole(flood))
    valve.stall()
    const body = () => ({ batch: [{ ...whole(flood), inputs: { text: 'x'.repeat(9_000) } }] })
    const flooding = Array.from({ length: 20 }, () => service.post(`/v2/${flood}/calls/complete`, body()))
    const early = await Promise.race([Promise.all(flooding), Promise.any(flooding)])
    expect(early).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } })
    const small = complete(other, whole(other))
    // The other one holds something now: the flood is told that it has its share.
    await expect
      .poll(async () => (await service.post(`/v2/${flood}/calls/complete`, body())).body)
      .toMatchObject({ code: 'SHARE_USED' })
    valve.release()
    expect((await small).status).toBe(200)
    const stored = (await Promise.all(flooding)).filter(({ status }) => status === 200).length
    expect(stored).toBeGreaterThan(0)
    expect(await count(flood)).toBe(stored + 1)
    expect((await complete(flood, whole(flood))).status).toBe(200)
  })
})

it('a key that names a project in which it may not write takes nothing of its share', async () => {
  const service = await TestService.start(direct, { heldBytes: 100_000 })
  const project = newProject()
  const headers = { 'x-user': 'stranger', 'x-scope': 'globex', project_id: project, 'content-length': 4000 }
  // Bodies that are announced and don't come, until no more of them are taken.
  const bodies = Array.from({ length: 30 }, () =>
    request(`${service.url}/call/upsert_batch`, { method: 'POST', headers }).on('error', () => undefined),
  )
  try {
    const answers = bodies.map((body) => once(body, 'response') as Promise<[IncomingMessage]>)
    for (const body of bodies) body.write('{')
    const [refused] = await Promise.any(answers)
    expect(refused.statusCode).toBe(503)
    const call = { ...whole(project), inputs: { text: 'x'.repeat(5000) } }
    const answer = await service.post(`/v2/${project}/calls/complete`, { batch: [call] })
    expect(answer).toMatchObject({ status: 200 })
  } finally {
    for (const body of bodies) body.destroy()
    await service.stop()
  }
})

describe('a process that starts', () => {
  const started = (test: (service: TestService) => Promise<void>) => async () => {
    const service = await TestService.start(direct)
    try {
      await test(service)
    } finally {
      await service.stop()
    }
  }
  const complete = (service: TestService, project: string, ...batch: object[]) =>
    service.post(`/v2/${project}/calls/complete`, { batch })

  it('knows what was written before it', async () => {
    const project = newProject()
    const call = whole(project)
    await started(async (service) => void (await complete(service, project, call)))()
    await started(async (service) => {
      expect((await complete(service, project, call)).status).toBe(200)
      expect(await count(project)).toBe(1)
    })()
  })

  it('has, when it is ready, joined halves that were left, dropped those that were joined or replaced before', async () => {
    const project = newProject()
    const [left, joined, twice] = [aStart(project), aStart(project), aStart(project)]
    await started(async (service) => {
      for (const start of [left, joined, twice]) await service.post('/call/start', { start })
      await copyHalf(project, left.id)
      await copyHalf(project, joined.id)
      await direct.run(sql`
        INSERT INTO calls_open SELECT * REPLACE (ver - 1 AS ver) FROM calls_open WHERE id = ${bind.string(twice.id)}`)
    })()
    await started(async (service) => {
      expect(await service.halves(project)).toEqual([`start ${twice.id}`])
      expect(await service.whole(project)).toHaveLength(2)
      // As after a crash between the join and the delete.
      await sameStart(project, joined.id)
    })()
    await started(async (service) => {
      expect(await service.halves(project)).toEqual([`start ${twice.id}`])
      expect(await service.whole(project)).toHaveLength(2)
    })()
  })

  it('has, when it is ready, taken away versions that were replaced', async () => {
    const project = newProject()
    const call = whole(project)
    const late = { ...whole(project), id: 'not a time' }
    await started(async (service) => void (await complete(service, project, call, late)))()
    await copyCall(project)
    expect(await count(project)).toBe(4)
    await started(async () => {
      expect(await count(project)).toBe(2)
    })()
  })

  /** The end of a call whose start is stored, as if it had come just before. */
  const copyHalf = (project: string, id: string) =>
    direct.run(sql`
      INSERT INTO calls_open (project_id, id, kind, ended_at, output, summary, ver)
      SELECT project_id, id, 'end', started_at + 1, '1', '{}', ver - 1 FROM calls_open
      WHERE project_id = ${bind.string(projectIdOf(project))} AND id = ${bind.string(id)}`)
  const sameStart = (project: string, id: string) =>
    direct.run(sql`
      INSERT INTO calls_open (project_id, id, kind, trace_id, started_at, inputs, attributes, ver)
      SELECT project_id, id, 'start', trace_id, started_at, inputs, attributes, ver - 1 FROM calls
      WHERE project_id = ${bind.string(projectIdOf(project))} AND id = ${bind.string(id)}`)
  const copyCall = (project: string) =>
    direct.run(sql`
      INSERT INTO calls SELECT * REPLACE (ver + 1 AS ver, started_at + 5 AS started_at) FROM calls
      WHERE project_id = ${bind.string(projectIdOf(project))}`)
})

describe('two processes on one store', () => {
  it('that were sent the same calls: they are there once, soon', async () => {
    const services = [await TestService.start(direct), await TestService.start(direct)]
    try {
      const project = newProject()
      const batch = Array.from({ length: 5 }, () => whole(project))
      for (const service of services)
        expect((await service.post(`/v2/${project}/calls/complete`, { batch })).status).toBe(200)
      await expect.poll(() => count(project), { timeout: 30_000, interval: 500 }).toBe(5)
    } finally {
      for (const service of services) await service.stop()
    }
  })
})

it('hashes identities as ClickHouse does', async () => {
  const texts = ['', 'a', 'ab', 'abc', 'abcd', `${'0'.repeat(24)}${uuid7()}`, 'é'.repeat(41)]
  for (const text of texts) {
    const bytes = Buffer.from(text)
    const row = await direct.row<{ hash: number; print: number }>(
      sql`SELECT murmurHash3_32(${bind.string(text)}) AS hash, murmurHash2_32(${bind.string(text)}) AS print`,
    )
    expect([murmur3(bytes, bytes.length), murmur2(bytes, bytes.length)]).toEqual([row?.hash, row?.print])
  }
})
