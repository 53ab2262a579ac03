/** Threads and end users with what their calls add up to, in the real engine. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallReader } from '../../domain/calls/read/reader.js'
import { USER_KEYS } from '../../domain/erasure/erase.js'
import { scoreRow } from '../../domain/feedback/scores.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { rounds } from '../../test/support/rounds.js'
import { endUsersRoutes } from '../end-users/routes.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { threadsRoutes } from '../threads/routes.js'
import { countStatement, type Grouping, orderBy, pageStatement } from './statement.js'
import { GroupLists, keysOfGroups, latestGroups } from './totals.js'

let service: TestService
const project_id = 'acme/one'
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
const used = (tokens: number) => ({
  summary: JSON.stringify({ usage: { own: { prompt_tokens: tokens, completion_tokens: 1, requests: 1 } } }),
})

const call = (id: string, second: number, more: Partial<TestCall> = {}): TestCall => ({
  ...{ id, started_at: at(second), ended_at: at(second + 1), inputs: '{}' },
  ...more,
})
const turn = (thread_id: string, id: string, second: number, more: Partial<TestCall> = {}) =>
  call(id, second, { thread_id, turn_id: id, ...more })
const whose = (user: unknown) => ({ attributes: JSON.stringify({ user_id: user }) })

beforeAll(async () => {
  service = await startService((store) => [
    ...threadsRoutes({ store, limits }),
    ...endUsersRoutes({ store, limits }),
  ])
  await service.store.insertRows('costs', [
    { project_id: '', id: 'price', llm_id: 'own', prompt: 0.5, completion: 0, created_by: 'us', ver: 1 },
  ])
  await writeCalls(service.store, project_id, [
    turn('refund', 'r1', 10, { inputs: '{"question":"Where is my refund?"}', ...whose('ann') }),
    call('r2', 11, {
      thread_id: 'refund',
      turn_id: 'r1',
      exception: 'KeyError',
      ...used(3),
      ...whose('ann'),
    }),
    turn('refund', 'r3', 20, { inputs: '{"question":"And now?"}', ...used(4), ...whose('ann') }),
    turn('chat', 'c1', 5, {
      inputs: JSON.stringify({
        messages: [
          { role: 'system', content: 'Be short.' },
          { role: 'user', content: 'Hello there' },
        ],
      }),
      attributes: JSON.stringify({ metadata: { user_id: 7 } }),
    }),
    turn('spans', 's1', 30, {}),
    call('s2', 31, {
      ...{ thread_id: 'spans', turn_id: 's1' },
      inputs: JSON.stringify({ 'input.value': '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]' }),
    }),
    call('alone', 40, { attributes: '{"user":{"id":"ann","name":"Ann"}}' }),
    // Nobody's thread has no turn.
    call('inner', 50, { thread_id: 'none', turn_id: 'gone' }),
  ])
  const score = (id: string, callId: string, name: string, payload: object) =>
    scoreRow({ project: project_id, id, userId: 'u', callId, name, payload: JSON.stringify(payload) })
  await service.store.insertRows('feedback', [
    score('f1', 'r1', 'platform.reaction.1', { emoji: '👎🏽', detoned: '👎' }),
    score('f2', 'r2', 'platform.runnable.exact', { output: true }),
    score('f3', 'r3', 'platform.runnable.exact', { output: { score: 0.5 } }),
    score('f4', 'r3', 'platform.note.1', { note: 'hm' }),
    score('f5', 'c1', 'helpful', { value: 'yes' }),
  ])
})
afterAll(() => service?.stop())

interface Threads {
  threads: { thread_id: string }[]
  total_count: number
}
const threads = async (body: object = {}): Promise<Threads> => {
  const { status, json, text } = await service.post('/threads/query', { project_id, ...body })
  expect(status, text).toBe(200)
  return json as Threads
}
const names = async (body: object) => (await threads(body)).threads.map(({ thread_id: id }) => id)
const users = async (body: object = {}) => {
  const { status, json, text } = await service.post('/end_users/query', { project_id, ...body })
  expect(status, text).toBe(200)
  return json as { end_users: { end_user: string }[]; total_count: number }
}
const equals = (field: string, value: string) => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
})
const says = (value: string) => ({
  $expr: { $contains: { input: { $getField: 'inputs' }, substr: { $literal: value } } },
})

describe('threads', () => {
  it('come with what their calls add up to, whatever wrote them', async () => {
    const none = { call_count: 1, error_count: 0, total_tokens: 0, total_cost: null, reactions: {} }
    expect(await threads()).toEqual({
      threads: [
        expect.objectContaining({
          ...{ thread_id: 'spans', turn_count: 1, first_message: 'Hi', end_user: null },
          ...{ ...none, call_count: 2, scores: [] },
        }),
        {
          ...{ thread_id: 'refund', turn_count: 2, call_count: 3, error_count: 1 },
          ...{ start_time: '2026-01-01T00:00:10Z', last_updated: '2026-01-01T00:00:21Z' },
          ...{ p50_turn_duration_ms: 1000, p99_turn_duration_ms: 1000 },
          ...{ end_user: 'ann', first_message: 'Where is my refund?', total_tokens: 9, total_cost: 3.5 },
          scores: [{ name: 'platform.runnable.exact', count: 2, mean: 0.75 }],
          reactions: { '👎': 1 },
        },
        expect.objectContaining({
          ...{ thread_id: 'chat', first_message: 'Hello there', end_user: '7' },
          ...{ ...none, scores: [{ name: 'helpful', count: 1, mean: null }] },
        }),
      ],
      total_count: 3,
      since: null,
    })
  })

  it.each<[string, object, string[]]>([
    ['error_count', { sort_by: [{ field: 'error_count' }], limit: 1 }, ['refund']],
    ['total_cost', { sort_by: [{ field: 'total_cost' }], limit: 1 }, ['refund']],
    ['end_user', { sort_by: [{ field: 'end_user', direction: 'asc' }] }, ['spans', 'chat', 'refund']],
    ['a second page', { limit: 1, offset: 1 }, ['refund']],
  ])('sorted and cut by %s', async (_, body, expected) => expect(await names(body)).toEqual(expected))

  it.each<[string, object, string[]]>([
    ['a text', { with_calls: [says('refund')] }, ['refund']],
    ['an end user', { with_calls: [equals('end_user', '7')] }, ['chat']],
    ['two that different calls meet', { with_calls: [says('refund'), says('now')] }, ['refund']],
    ['two that one thread does not meet', { with_calls: [says('refund'), says('Hello')] }, []],
    [
      'feedback',
      { with_calls: [equals('feedback.[platform.reaction.1].payload.detoned', '👎')] },
      ['refund'],
    ],
    ['ids', { thread_ids: ['chat', 'none'] }, ['chat']],
    ['time', { started_after: at(25) }, ['spans']],
  ])('found by %s', async (_, body, expected) => expect(await names(body)).toEqual(expected))

  it('say how many there are, whichever page is asked for', async () => {
    expect((await threads({ limit: 1, sort_by: [{ field: 'total_tokens' }] })).total_count).toBe(3)
  })
})

it.each(['thread', 'endUser'] as const)(
  'an order by cost is of the newest calls where there are too many: %s',
  async (by) => {
    const project = `acme/priced-${by}`
    const all = Array.from({ length: 12 }, (_, n) =>
      turn(`t${n % 4}`, `t${n}`, n, { ...used(10 - n), ...whose(`u${n % 4}`) }),
    )
    await writeCalls(service.store, project, [...all, call('in none', 20, used(99))])
    const columns = { cost: 'cost' } as const
    const asked = { sorts: [{ field: 'cost', direction: 'desc' } as const], columns, limit: 2, offset: 1 }
    const grouping: Grouping = { projectId: projectIdOf(project), by, among: [] }
    const reader = new CallReader(service.store, limits)
    const keys = keysOfGroups(service.store, reader, by)
    const part = (most: number | undefined, from?: number) =>
      new GroupLists(reader, keys, new AbortController().signal, most).part({ ...grouping, from }, asked)
    // The newest five are those from the eighth on.
    const few = await part(5)
    expect(few).toMatchObject({ since: at(7).replace('.000', ''), total: 4 })
    expect({ ...few, since: null }).toEqual(await part(undefined, Date.parse(at(7)) * 1000))
    expect(few.found.map(({ totals }) => totals.total_cost)).toEqual([1, 0.5])
    expect(await part(13)).toEqual(await part(undefined))
  },
)

describe('end users', () => {
  it('are those that the attributes of calls name, however they spell it', async () => {
    expect(await users()).toEqual({
      end_users: [
        {
          ...{ end_user: 'ann', thread_count: 1, call_count: 4, error_count: 1, total_tokens: 9 },
          ...{ total_cost: 3.5, first_seen: '2026-01-01T00:00:10Z', last_seen: '2026-01-01T00:00:41Z' },
          scores: [{ name: 'platform.runnable.exact', count: 2, mean: 0.75 }],
          reactions: { '👎': 1 },
        },
        expect.objectContaining({ end_user: '7', call_count: 1, total_cost: null }),
      ],
      total_count: 2,
      since: null,
    })
  })

  it.each<[string, object, string[]]>([
    ['cost', { sort_by: [{ field: 'total_cost' }] }, ['ann', '7']],
    ['name', { sort_by: [{ field: 'end_user', direction: 'asc' }] }, ['7', 'ann']],
    ['text', { text: 'AN' }, ['ann']],
    ['name in full', { end_users: ['7'] }, ['7']],
    ['time', { started_before: at(6) }, ['7']],
  ])('are sorted and found by %s', async (_, body, expected) =>
    expect((await users(body)).end_users.map(({ end_user: name }) => name)).toEqual(expected),
  )
})

/** An object with a value at a path. */
const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value)

