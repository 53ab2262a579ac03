/** Contract §7 as a table: what is asked, and the threads that come. In the real engine. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announce } from '../../domain/calls/unsettled.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { rounds } from '../../test/support/rounds.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { threadsRoutes } from './routes.js'

let service: TestService
const project_id = 'acme/one'
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()

/** A turn that took from second `from` to second `to`; without `to` it is running. */
function turn(thread_id: string, id: string, from: number, to?: number): TestCall {
  const call = { id, thread_id, turn_id: id, started_at: at(from) }
  return to === undefined ? { ...call, half: 'start' } : { ...call, ended_at: at(to) }
}

beforeAll(async () => {
  service = await startService((store) => threadsRoutes({ store, limits }))
  await writeCalls(service.store, project_id, [
    turn('short', 's1', 100, 100.25),
    turn('long', 'l1', 10, 11),
    turn('long', 'l2', 20, 22),
    turn('long', 'l3', 30, 34),
    turn('long', 'l4', 40, 48),
    // Ends last, although it did not start last.
    turn('overlap', 'o1', 1, 90),
    turn('overlap', 'o2', 2, 50),
    turn('overlap', 'o3', 60),
    turn('waiting', 'w1', 70),
    turn('say "hi"\n', 'q1', 3, 4),
    // Calls inside a turn, and those of no thread, are none.
    { id: 'inner', thread_id: 'long', turn_id: 'l1', started_at: at(5), ended_at: at(500) },
    { id: 'alone', turn_id: 'alone', started_at: at(5), ended_at: at(500) },
    { id: 'half', thread_id: 'half', turn_id: 'half', started_at: at(1), ended_at: at(2), half: 'end' },
  ])
  await writeCalls(service.store, 'acme/two', [turn('elsewhere', 'e1', 1, 2)])
})
afterAll(() => service?.stop())

const ask = (body: object = {}, project = project_id) =>
  service.post('/threads/stream_query', { project_id: project, ...body })

interface Thread {
  thread_id: string
  turn_count: number
}

