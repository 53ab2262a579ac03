import { Queue } from 'bullmq'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { chatQueueName, QUEUE_PREFIX } from '../../../platform/redis/names.js'
import { TestRedis } from '../../../platform/testing/redis.js'
import { FairQueue, type Refusal, type Submitter, UNSCHEDULED, type WaitingLimits } from './fair-queue.js'

const redis = await TestRedis.start()
/** As two processes have them. */
const connections = [new Redis(redis.url), new Redis(redis.url)]
const [first, second] = connections as [Redis, Redis]
const MODEL = 'm'
const queue = new Queue(chatQueueName(MODEL), { connection: first, prefix: QUEUE_PREFIX })
const ROOM: WaitingLimits = { most: 1000, perEntity: 1000, perKey: 1000 }

beforeEach(() => first.flushall())
afterAll(async () => {
  await queue.close()
  for (const one of connections) one.disconnect()
  await redis.stop()
})

const submitter = (entity: string, more: Partial<Submitter> = {}): Submitter => ({
  ...{ entity, key: `key of ${entity}`, priority: 0, ranked: false },
  ...more,
})

/** Queues a job of that name, as a dispatcher does. */
async function add(id: string, whose: Submitter, limits = ROOM, at = first): Promise<Refusal | undefined> {
  const jobId = `job-${id}`
  await queue.add('chat', {}, { jobId, priority: UNSCHEDULED })
  const refused = await new FairQueue(at, limits).schedule(MODEL, jobId, whose, 60_000, false)
  if (refused) await queue.remove(jobId)
  return refused
}

/** Takes the next job, as a worker does. */
async function take(): Promise<string | undefined> {
  const [id] = await first.zpopmin(`${QUEUE_PREFIX}:${chatQueueName(MODEL)}:prioritized`)
  return id?.replace('job-', '')
}

async function takeAll(): Promise<string[]> {
  const taken: string[] = []
  for (let id = await take(); id !== undefined; id = await take()) taken.push(id)
  return taken
}

describe('the order of jobs', () => {
  it('go round the entities, however much each has waiting', async () => {
    for (let i = 0; i < 4; i++) await add(`a${i}`, submitter('a'))
    for (let i = 0; i < 2; i++) await add(`b${i}`, submitter('b'))
    await add('c0', submitter('c'))
    expect(await takeAll()).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3'])
  })

  it('leave nobody out for a key that always has something of the utmost priority', async () => {
    const greedy = submitter('greedy', { priority: -1_000_000 })
    for (let i = 0; i < 50; i++) await add(`greedy${i}`, greedy)
    for (let i = 0; i < 3; i++) await add(`other${i}`, submitter('other'))
    const taken: string[] = []
    for (let i = 50; i < 58; i++) {
      taken.push((await take())!)
      await add(`greedy${i}`, greedy, ROOM, second)
    }
    expect(taken.filter((id) => id.startsWith('other'))).toEqual(['other0', 'other1', 'other2'])
    expect(taken.slice(0, 6).filter((id) => id.startsWith('greedy'))).toHaveLength(3)
  })

  it('let two entities that take turns pass a third once each', async () => {
    for (const id of ['a0', 'a1', 'b0', 'c0']) await add(id, submitter(id[0]!))
    const taken: string[] = []
    for (let i = 1; i < 5; i++) {
      taken.push((await take())!)
      if (taken.at(-1)![0] !== 'a') await add(`${taken.at(-1)![0]}${i}`, submitter(taken.at(-1)![0]!))
    }
    expect(taken).toEqual(['a0', 'b0', 'c0', 'a1'])
  })

  it('of who comes later begin with the round that is served', async () => {
    for (let i = 0; i < 9; i++) await add(`a${i}`, submitter('a'))
    for (let i = 0; i < 5; i++) await take()
    await add('b0', submitter('b'))
    await add('b1', submitter('b'))
    expect(await takeAll()).toEqual(['a5', 'b0', 'a6', 'b1', 'a7', 'a8'])
  })
})

describe('priorities', () => {
  it('order what the entity has waiting, lower first, and of equals who came first', async () => {
    for (const [i, priority] of [5, 0, -3, 0, 2 ** 31 - 1, -(2 ** 31)].entries())
      await add(`a${i}`, submitter('a', { priority }))
    await add('b0', submitter('b', { priority: 9 }))
    await add('b1', submitter('b'))
    expect(await takeAll()).toEqual(['a5', 'b1', 'a2', 'b0', 'a1', 'a3', 'a0', 'a4'])
  })

  it('that are ranked hold against everybody', async () => {
    await add('last', submitter('ops', { priority: 3, ranked: true }))
    await add('a', submitter('a', { priority: -9 }))
    await add('second', submitter('ops', { priority: -1, ranked: true }))
    await add('first', submitter('ops', { priority: -2, ranked: true }))
    await add('b', submitter('b'))
    expect(await takeAll()).toEqual(['first', 'second', 'a', 'b', 'last'])
  })
})