it('an end user is found at each place that erasure looks at, as a text or a number', async () => {
  const project = 'acme/spelled'
  const said = [
    ...USER_KEYS.map((path, n) => [`u${n}`, JSON.stringify(nested(path, `u${n}`))]),
    ['a "b"\n\\', JSON.stringify({ user_id: 'a "b"\n\\' })],
    ['7.5', '{"user_id":7.5}'],
    ['large', '{"n":123456789012345678901234567890,"user_id":"large"}'],
    ['first', '{"user_id":"first","enduser":{"id":"second"}}'],
    ['second', '{"user_id":null,"userId":["x"],"user":true,"user.id":"","enduser":{"id":"second"}}'],
  ] as const
  const none = ['{"user_id":{"x":"y"}}', '{"other":{"user_id":"deep"}}', '"user_id"', '']
  await writeCalls(service.store, project, [
    ...said.map(([, attributes], n) => call(`s${n}`, n, { attributes: attributes! })),
    ...none.map((attributes, n) => call(`n${n}`, n, { attributes })),
    { ...call('running', 99, { attributes: '{"user_id":"running"}' }), half: 'start' },
  ])
  const found = await users({ project_id: project })
  expect(found.end_users.map(({ end_user: name }) => name).sort()).toEqual(
    [...said.map(([name]) => name), 'running'].sort(),
  )
})