const lines = async (body: object = {}): Promise<Thread[]> => {
  const { status, text } = await ask(body)
  expect(status, text).toBe(200)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
const names = async (body: object) => (await lines(body)).map(({ thread_id }) => thread_id)

describe('threads', () => {
  it('come with the statistics of their turns', async () => {
    const threads = await lines({ filter: { thread_ids: ['long', 'overlap'] } })
    expect(threads).toEqual([
      {
        thread_id: 'overlap',
        turn_count: 3,
        start_time: '2026-01-01T00:00:01Z',
        last_updated: '2026-01-01T00:01:30Z',
        first_turn_id: 'o1',
        last_turn_id: 'o1',
        p50_turn_duration_ms: 68_500,
        p99_turn_duration_ms: expect.closeTo(88_590, 3),
      },
      {
        thread_id: 'long',
        turn_count: 4,
        start_time: '2026-01-01T00:00:10Z',
        last_updated: '2026-01-01T00:00:48Z',
        first_turn_id: 'l1',
        last_turn_id: 'l4',
        p50_turn_duration_ms: 3000,
        p99_turn_duration_ms: expect.closeTo(7880, 3),
      },
    ])
  })

  it(
    'begin and end with the turns that say so, the lesser or greater id of several',
    async () => {
      const id = fc
        .string({ unit: 'binary', minLength: 1, maxLength: 4 })
        .filter((text) => Buffer.from(text).toString() === text && !text.includes('\0'))
      // Before 1970, too: times may be below 0.
      const second = fc.constantFrom(-1_900_000_000, -1_767_225_601, -1, 0, 1, 255, 256, 65_536)
      const turns = fc.uniqueArray(fc.record({ id, from: second, to: second }), {
        selector: (turn) => turn.id,
        minLength: 1,
      })
      let projects = 0
      await fc.assert(
        fc.asyncProperty(turns, async (all) => {
          const project = `acme/ties-${projects++}`
          await writeCalls(service.store, project, [
            ...all.map(({ id, from, to }) => turn('t', id, from, to)),
          ])
          const { text } = await ask({}, project)
          const order = (time: 'from' | 'to') =>
            [...all].sort((a, b) => a[time] - b[time] || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))
          const ended = all.some(({ to }) => at(to) > at(-1_767_225_600))
          if (!ended) return
          expect(JSON.parse(text)).toMatchObject({
            first_turn_id: order('from')[0]!.id,
            last_turn_id: order('to').at(-1)!.id,
          })
        }),
        { numRuns: rounds(8, 25) },
      )
    },
    rounds(60_000),
  )

  it('are those with a finished turn, the latest first', async () => {
    expect(await names({})).toEqual(['short', 'overlap', 'long', 'say "hi"\n'])
  })

  it('of a project without any are an empty answer', async () => {
    const { status, text } = await ask({}, 'acme/empty')
    expect([status, text]).toEqual([200, ''])
  })

  it.each<[string, object | null, string[]]>([
    ['null', null, ['short', 'overlap', 'long', 'say "hi"\n']],
    ['after, which is exclusive', { after_datetime: at(40) }, ['short']],
    ['before, which is exclusive', { before_datetime: at(3) }, ['overlap']],
    ['both, around one turn', { after_datetime: at(19), before_datetime: at(21) }, ['long']],
    ['an offset in the time', { after_datetime: '2026-01-01T01:01:39+01:00' }, ['short']],
    ['some ids', { thread_ids: ['short', 'waiting', 'none'] }, ['short']],
    ['no ids, which is no condition', { thread_ids: [] }, ['short', 'overlap', 'long', 'say "hi"\n']],
    ['the id of what has no thread', { thread_ids: [''] }, []],
  ])('filtered by %s', async (_, filter, expected) => {
    expect(await names({ filter })).toEqual(expected)
  })

  it('filtered by time count only the turns that started then', async () => {
    const [thread] = await lines({ filter: { thread_ids: ['long'], after_datetime: at(10) } })
    expect(thread).toMatchObject({ turn_count: 3, first_turn_id: 'l2', p50_turn_duration_ms: 4000 })
  })

  it.each<[string, 'asc' | 'desc', string]>([
    ['thread_id', 'asc', 'long'],
    ['thread_id', 'desc', 'short'],
    ['turn_count', 'desc', 'long'],
    ['turn_count', 'asc', 'say "hi"\n'],
    ['start_time', 'asc', 'overlap'],
    ['last_updated', 'asc', 'say "hi"\n'],
    ['p50_turn_duration_ms', 'asc', 'short'],
    ['p99_turn_duration_ms', 'desc', 'overlap'],
  ])('sorted by %s %s', async (field, direction, first) => {
    expect((await names({ sort_by: [{ field, direction }] }))[0]).toBe(first)
  })

  it.each<[object, string[]]>([
    [{ limit: 2 }, ['short', 'overlap']],
    [{ limit: 2, offset: 1 }, ['overlap', 'long']],
    [{ offset: 3 }, ['say "hi"\n']],
    [{ limit: null, offset: -1 }, ['short', 'overlap', 'long', 'say "hi"\n']],
    [{ limit: 0 }, []],
    [{ offset: 9 }, []],
  ])('of the page %j', async (page, expected) => {
    expect(await names(page)).toEqual(expected)
  })

  it.each<[string, object, number]>([
    ['a field that there is not', { sort_by: [{ field: 'inputs.x', direction: 'asc' }] }, 400],
    ['a direction that there is not', { sort_by: [{ field: 'thread_id', direction: 'up' }] }, 422],
    ['a time that is none', { filter: { after_datetime: 'soon' } }, 422],
    ['a negative limit', { limit: -1 }, 400],
    ['too many ids', { filter: { thread_ids: Array(1001).fill('x') } }, 400],
    ['a project that is none', { project_id: 'one' }, 422],
  ])('asked for by %s are refused', async (_, body, status) => {
    const answer = await ask(body)
    expect(answer.status).toBe(status)
    expect(answer.json).toHaveProperty(status === 400 ? 'reason' : 'detail')
  })

  it.each([
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/json', 'application/json'],
    ['*/*', 'application/jsonl'],
  ])('under accept %s', async (accept, type) => {
    const { headers } = await service.send('POST', '/threads/stream_query', { project_id }, { accept })
    expect(headers.get('content-type')).toBe(type)
  })

  it('count a turn once that is there twice for a moment', async () => {
    const project = 'acme/twice'
    const row = { projectId: projectIdOf(project), id: 'a' }
    await announce(service.store, [
      { ...row, ver: 2, kind: 'half' },
      { ...row, ver: 3, kind: 'whole' },
    ])
    await writeCalls(service.store, project, [
      turn('t', 'a', 1, 2),
      { ...turn('t', 'a', 1, 4), ver: 3 },
      turn('t', 'a', 1),
      { ...turn('t', 'a', 1), ver: 0 },
    ])
    const { text } = await ask({}, project)
    expect(JSON.parse(text)).toMatchObject({
      turn_count: 1,
      last_turn_id: 'a',
      last_updated: at(4).replace('.000', ''),
    })
  })
})
