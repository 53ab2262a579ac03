/** Contract §2: calls with their feedback; feedback, and queues, in filters and sorts of calls. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { writeCalls } from '../../query/testing/calls.js'
import { startService, type TestService } from '../../query/testing/service.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape
type Row = Record<string, any>
let service: TestService
const project_id = 'acme/one'
const scorer = `weave:///${project_id}/op/judge:d1`
const other = `weave:///${project_id}/op/judge:d2`

async function ok(path: string, body: unknown): Promise<Row> {
  const answer = await service.post(path, body)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json
}
const ref = (call: string, project = project_id) => `weave:///${project}/call/${encodeURIComponent(call)}`
const about = (call: string, feedback_type: string, payload: object, more = {}) => ({
  project_id,
  weave_ref: ref(call),
  feedback_type,
  payload,
  ...more,
})
const judged = (call: string, output: unknown, runnable_ref = scorer) =>
  about(call, 'wandb.runnable.judge', { output }, { runnable_ref, call_ref: ref('s') })
const note = (call: string, text: string, more = {}) => about(call, 'wandb.note.1', { note: text }, more)

const CALLS = ['a', 'b', 'c', 'd', 'odd id/é']

beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
  await writeCalls(
    service.store,
    project_id,
    CALLS.map((id, i) => ({
      id,
      started_at: `2026-01-01T00:00:0${i}Z`,
      ended_at: '2026-01-01T00:01:00Z',
      inputs: `{"i":${i}}`,
      summary: '{"usage":{}}',
    })),
  )
  await writeCalls(service.store, project_id, [
    { id: 'open', started_at: '2026-01-01T00:00:09Z', half: 'start' },
  ])
  await ok('/feedback/batch/create', {
    batch: [
      note('a', 'first'),
      note('a', 'second'),
      note('b', 'first', { id: 'purged', creator: 'Zoë "Z"' }),
      about('b', 'platform.reaction.1', { emoji: '👍' }),
      judged('a', { score: 0.5, label: 'good' }),
      judged('b', { score: 10, label: 'bad' }),
      judged('b', { score: 99 }),
      judged('c', 'a text', other),
      judged('open', { score: 2 }),
      about('d', 'mine', { list: [1, { x: 'y' }], big: 1 }),
      about('odd id/é', 'mine', { x: 'odd' }),
      { ...note('a', 'on a part of it'), weave_ref: `${ref('a')}/attr/output` },
      { ...note('a', 'on a call of another project'), weave_ref: ref('a', 'acme/two') },
      { ...note('a', 'in another project'), project_id: 'acme/two' },
    ],
  })
  await ok('/feedback/purge', { project_id, query: { $expr: eq('id', 'purged') } })
}, 120_000)
afterAll(() => service?.stop())

const field = ($getField: string) => ({ $getField })
const literal = ($literal: unknown) => ({ $literal })
const eq = (name: string, value: unknown) => ({ $eq: [field(name), literal(value)] })
const lines = async (more: object): Promise<Row[]> => {
  const answer = await service.post('/calls/stream_query', { project_id, ...more })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
const ids = async (more: object) => (await lines(more)).map(({ id }) => id)

describe('include_feedback', () => {
  const notes = (row: Row | undefined) => row?.summary.weave.feedback.map((one: Row) => one.payload)
  it('puts the feedback of each call into its summary', async () => {
    const rows = new Map((await lines({ include_feedback: true })).map((row) => [row.id, row]))
    expect(notes(rows.get('a'))).toEqual([
      { note: 'first' },
      { note: 'second' },
      { output: { score: 0.5, label: 'good' } },
    ])
    expect(notes(rows.get('b'))).toHaveLength(3)
    expect(notes(rows.get('odd id/é'))).toEqual([{ x: 'odd' }])
    expect(notes(rows.get('open'))).toEqual([{ output: { score: 2 } }])
    expect(rows.get('a')?.summary).toMatchObject({ usage: {}, weave: { status: 'success' } })
    expect(rows.get('d')?.summary.weave.feedback[0]).toEqual(
      (await ok('/feedback/query', { project_id, query: { $expr: eq('weave_ref', ref('d')) } })).result[0],
    )
  })
  it('is an empty list where there is none', async () => {
    await writeCalls(service.store, 'acme/quiet', [{ id: 'x', started_at: '2026-01-01T00:00:00Z' }])
    const [row] = await lines({ project_id: 'acme/quiet', include_feedback: true })
    expect(row?.summary.weave.feedback).toEqual([])
  })
  it('comes with pages, columns and costs', async () => {
    const [row] = await lines({ include_feedback: true, include_costs: true, limit: 1, columns: ['op_name'] })
    expect([row?.id, row?.summary.weave.feedback.length, row?.inputs]).toEqual(['a', 3, {}])
    const sort_by = [{ field: 'op_name' }, { field: 'started_at' }]
    expect(notes((await lines({ include_feedback: true, limit: 1, sort_by }))[0])).toHaveLength(3)
  })
  it('is left out where nobody asks', async () => {
    expect((await lines({}))[0]?.summary.weave.feedback).toBeUndefined()
  })
})

describe('feedback in filters', () => {
  const judge = (path: string) => `feedback.[wandb.runnable.judge].${path}`
  it.each<[string, object, string[]]>([
    ['a text', eq(judge('payload.output.label'), 'good'), ['a']],
    [
      'a number, of the first of its type',
      { $gte: [field(judge('payload.output.score')), literal(2)] },
      ['b', 'open'],
    ],
    ['a number, the other way round', { $gt: [literal(1), field(judge('payload.output.score'))] }, ['a']],
    ['the neutral name', eq('feedback.[platform.runnable.judge].payload.output.label', 'bad'), ['b']],
    ['a whole value', eq(judge('payload.output'), 'a text'), ['c']],
    [
      'values',
      { $in: [field(judge('payload.output.label')), [literal('good'), literal('bad')]] },
      ['a', 'b'],
    ],
    [
      'a part of a text',
      { $contains: { input: field(judge('payload.output')), substr: literal('text') } },
      ['c'],
    ],
    ['not', { $not: [eq(judge('payload.output.label'), 'good')] }, ['b', 'c', 'd', 'odd id/é', 'open']],
    ['not a number', { $not: [{ $gt: [field(judge('payload.output.score')), literal(1)] }] }, ['a']],
    ['what is not there', eq(judge('payload.output.score'), ''), ['c', 'd', 'odd id/é']],
    [
      'existence',
      { $and: [{ $convert: { input: field(judge('payload.output')), to: 'exists' } }] },
      ['a', 'b', 'c', 'open'],
    ],
    ['a runnable', eq(judge('runnable_ref'), other), ['c']],
    ['no runnable', eq(judge('runnable_ref'), null), ['d', 'odd id/é']],
    ['no trigger', eq(judge('trigger_ref'), null), ['a', 'b', 'c', 'd', 'odd id/é', 'open']],
    ['any of several', eq('feedback.[wandb.note.1].payload.note', 'second'), ['a']],
    [
      'none of several',
      { $not: [eq('feedback.[wandb.note.1].payload.note', 'second')] },
      ['b', 'c', 'd', 'odd id/é', 'open'],
    ],
    [
      'a part of any',
      {
        $contains: {
          input: field('feedback.[wandb.note.1].payload.note'),
          substr: literal('SEC'),
          case_insensitive: true,
        },
      },
      ['a'],
    ],
    [
      'one in a list',
      { $in: [field('feedback.[wandb.note.1].payload.note'), [literal('second'), literal('x')]] },
      ['a'],
    ],
    ['nothing said', eq('feedback.[wandb.note.1].payload.note', null), ['b', 'c', 'd', 'odd id/é', 'open']],
    ['what was purged', eq('feedback.[wandb.note.1].payload.note', 'first'), ['a']],
    ['a reaction', eq('feedback.[wandb.reaction.1].payload.emoji', '👍'), ['b']],
    ['any type', eq('feedback.[*].payload.x', 'odd'), ['odd id/é']],
    ['any type, first of all', eq('feedback.[*].payload.note', 'first'), ['a']],
    ['a list inside', eq('feedback.[mine].payload.list.1.x', 'y'), ['d']],
    ['a type that nobody has', eq('feedback.[nobody].payload.x', 'y'), []],
    ['one of two', { $or: [eq('feedback.[mine].payload.x', 'odd'), eq('id', 'c')] }, ['c', 'odd id/é']],
    [
      'two of them',
      {
        $and: [
          eq(judge('payload.output.label'), 'good'),
          eq('feedback.[wandb.note.1].payload.note', 'second'),
        ],
      },
      ['a'],
    ],
  ])('%s', async (_name, $expr, expected) => {
    expect(await ids({ query: { $expr } })).toEqual(expected)
    expect((await ids({ query: { $expr }, limit: 100 })).sort()).toEqual(expected.toSorted())
    const count = await ok('/calls/query_stats', { project_id, query: { $expr } })
    expect(count.count).toBe(expected.length)
  })
  it('refuse what feedback does not have', async () => {
    for (const name of [
      'feedback',
      'feedback.[x]',
      'feedback.[x].creator',
      'feedback.x.payload',
      'feedback.[x].runnable_ref.y',
    ]) {
      const answer = await service.post('/calls/stream_query', {
        project_id,
        query: { $expr: eq(name, 'x') },
      })
      expect([name, answer.status]).toEqual([name, 422])
    }
  })
})

describe('feedback in sorts', () => {
  it.each<['asc' | 'desc', string[]]>([
    ['asc', ['a', 'open', 'b']],
    ['desc', ['b', 'open', 'a']],
  ])('%s', async (direction, expected) => {
    const sort_by = [{ field: 'feedback.[wandb.runnable.judge].payload.output.score', direction }]
    expect((await ids({ sort_by })).slice(0, 3)).toEqual(expected)
    expect(await ids({ sort_by, limit: 3 })).toEqual(expected)
  })
})

describe('queues in filters', () => {
  const inQueue = (queue: unknown) => eq('annotation_queue_items.queue_id', queue)
  it('find the calls of a queue', async () => {
    const { id } = await ok('/annotation_queues', { project_id, name: 'q', scorer_refs: [] })
    await ok(`/annotation_queues/${id}/items`, { project_id, call_ids: ['a', 'd'], display_fields: [] })
    expect(await ids({ query: { $expr: inQueue(id) } })).toEqual(['a', 'd'])
    expect(await ids({ query: { $expr: { $and: [inQueue(id), eq('id', 'a')] } } })).toEqual(['a'])
    expect(await ids({ query: { $expr: { $not: [inQueue(id)] } } })).toHaveLength(4)
    expect(await ids({ query: { $expr: inQueue('nobody') } })).toEqual([])
  })
  it('compare by $eq alone', async () => {
    const name = field('annotation_queue_items.queue_id')
    for (const $expr of [
      { $gt: [name, literal('x')] },
      inQueue(5),
      { $contains: { input: name, substr: literal('x') } },
    ]) {
      const answer = await service.post('/calls/stream_query', { project_id, query: { $expr } })
      expect(answer.status).toBe(400)
    }
    const sort_by = [{ field: 'annotation_queue_items.queue_id' }]
    expect((await service.post('/calls/stream_query', { project_id, sort_by })).status).toBe(400)
  })
})