describe('bounds', () => {
  it('of a key that sends 1,150 leave room for other keys and entities, over all processes', async () => {
    const limits = { most: 400, perEntity: 200, perKey: 100 }
    let got = 0
    for (let i = 0; i < 1150; i++)
      if (!(await add(`a${i}`, submitter('a'), limits, connections[i % 2]!))) got++
    expect(got).toBe(100)
    expect(await add('late', submitter('a'), limits, second)).toEqual({ limit: 'key', waiting: 100 })
    expect(await add('colleague', submitter('a', { key: 'another' }), limits, second)).toBeUndefined()
    expect(await add('b', submitter('b'), limits, first)).toBeUndefined()
    await take()
    expect(await add('again', submitter('a'), limits, second)).toBeUndefined()
    expect(await queue.getJob('job-late')).toBeUndefined()
  })

  it('of an entity hold over its keys', async () => {
    const limits = { most: 100, perEntity: 5, perKey: 3 }
    const refused: unknown[] = []
    for (let i = 0; i < 8; i++) refused.push(await add(`a${i}`, submitter('a', { key: `k${i % 2}` }), limits))
    expect(refused.filter((one) => one === undefined)).toHaveLength(5)
    expect(refused.at(-1)).toEqual({ limit: 'entity', waiting: 5 })
  })

  it('of a model hold for those who have their share of it, and nobody else', async () => {
    const limits = { most: 10, perEntity: 9, perKey: 9 }
    for (let i = 0; i < 9; i++) await add(`a${i}`, submitter('a'), limits)
    await add('b0', submitter('b'), limits)
    expect(await add('a9', submitter('a', { key: 'other' }), limits)).toMatchObject({ limit: 'entity' })
    for (let i = 0; i < 4; i++) expect(await add(`c${i}`, submitter('c'), limits)).toBeUndefined()
    expect(await add('c4', submitter('c'), limits)).toMatchObject({ limit: 'model' })
    expect(await add('d', submitter('d'), limits)).toBeUndefined()
  })

  it('count who left no more', async () => {
    const limits = { most: 100, perEntity: 2, perKey: 2 }
    for (const id of ['a0', 'a1']) await add(id, submitter('a'), limits)
    await new FairQueue(second, limits).withdraw(MODEL, 'job-a1', submitter('a'))
    expect(await add('a2', submitter('a'), limits)).toBeUndefined()
    expect(await add('a3', submitter('a'), limits)).toMatchObject({ limit: 'key' })
  })
})

it('each that waits is served before another is served twice more, whatever comes and goes', async () => {
  const step = fc.oneof(
    fc.record({ who: fc.constantFrom('a', 'b', 'c'), priority: fc.integer({ min: -2, max: 2 }) }),
    fc.constant('take' as const),
    fc.record({ leave: fc.nat(9) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      await first.flushall()
      /** what waits, by entity, in the order in which it came */
      const waiting = new Map<string, { id: string; priority: number }[]>()
      /** how often each other entity was served while this one waited */
      const passed = new Map<string, Map<string, number>>()
      for (const [i, what] of steps.entries()) {
        if (typeof what === 'object' && 'leave' in what) {
          const [who, line = []] = [...waiting].find(([, one]) => one.length > 1) ?? []
          const [gone] = line.splice(what.leave % line.length, 1)
          if (!gone) continue
          await new FairQueue(second, ROOM).withdraw(MODEL, `job-${gone.id}`, submitter(who!))
        } else if (what === 'take') {
          const id = await take()
          if (id === undefined) {
            expect(waiting.size).toBe(0)
            continue
          }
          const who = id[0]!
          const line = waiting.get(who)!
          const best = Math.min(...line.map(({ priority }) => priority))
          expect(id).toBe(line.find(({ priority }) => priority === best)!.id)
          line.splice(
            line.findIndex((one) => one.id === id),
            1,
          )
          if (line.length === 0) waiting.delete(who)
          passed.delete(who)
          for (const other of waiting.keys()) {
            if (other === who) continue
            const counts = passed.get(other) ?? new Map<string, number>()
            counts.set(who, (counts.get(who) ?? 0) + 1)
            passed.set(other, counts)
            expect(counts.get(who)).toBeLessThanOrEqual(2)
          }
        } else {
          const id = `${what.who}${i}`
          await add(id, submitter(what.who, { priority: what.priority }), ROOM, connections[i % 2]!)
          waiting.set(what.who, [...(waiting.get(what.who) ?? []), { id, priority: what.priority }])
        }
      }
    }),
    { numRuns: 100 },
  )
})
