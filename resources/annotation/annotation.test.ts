/** The nine operations over the real engine, as the contract has them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { writeCalls } from '../../query/testing/calls.js'
import { type Answer, startService, type TestService } from '../../query/testing/service.js'

const project_id = 'acme/one'
const ASKERS = { one: { authorization: 'Bearer one' }, reader: { authorization: 'Bearer reader' }, all: {} }
type Asker = keyof typeof ASKERS

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
  const minute = (n: number) => `2026-01-01T00:0${n}:00Z`
  await writeCalls(service.store, project_id, [
    { id: 'c1', op_name: 'b', trace_id: 't1', started_at: minute(1), ended_at: minute(9), inputs: '{}' },
    { id: 'c2', op_name: 'a', trace_id: 't1', started_at: minute(3), ended_at: minute(8) },
    { id: 'c3', op_name: 'a', trace_id: 't2', started_at: minute(2), ended_at: minute(7) },
    { id: 'c4', op_name: 'c', trace_id: 't2', started_at: minute(4), half: 'start' },
    { id: 'c5', op_name: 'c', started_at: minute(5), half: 'end', ended_at: minute(6) },
  ])
})
afterAll(() => service.stop())

const post = (path: string, body: object, asker: Asker = 'all', project = project_id) =>
  service.send('POST', path, { project_id: project, ...body }, ASKERS[asker])
const lines = ({ text }: Answer) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

async function queue(name = 'queue', project = project_id): Promise<string> {
  const body = { name, scorer_refs: [`weave:///${project}/object/quality:x`] }
  return (await post('/annotation_queues', body, 'all', project)).json.id
}
const add = (id: string, call_ids: string[], display_fields: string[] = ['inputs']) =>
  post(`/annotation_queues/${id}/items`, { call_ids, display_fields })
const items = (id: string, body: object = {}) => post(`/annotation_queues/${id}/items/query`, body)
const calls = async (id: string, body: object = {}) =>
  (await items(id, body)).json.items.map(({ call_id }: { call_id: string }) => call_id)
async function full(): Promise<{ id: string; item: (call: string) => string }> {
  const id = await queue()
  await add(id, ['c1', 'c2', 'c3', 'c4'])
  const { items: list } = (await items(id)).json
  return { id, item: (call) => list.find((item: { call_id: string }) => item.call_id === call).id }
}
const move = (id: string, item: string, annotation_state: string, asker: Asker = 'all') =>
  post(`/annotation_queues/${id}/items/${item}/progress`, { annotation_state }, asker)
const read = (id: string, method = 'GET', project = project_id) =>
  service.send(method, `/annotation_queues/${id}?project_id=${encodeURIComponent(project)}`)
const update = (id: string, body: object) =>
  service.send('PUT', `/annotation_queues/${id}`, { project_id, ...body })
const stats = async (queue_ids: string[]) =>
  (await post('/annotation_queues/stats', { queue_ids })).json.stats

describe('a queue', () => {
  it('is read as it was made', async () => {
    const id = await queue('reviews')
    const answer = await read(id)
    expect(answer.json.queue).toEqual({
      id,
      project_id,
      name: 'reviews',
      description: '',
      scorer_refs: ['weave:///acme/one/object/quality:x'],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      created_by: 'user-all',
      updated_at: answer.json.queue.created_at,
      deleted_at: null,
    })
  })

  it('changes where it is told to, and nowhere else', async () => {
    const id = await queue()
    const before = (await read(id)).json.queue
    const { updated_at, ...after } = (await update(id, { name: 'new', description: null })).json.queue
    expect(after).toEqual({ ...before, name: 'new', updated_at: undefined })
    expect(updated_at > before.updated_at).toBe(true)
    await update(id, { description: 'how to', scorer_refs: [] })
    expect((await read(id)).json.queue).toMatchObject({ name: 'new', description: 'how to', scorer_refs: [] })
  })

  it('that many change at once keeps every change', async () => {
    const id = await queue()
    const changes = [{ name: 'n' }, { description: 'd' }, { scorer_refs: ['s'] }]
    const answers = await Promise.all([...changes, ...changes].map((change) => update(id, change)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await read(id)).json.queue).toMatchObject({ name: 'n', description: 'd', scorer_refs: ['s'] })
  })

  it('that is deleted is answered once more, and is gone, but for its items', async () => {
    const { id, item } = await full()
    const gone = await read(id, 'DELETE')
    expect(gone.json.queue).toMatchObject({ id, deleted_at: expect.stringMatching(/Z$/) })
    for (const answer of [
      await read(id),
      await read(id, 'DELETE'),
      await update(id, {}),
      await add(id, ['c1']),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.json.deleted_at).toBe(gone.json.queue.deleted_at)
    }
    expect(lines(await post('/annotation_queues/query', {})).map((one) => one.id)).not.toContain(id)
    expect(await calls(id)).toHaveLength(4)
    expect((await move(id, item('c1'), 'completed')).status).toBe(200)
    expect(await stats([id])).toEqual([{ queue_id: id, total_items: 4, completed_items: 1 }])
  })

  it.each([
    ['GET', undefined],
    ['DELETE', undefined],
    ['PUT', { name: 'x' }],
  ])('%s of one that is not there, or in another project: 404', async (method, body) => {
    const id = await queue('theirs', 'acme/two')
    for (const path of ['nothing', id]) {
      const url = `/annotation_queues/${path}?project_id=acme%2Fone`
      const answer = await service.send(method, url, body && { project_id, ...body })
      expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await read(id, 'GET', 'acme/two')).status).toBe(200)
  })
})

describe('the list of queues', () => {
  const project = 'acme/lists'
  const ids: string[] = []
  const names = async (body: object = {}) =>
    lines(await post('/annotation_queues/query', body, 'all', project)).map(({ name }) => name)
  beforeAll(async () => {
    for (const name of ['b', 'a', 'c']) ids.push(await queue(name, project))
    await service.send('PUT', `/annotation_queues/${ids[0]}`, { project_id: project, description: 'x' })
  })

  it.each([
    ['newest first', {}, ['c', 'a', 'b']],
    ['by name', { sort_by: [{ field: 'name', direction: 'asc' }] }, ['a', 'b', 'c']],
    ['by change', { sort_by: [{ field: 'updated_at', direction: 'desc' }] }, ['b', 'c', 'a']],
    ['by what there is not', { sort_by: [{ field: 'ver', direction: 'asc' }] }, ['c', 'a', 'b']],
    [
      'by two',
      {
        sort_by: [
          { field: 'description', direction: 'desc' },
          { field: 'name', direction: 'desc' },
        ],
      },
      ['b', 'c', 'a'],
    ],
    ['of one name', { name: 'a' }, ['a']],
    ['with a part of the name, in any case', { name: 'A' }, ['a']],
    ['with an empty part', { name: '' }, ['c', 'a', 'b']],
    ['of no such name', { name: "a' OR 1" }, []],
    ['the first two', { limit: 2 }, ['c', 'a']],
    ['the second', { limit: 1, offset: 1 }, ['a']],
    ['from the second', { offset: 1 }, ['a', 'b']],
    ['with null for everything', { name: null, sort_by: null, limit: null, offset: null }, ['c', 'a', 'b']],
  ])('%s', async (_, body, expected) => expect(await names(body)).toEqual(expected))

  it('is JSON lines, under the name that was asked for', async () => {
    const accept = { accept: 'application/x-ndjson' }
    const answer = await service.send('POST', '/annotation_queues/query', { project_id: project }, accept)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect(answer.text.endsWith('}\n')).toBe(true)
  })

  it.each([[{ sort_by: [{ field: 'name', direction: 'up' }] }], [{ limit: 'x' }], [{ project_id: 'none' }]])(
    '%j: 422',
    async (body) => expect((await post('/annotation_queues/query', body)).status).toBe(422),
  )
})

describe('items', () => {
  it('are calls with what there is to know of them', async () => {
    const id = await queue()
    expect((await add(id, ['c1', 'c4'], ['inputs.a', 'output'])).json).toEqual({
      added_count: 2,
      duplicates: 0,
    })
    const [whole, running] = (await items(id)).json.items
    expect(whole).toEqual({
      id: expect.any(String),
      project_id,
      queue_id: id,
      call_id: 'c1',
      call_started_at: '2026-01-01T00:01:00Z',
      call_ended_at: '2026-01-01T00:09:00Z',
      call_op_name: 'b',
      call_trace_id: 't1',
      display_fields: ['inputs.a', 'output'],
      added_by: 'user-all',
      annotation_state: 'unstarted',
      annotator_user_id: null,
      created_at: expect.any(String),
      created_by: 'user-all',
      updated_at: whole.created_at,
      deleted_at: null,
      position_in_queue: null,
    })
    expect(running).toMatchObject({ call_id: 'c4', call_ended_at: null })
  })

  it.each([
    ['unknown calls', ['x', 'y'], [0, 0]],
    ['an end without its start', ['c5'], [0, 0]],
    ['some unknown', ['c1', 'x'], [1, 0]],
    ['one twice', ['c1', 'c1', 'c2'], [2, 1]],
    ['an unknown one twice', ['x', 'x', 'c2'], [1, 0]],
    ['none', [], [0, 0]],
  ])('%s: added and duplicates', async (_, ids, [added_count, duplicates]) =>
    expect((await add(await queue(), ids)).json).toEqual({ added_count, duplicates }),
  )

  it('that are there already stay as they are', async () => {
    const { id } = await full()
    const before = (await items(id)).json
    expect((await add(id, ['c1', 'c2', 'x'], ['other'])).json).toEqual({ added_count: 0, duplicates: 2 })
    expect((await items(id)).json).toEqual(before)
  })

  it('that many add at once are added once', async () => {
    const id = await queue()
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(id, ['c1', 'c2', 'c3'])))
    const sum = (key: string) => answers.reduce((total, { json }) => total + json[key], 0)
    expect([sum('added_count'), sum('duplicates')]).toEqual([3, 21])
    expect(await calls(id)).toEqual(['c1', 'c2', 'c3'])
  })

  it('of another project are not to be had', async () => {
    const id = await queue('theirs', 'acme/two')
    expect((await add(id, ['c1'])).status).toBe(404)
    const answer = await post(
      `/annotation_queues/${id}/items`,
      { call_ids: ['c1'], display_fields: [] },
      'all',
      'acme/two',
    )
    expect(answer.json).toEqual({ added_count: 0, duplicates: 0 })
    expect((await items((await full()).id, { project_id: 'acme/two' })).json).toEqual({ items: [] })
  })

  it('of a queue that is not there: none', async () =>
    expect((await items('nothing')).json).toEqual({ items: [] }))

  describe('listed', () => {
    let id = ''
    beforeAll(async () => {
      const made = await full()
      id = made.id
      await move(id, made.item('c3'), 'in_progress')
      await move(id, made.item('c2'), 'completed')
    })

    it.each([
      ['as they were added', {}, ['c1', 'c2', 'c3', 'c4']],
      ['by start', { sort_by: [{ field: 'call_started_at', direction: 'asc' }] }, ['c1', 'c3', 'c2', 'c4']],
      ['by what there is not', { sort_by: [{ field: 'ver', direction: 'desc' }] }, ['c1', 'c2', 'c3', 'c4']],
      ['by end', { sort_by: [{ field: 'call_ended_at', direction: 'desc' }] }, ['c1', 'c2', 'c3', 'c4']],
      [
        'by op and id',
        {
          sort_by: [
            { field: 'call_op_name', direction: 'desc' },
            { field: 'call_id', direction: 'desc' },
          ],
        },
        ['c4', 'c1', 'c3', 'c2'],
      ],
      ['by change', { sort_by: [{ field: 'updated_at', direction: 'desc' }], limit: 2 }, ['c2', 'c3']],
      ['of a call', { filter: { call_id: 'c3' } }, ['c3']],
      ['of an op', { filter: { call_op_name: 'a' } }, ['c2', 'c3']],
      ['of a trace and an op', { filter: { call_trace_id: 't2', call_op_name: 'a' } }, ['c3']],
      ['of who added them', { filter: { added_by: 'user-one' } }, []],
      ['by state', { filter: { annotation_states: ['unstarted'] } }, ['c1', 'c4']],
      ['by states', { filter: { annotation_states: ['completed', 'in_progress'] } }, ['c2', 'c3']],
      ['by no state', { filter: { annotation_states: [] } }, ['c1', 'c2', 'c3', 'c4']],
      ['by empty filter', { filter: { id: null, annotation_states: null } }, ['c1', 'c2', 'c3', 'c4']],
      ['in part', { limit: 2, offset: 1 }, ['c2', 'c3']],
    ])('%s', async (_, body, expected) => expect(await calls(id, body)).toEqual(expected))

    it('by state as text', async () => {
      const sort_by = [{ field: 'annotation_state', direction: 'asc' }]
      const states = (await items(id, { sort_by })).json.items.map(
        (one: { annotation_state: string }) => one.annotation_state,
      )
      expect(states).toEqual(['completed', 'in_progress', 'unstarted', 'unstarted'])
    })

    it('with their places in what was asked for, from 1', async () => {
      const body = {
        include_position: true,
        filter: { annotation_states: ['unstarted'] },
        limit: 1,
        offset: 1,
      }
      const [item, ...more] = (await items(id, body)).json.items
      expect([item.call_id, item.position_in_queue, more]).toEqual(['c4', 2, []])
    })

    it.each([
      [{ sort_by: [{ field: 'call_id', direction: 'up' }] }],
      [{ filter: { annotation_states: ['done'] } }],
      [{ filter: 1 }],
    ])('%j: 422', async (body) => expect((await items(id, body)).status).toBe(422))
  })
})

describe('progress', () => {
  it('is answered with the item', async () => {
    const { id, item } = await full()
    const started = await move(id, item('c1'), 'in_progress')
    expect(started.json.item).toMatchObject({
      call_id: 'c1',
      annotation_state: 'in_progress',
      annotator_user_id: 'user-all',
    })
    expect(started.json.item.updated_at > started.json.item.created_at).toBe(true)
    expect((await items(id, { filter: { id: item('c1') } })).json.items).toEqual([started.json.item])
  })

  it('is answered with the item as lists show it, also where another annotator’s clock is ahead', async () => {
    const { id, item } = await full()
    const listed = async () => (await items(id, { filter: { id: item('c1') } })).json.items
    await move(id, item('c1'), 'completed', 'one')
    const second = (await move(id, item('c1'), 'in_progress')).json.item
    expect(await listed()).toEqual([second])
    const ahead = { annotator_id: 'user-ahead', state: 'skipped', updated_at: '2099-01-01T00:00:00Z' }
    const at = { project_id: projectIdOf(project_id), queue_id: id, item_id: item('c1') }
    await service.store.insertRows('annotation_progress', [{ ...at, ...ahead, ver: '1' }])
    const answered = (await move(id, item('c1'), 'completed')).json.item
    expect(answered).toMatchObject({ annotation_state: 'skipped', annotator_user_id: 'user-ahead' })
    expect(await listed()).toEqual([answered])
  })

  it('is what it was when nothing changes', async () => {
    const { id, item } = await full()
    const first = await move(id, item('c1'), 'completed')
    expect((await move(id, item('c1'), 'completed')).json).toEqual(first.json)
  })

  it.each([
    ['completed', 'in_progress'],
    ['skipped', 'completed'],
    ['in_progress', 'unstarted'],
  ])('does not go from %s to %s', async (from, to) => {
    const { id, item } = await full()
    await move(id, item('c1'), from)
    const refused = await move(id, item('c1'), to)
    expect([refused.status, refused.json.reason]).toEqual([400, expect.stringContaining(`is ${from} can't`)])
    expect((await items(id)).json.items[0].annotation_state).toBe(from)
  })

  it('is each annotator’s own; the newest is shown', async () => {
    const { id, item } = await full()
    await move(id, item('c1'), 'completed', 'all')
    const other = await move(id, item('c1'), 'in_progress', 'one')
    expect(other.json.item).toMatchObject({ annotation_state: 'in_progress', annotator_user_id: 'user-one' })
    expect(await stats([id])).toEqual([{ queue_id: id, total_items: 4, completed_items: 1 }])
    expect((await move(id, item('c1'), 'in_progress', 'all')).status).toBe(400)
    await move(id, item('c1'), 'skipped', 'one')
    expect(await stats([id])).toEqual([{ queue_id: id, total_items: 4, completed_items: 1 }])
  })

  it('of an item that is not there, in another queue or project: 404', async () => {
    const [{ id, item }, other] = [await full(), await full()]
    expect((await move(id, 'nothing', 'completed')).status).toBe(404)
    expect((await move(other.id, item('c1'), 'completed')).status).toBe(404)
    const path = `/annotation_queues/${id}/items/${item('c1')}/progress`
    expect((await post(path, { annotation_state: 'completed' }, 'all', 'acme/two')).status).toBe(404)
    expect(await stats([id])).toMatchObject([{ completed_items: 0 }])
  })

  it('of one annotator from two places ends in one state', async () => {
    const { id, item } = await full()
    const ends = ['completed', 'skipped', 'completed', 'skipped']
    const answers = await Promise.all(ends.map((to) => move(id, item('c1'), to)))
    const won = ends.filter((_, i) => answers[i]!.status === 200)
    expect(new Set(won).size).toBe(1)
    expect(won).toHaveLength(2)
    expect((await items(id)).json.items[0].annotation_state).toBe(won[0])
  })
})

describe('counts', () => {
  it('come in the order of the question; what is not there has none', async () => {
    const { id, item } = await full()
    await move(id, item('c1'), 'completed')
    await move(id, item('c2'), 'skipped')
    await move(id, item('c3'), 'in_progress')
    expect(await stats(['nothing', id, id])).toEqual([
      { queue_id: 'nothing', total_items: 0, completed_items: 0 },
      { queue_id: id, total_items: 4, completed_items: 2 },
      { queue_id: id, total_items: 4, completed_items: 2 },
    ])
    expect(await stats([])).toEqual([])
  })
})

describe('rights', () => {
  it('who may only read changes nothing', async () => {
    const { id, item } = await full()
    const body = {
      project_id,
      name: 'x',
      scorer_refs: [],
      call_ids: [],
      display_fields: [],
      annotation_state: 'skipped',
    }
    const writes: [string, string][] = [
      ['POST', '/annotation_queues'],
      ['PUT', `/annotation_queues/${id}`],
      ['DELETE', `/annotation_queues/${id}?project_id=acme%2Fone`],
      ['POST', `/annotation_queues/${id}/items`],
      ['POST', `/annotation_queues/${id}/items/${item('c1')}/progress`],
    ]
    for (const [method, path] of writes)
      expect((await service.send(method, path, body, ASKERS.reader)).status).toBe(403)
    for (const path of ['/annotation_queues/query', `/annotation_queues/${id}/items/query`])
      expect((await post(path, {}, 'reader')).status).toBe(200)
  })
})

it.each([
  ['a queue without a name', '/annotation_queues', { scorer_refs: [] }],
  ['an empty name', '/annotation_queues', { name: '', scorer_refs: [] }],
  ['scorers that are no list', '/annotation_queues', { name: 'x', scorer_refs: 'y' }],
  ['a project that is none', '/annotation_queues', { name: 'x', scorer_refs: [], project_id: 'x' }],
  ['too many calls', '/annotation_queues/x/items', { call_ids: Array(1001).fill('c'), display_fields: [] }],
  ['no display fields', '/annotation_queues/x/items', { call_ids: [] }],
  ['no state', '/annotation_queues/x/items/y/progress', {}],
  ['counts of no list', '/annotation_queues/stats', { queue_ids: 'x' }],
])('%s: 422', async (_, path, body) => expect((await post(path, body)).status).toBe(422))

describe('annotators', () => {
  const annotate = async (call: string, queue_id: string, asker: Asker, question: string, value: unknown) => {
    const answer = await post(
      '/feedback/create',
      {
        weave_ref: `weave:///${project_id}/call/${call}`,
        feedback_type: `wandb.annotation.${question}`,
        annotation_ref: `weave:///${project_id}/object/${question}:v0`,
        queue_id,
        payload: { value },
      },
      asker,
    )
    expect(answer.status).toBe(200)
  }
  const publish = (question: string, field_schema: object) => {
    const val = {
      _type: 'AnnotationSpec',
      _class_name: 'AnnotationSpec',
      _bases: ['BaseModel'],
      field_schema,
    }
    return service.post('/obj/create', { obj: { project_id, object_id: question, val } })
  }
  const annotators = async (id: string) =>
    (await service.send('GET', `/annotation_queues/${id}/annotators?project_id=${project_id}`)).json

  it('have what each of them did', async () => {
    const { id, item } = await full()
    await move(id, item('c1'), 'completed')
    await move(id, item('c1'), 'skipped', 'one')
    await move(id, item('c2'), 'completed', 'one')
    await move(id, item('c3'), 'completed', 'one')
    await move(id, item('c4'), 'in_progress')
    const { annotators: found } = await annotators(id)
    const counts = (user_id: string, completed_items: number, skipped_items: number, more: number) => ({
      ...{ user_id, username: null, completed_items, skipped_items, in_progress_items: more },
    })
    expect(found).toEqual([counts('user-one', 2, 1, 0), counts('user-all', 1, 0, 1)])
    expect(await stats([id])).toEqual([{ queue_id: id, total_items: 4, completed_items: 3 }])
  })

  it('have states of their own', async () => {
    const { id, item } = await full()
    await move(id, item('c1'), 'completed')
    await move(id, item('c2'), 'skipped', 'one')
    const mine = { own_progress: true, filter: { annotation_states: ['unstarted'] } }
    expect(await calls(id, mine)).toEqual(['c2', 'c3', 'c4'])
    expect(await calls(id, { ...mine, own_progress: false })).toEqual(['c3', 'c4'])
  })

  it('agree as far as their newest answers to the same call are equal', async () => {
    const { id } = await full()
    const other = (await full()).id
    await publish('right', { type: 'boolean' })
    await publish('grade', { type: 'integer' })
    await publish('alone', { type: 'string' })
    for (const [call, first, second] of [
      ['c1', true, true],
      ['c2', false, true],
      ['c3', false, false],
    ] as const) {
      await annotate(call, id, 'all', 'right', !first)
      await annotate(call, id, 'all', 'right', first)
      await annotate(call, id, 'one', 'right', second)
      await annotate(call, other, 'one', 'right', !first)
    }
    await annotate('c4', id, 'one', 'right', true)
    for (const asker of ['all', 'one'] as const) await annotate('c1', id, asker, 'grade', 4)
    await annotate('c1', id, 'one', 'alone', 'x')
    const of = (question: string) => `wandb.annotation.${question}`
    expect((await annotators(id)).agreement).toEqual([
      { feedback_type: of('grade'), items: 1, agreement: 1, alpha: null },
      // Six answers, three of each value: 9 of 15 pairs differ by chance, 1 of 3 does.
      { feedback_type: of('right'), items: 3, agreement: 2 / 3, alpha: expect.closeTo(1 - 1 / 3 / (9 / 15)) },
    ])
  })

  it('of a queue that is not there: 404', async () => {
    const answer = await service.send('GET', `/annotation_queues/nothing/annotators?project_id=${project_id}`)
    expect(answer.status).toBe(404)
  })
})