describe('the latest groups', () => {
  const second = fc.integer({ min: 0, max: 60 })
  const calls = fc.array(
    fc.record({
      ...{ thread: fc.constantFrom('', 'a', 'b', 'c', 'd'), user: fc.constantFrom('', 'ann', 'bob', 'cy') },
      ...{ isTurn: fc.boolean(), isOpen: fc.boolean(), from: second },
      took: fc.constantFrom(-1, 0, 1, 20, 50),
    }),
    { minLength: 10, maxLength: 60 },
  )
  let projects = 0
  let known = 0

  it(
    'are those that sums of all calls put first, whichever calls are looked at',
    async () => {
      const rows = <Row>(statement: Sql) => service.store.rows<Row>(statement)
      await fc.assert(
        fc.asyncProperty(
          calls,
          fc.integer({ min: 1, max: 3 }),
          fc.option(second, { nil: undefined }),
          async (all, wanted, from) => {
            const project = `acme/latest-${projects++}`
            await writeCalls(
              service.store,
              project,
              all.map((one, n) => ({
                ...call(`c${n}`, one.from, {
                  thread_id: one.thread,
                  turn_id: one.isTurn ? `c${n}` : 'other',
                }),
                ...whose(one.user),
                ...(one.isOpen
                  ? { half: 'start', ended_at: undefined }
                  : { ended_at: at(one.from + one.took) }),
              })) as TestCall[],
            )
            for (const by of ['thread', 'endUser'] as const) {
              const began = from === undefined ? undefined : Date.parse(at(from)) * 1000
              const grouping: Grouping = { projectId: projectIdOf(project), by, from: began, among: [] }
              const order = orderBy([{ field: 'last', direction: 'desc' }], { last: 'last' })
              const plain = await rows<{ grp: string; total: number }>(
                pageStatement(grouping, { isWide: false, order, limit: wanted, offset: 0 }),
              )
              const latest = await latestGroups(rows, grouping, wanted, [1, 3])
              if (latest !== undefined) known++
              expect(latest ?? plain.map(({ grp }) => grp)).toEqual(plain.map(({ grp }) => grp))
              const [counted] = await rows<{ total: number }>(countStatement(grouping))
              expect(counted!.total).toBe(plain[0]?.total ?? 0)
            }
          },
        ),
        { numRuns: rounds(8, 25) },
      )
      expect(known).toBeGreaterThan(0)
    },
    rounds(60_000),
  )

  it('come with the sums that other lists of them have', async () => {
    const all = Array.from({ length: 40 }, (_, n) => turn(`t${n % 4}`, `t${n}`, n, whose(`u${n % 3}`)))
    await writeCalls(service.store, 'acme/long', all)
    const sorted = [{ field: 'last_updated' }, { field: 'thread_id', direction: 'asc' }]
    for (const part of [{ limit: 2 }, { limit: 1, offset: 1 }]) {
      const latest = await threads({ project_id: 'acme/long', ...part })
      expect(latest.threads.length).toBe(part.limit)
      expect(latest).toEqual(await threads({ project_id: 'acme/long', ...part, sort_by: sorted }))
    }
  })
})
