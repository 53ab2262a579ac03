/** Contract §5: feedback is created, listed, replaced, purged, counted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { type Answer, startService, type TestService } from '../../query/testing/service.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Row = Record<string, any>
let service: TestService
let projects = 0

beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
}, 120_000)
afterAll(() => service?.stop())

const fresh = () => `acme/feedback-${projects++}`
const callRef = (project: string, id = 'c1') => `weave:///${project}/call/${id}`
const note = (project: string, text: string, more: object = {}) => ({
  project_id: project,
  weave_ref: callRef(project),
  feedback_type: 'wandb.note.1',
  payload: { note: text },
  ...more,
})

async function ok(path: string, body: unknown): Promise<Row> {
  const answer = await service.post(path, body)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json
}
const create = (body: object) => ok('/feedback/create', body)
const list = (project_id: string, more: object = {}) => ok('/feedback/query', { project_id, ...more })
const refused = (answer: Answer, status = 400) =>
  expect([answer.status, answer.json.reason ?? answer.json.detail]).toEqual([status, expect.anything()])
const field = ($getField: string) => ({ $getField })
const literal = ($literal: unknown) => ({ $literal })
const eq = (name: string, value: unknown) => ({ query: { $expr: { $eq: [field(name), literal(value)] } } })

describe('create', () => {
  it('answers with what was stored, which can be read at once', async () => {
    const project = fresh()
    const made = await create({
      project_id: project,
      weave_ref: callRef(project),
      creator: 'Ann',
      feedback_type: 'wandb.reaction.1',
      payload: { emoji: '👍🏽' },
      wb_user_id: 'someone else',
    })
    const payload = {
      emoji: '👍🏽',
      alias: ':thumbs_up_medium_skin_tone:',
      detoned: '👍',
      detoned_alias: ':thumbs_up:',
    }
    expect(made).toEqual({
      id: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      platform_user_id: 'user-all',
      wb_user_id: 'user-all',
      payload,
    })
    expect(await list(project)).toEqual({
      result: [
        {
          id: made.id,
          project_id: project,
          weave_ref: callRef(project),
          platform_user_id: 'user-all',
          wb_user_id: 'user-all',
          creator: 'Ann',
          created_at: made.created_at,
          feedback_type: 'wandb.reaction.1',
          payload,
          annotation_ref: null,
          runnable_ref: null,
          call_ref: null,
          trigger_ref: null,
          queue_id: null,
          scorer_tags: [],
          scorer_tag_reasons: {},
          scorer_tag_confidences: {},
          scorer_ratings: {},
          scorer_rating_reasons: {},
          scorer_rating_confidences: {},
          span_agent_name: '',
          span_agent_version: '',
          span_status_code: 'UNSET',
          span_conversation_id: '',
          span_trace_id: '',
          scorer_trace_id: '',
        },
      ],
      total_count: 1,
    })
  })

  it('keeps numbers as they were written', async () => {
    const project = fresh()
    const body = JSON.stringify(note(project, 'x', { feedback_type: 'mine' })).replace(
      '{"note":"x"}',
      '{"one":1.0,"big":123456789012345678901234567890,"deep":{"e":1e5}}',
    )
    const made = await service.post('/feedback/create', body)
    expect(made.text).toContain('{"one":1.0,"big":123456789012345678901234567890,"deep":{"e":1e5}}')
    const read = await service.post('/feedback/query', { project_id: project })
    expect(read.text).toContain('"payload":{"one":1.0,"big":123456789012345678901234567890,"deep":{"e":1e5}}')
  })

  it('takes the id of the client, and a retry changes nothing', async () => {
    const project = fresh()
    const first = await create(note(project, 'first', { id: 'mine' }))
    expect(first.id).toBe('mine')
    await create(note(project, 'first', { id: 'mine' }))
    const { result, total_count } = await list(project)
    expect([total_count, result[0].created_at]).toEqual([1, first.created_at])
  })

  it('makes the same id at each retry of a request', async () => {
    const project = fresh()
    const body = { batch: [note(project, 'a'), note(project, 'b')] }
    const send = (retry: string) =>
      service.send('POST', '/feedback/batch/create', body, { 'x-weave-retry-id': retry })
    const [one, two, other] = [await send('r1'), await send('r1'), await send('r2')]
    const ids = (answer: Answer) => answer.json.res.map(({ id }: Row) => id)
    expect(ids(one)).toEqual(ids(two))
    expect(ids(one)).not.toEqual(ids(other))
    expect((await list(project)).total_count).toBe(4)
  })

  it('keeps what came first where another body comes under its retry id', async () => {
    const project = fresh()
    const headers = { 'x-weave-retry-id': 'r' }
    for (const text of ['a', 'b', 'a'])
      await service.send('POST', '/feedback/create', note(project, text), headers)
    expect((await list(project)).total_count).toBe(2)
  })

  it('keeps what scorers say', async () => {
    const project = fresh()
    await create({
      project_id: project,
      weave_ref: `weave:///${project}/agent_turn/t1`,
      feedback_type: 'wandb.agent_user_feedback',
      payload: {},
      scorer_tags: ['good'],
      scorer_ratings: { _rating_: 0.5 },
      span_agent_name: 'bot',
    })
    expect((await list(project)).result[0]).toMatchObject({
      scorer_tags: ['good'],
      scorer_ratings: { _rating_: 0.5 },
      span_agent_name: 'bot',
      span_trace_id: 't1',
      span_status_code: 'UNSET',
    })
  })

  it('needs the right to write, in each of its projects', async () => {
    const as = (key: string, body: object, path = '/feedback/create') =>
      service.send('POST', path, body, { authorization: `Bearer ${key}` })
    refused(await as('reader', note('acme/one', 'x')), 403)
    const batch = { batch: [note('acme/one', 'x'), note('acme/two', 'x')] }
    refused(await as('one', batch, '/feedback/batch/create'), 403)
    expect((await list('acme/one')).total_count).toBe(0)
    expect((await as('one', note('acme/one', 'x'))).status).toBe(200)
    refused(await as('one', { project_id: 'acme/two' }, '/feedback/query'), 403)
    refused(await as('reader', { project_id: 'acme/one', ...eq('id', 'x') }, '/feedback/purge'), 403)
  })

  it.each<[string, object, number]>([
    ['an emoji that is none', { feedback_type: 'wandb.reaction.1', payload: { emoji: 'x' } }, 400],
    ['a payload over 1 MiB', { feedback_type: 'mine', payload: { x: 'y'.repeat(1 << 20) } }, 400],
    ['a payload that is a list', { payload: [] }, 422],
    ['no type', { feedback_type: undefined }, 422],
    ['no ref', { weave_ref: undefined }, 422],
    ['a ref of nothing', { weave_ref: 'x' }, 400],
    ['a project that is none', { project_id: 'x' }, 422],
    ['a queue that is not there', { queue_id: 'nope' }, 400],
    ['a rating that is no number', { scorer_ratings: { a: 'x' } }, 422],
    ['a tag that is no text', { scorer_tags: [1] }, 422],
  ])('%s is refused, and nothing stored', async (_name, wrong, status) => {
    const project = fresh()
    refused(await service.post('/feedback/create', note(project, 'x', wrong)), status)
    const good = note(project, 'good')
    refused(
      await service.post('/feedback/batch/create', { batch: [good, note(project, 'x', wrong)] }),
      status,
    )
    expect((await list(project)).total_count).toBe(0)
  })

  it('a body that is no JSON is refused', async () => {
    refused(await service.post('/feedback/create', '{"project_id":'))
    refused(await service.post('/feedback/batch/create', '[]'), 422)
    refused(await service.post('/feedback/batch/create', '{"batch":[5]}'), 422)
    refused(await service.post('/feedback/batch/create', '{"batch":{}}'), 422)
  })

  it('a batch of none is none', async () => {
    expect(await ok('/feedback/batch/create', { batch: [] })).toEqual({ res: [] })
  })

  it('accepts a queue that is there', async () => {
    const project = fresh()
    const queue = await ok('/annotation_queues', { project_id: project, name: 'q', scorer_refs: [] })
    await create(note(project, 'x', { queue_id: queue.id }))
    expect((await list(project, eq('queue_id', queue.id))).total_count).toBe(1)
    refused(await service.post('/feedback/create', note(fresh(), 'x', { queue_id: queue.id })))
    const path = `/annotation_queues/${queue.id}?project_id=${encodeURIComponent(project)}`
    expect((await service.send('DELETE', path)).status).toBe(200)
    refused(await service.post('/feedback/create', note(project, 'x', { queue_id: queue.id })))
  })
})

describe('annotations', () => {
  const publish = async (project: string, name: string, val: object) => {
    const { digest } = await ok('/obj/create', { obj: { project_id: project, object_id: name, val } })
    return `weave:///${project}/object/${name}:${digest}`
  }
  const annotate = (project: string, annotation_ref: string, value: unknown) =>
    service.post('/feedback/create', {
      project_id: project,
      weave_ref: callRef(project),
      feedback_type: 'wandb.annotation.quality',
      annotation_ref,
      payload: { value },
    })

  it('have values that fit the schema of their spec', async () => {
    const project = fresh()
    const ref = await publish(project, 'quality', {
      field_schema: { type: 'integer', minimum: 1, maximum: 5 },
    })
    expect((await annotate(project, ref, 5)).status).toBe(200)
    refused(await annotate(project, ref, 6))
    refused(await annotate(project, ref, 'five'))
    expect((await list(project)).result[0]).toMatchObject({ annotation_ref: ref, payload: { value: 5 } })
  })
  it('have a spec that is there, and is one', async () => {
    const project = fresh()
    refused(await annotate(project, `weave:///${project}/object/quality:nope`, 1))
    refused(await annotate(project, await publish(project, 'quality', { field_schema: 'no object' }), 1))
    refused(await annotate(project, await publish(project, 'quality', { field_schema: { type: 'what' } }), 1))
    const any = await publish(project, 'quality', { name: 'x' })
    expect((await annotate(project, any, { whatever: 1 })).status).toBe(200)
    await ok('/obj/delete', { project_id: project, object_id: 'quality' })
    refused(await annotate(project, any, 1))
  })
  it('may be latest', async () => {
    const project = fresh()
    await publish(project, 'quality', { field_schema: { type: 'string' } })
    expect((await annotate(project, `weave:///${project}/object/quality:latest`, 'x')).status).toBe(200)
  })
  it('whose schema asks for endless work are refused', async () => {
    const project = fresh()
    const schema = { type: 'string', pattern: '^(a+)+$' }
    const ref = await publish(project, 'quality', { field_schema: schema })
    expect((await annotate(project, ref, 'aaa')).status).toBe(200)
    refused(await annotate(project, ref, `${'a'.repeat(60)}!`))
  })
})

describe('query', () => {
  const project = 'acme/queried'
  const scorer = `weave:///${project}/op/judge:d1`
  beforeAll(async () => {
    const run = (id: string, call: string, output: unknown, more = {}) => ({
      id,
      project_id: project,
      weave_ref: callRef(project, call),
      feedback_type: 'platform.runnable.judge',
      runnable_ref: scorer,
      call_ref: callRef(project, 's'),
      payload: { output },
      ...more,
    })
    await ok('/feedback/batch/create', {
      batch: [
        note(project, 'first', { id: 'n1' }),
        note(project, 'second', { id: 'n2', weave_ref: callRef(project, 'c2'), creator: 'Bob' }),
        { ...note(project, 'third', { id: 'n3' }), feedback_type: 'platform.note.1' },
        run('r1', 'c1', { score: 0.5, label: 'a' }),
        run(
          'r2',
          'c2',
          { score: 2, label: 'b' },
          { scorer_tags: ['x', 'yy'], scorer_ratings: { _rating_: 0.25 } },
        ),
        run('r3', 'c3', { score: 10 }),
        { ...note(project, 'on an object', { id: 'o1' }), weave_ref: `weave:///${project}/object/o:d` },
      ],
    })
  })
  const ids = async (more: object) => (await list(project, more)).result.map(({ id }: Row) => id)
  const where = ($expr: object) => ids({ query: { $expr } })

  it('lists as it came', async () => {
    expect(await ids({})).toEqual(['n1', 'n2', 'n3', 'r1', 'r2', 'r3', 'o1'])
  })
  it.each<[string, object, string[]]>([
    ['a ref', { $eq: [field('weave_ref'), literal(callRef(project))] }, ['n1', 'n3', 'r1']],
    ['a ref, the other way round', { $eq: [literal(callRef(project, 'c3')), field('weave_ref')] }, ['r3']],
    [
      'refs',
      {
        $in: [
          field('weave_ref'),
          [literal(callRef(project, 'c2')), literal(`weave:///${project}/object/o:d`)],
        ],
      },
      ['n2', 'r2', 'o1'],
    ],
    ['no ref', { $eq: [field('weave_ref'), literal('nothing')] }, []],
    [
      'not a ref',
      { $not: [{ $eq: [field('weave_ref'), literal(callRef(project))] }] },
      ['n2', 'r2', 'r3', 'o1'],
    ],
    ['an id', { $eq: [field('id'), literal('r2')] }, ['r2']],
    [
      'a type by either name',
      { $eq: [field('feedback_type'), literal('wandb.note.1')] },
      ['n1', 'n2', 'n3', 'o1'],
    ],
    [
      'a type by its neutral name',
      { $eq: [field('feedback_type'), literal('platform.note.1')] },
      ['n1', 'n2', 'n3', 'o1'],
    ],
    [
      'types',
      { $in: [field('feedback_type'), [literal('wandb.runnable.judge'), literal('x')]] },
      ['r1', 'r2', 'r3'],
    ],
    [
      'a part of a type',
      { $contains: { input: field('feedback_type'), substr: literal('wandb.runnable') } },
      ['r1', 'r2', 'r3'],
    ],
    ['a path', { $eq: [field('payload.note'), literal('second')] }, ['n2']],
    ['a number', { $gt: [field('payload.output.score'), literal(1)] }, ['r2', 'r3']],
    ['a text of a number', { $eq: [field('payload.output.score'), literal('2')] }, ['r2']],
    ['a creator', { $eq: [field('creator'), literal('Bob')] }, ['n2']],
    ['no creator', { $eq: [field('creator'), literal(null)] }, ['n1', 'n3', 'r1', 'r2', 'r3', 'o1']],
    ['a runnable', { $eq: [field('runnable_ref'), literal(scorer)] }, ['r1', 'r2', 'r3']],
    [
      'a user by either name',
      { $eq: [field('wb_user_id'), literal('user-all')] },
      ['n1', 'n2', 'n3', 'r1', 'r2', 'r3', 'o1'],
    ],
    ['a time', { $lt: [field('created_at'), literal('2020-01-01T00:00:00Z')] }, []],
    ['a tag', { $eq: [field('scorer_tags'), literal('x')] }, ['r2']],
    ['a rating', { $lt: [field('scorer_ratings._rating_'), literal(0.5)] }, ['r2']],
    [
      'a span field that was never set',
      { $eq: [field('span_status_code'), literal('UNSET')] },
      ['n1', 'n2', 'n3', 'r1', 'r2', 'r3', 'o1'],
    ],
    ['what exists', { $convert: { input: field('payload.output.label'), to: 'exists' } }, ['r1', 'r2']],
  ])('%s', async (_name, expr, expected) => {
    const operation = '$convert' in expr ? { $and: [expr] } : expr
    expect(await where(operation)).toEqual(expected)
  })

  it('sorts by columns and paths', async () => {
    const sorted = (sort_by: object[]) => ids({ sort_by })
    expect(await sorted([{ field: 'created_at', direction: 'desc' }])).toEqual([
      'o1',
      'r3',
      'r2',
      'r1',
      'n3',
      'n2',
      'n1',
    ])
    expect((await sorted([{ field: 'payload.output.score', direction: 'desc' }])).slice(0, 3)).toEqual([
      'r3',
      'r2',
      'r1',
    ])
  })
  it('gives pages, and counts what there is', async () => {
    const page = async (more: object) => {
      const { result, total_count } = await list(project, more)
      return [result.map(({ id }: Row) => id), total_count]
    }
    expect(await page({ limit: 2, offset: 1 })).toEqual([['n2', 'n3'], 7])
    expect(await page({ limit: 2, offset: 6 })).toEqual([['o1'], 7])
    expect(await page({ offset: 5 })).toEqual([['r3', 'o1'], 7])
    expect(await page({ limit: 2, offset: 50 })).toEqual([[], 7])
    expect(await page({ limit: 0 })).toEqual([[], 7])
    expect(await page({ limit: -1 })).toEqual([['n1', 'n2', 'n3', 'r1', 'r2', 'r3', 'o1'], 7])
    expect(await page({ limit: 1, ...eq('weave_ref', callRef(project)) })).toEqual([['n1'], 3])
    expect(await page(eq('id', 'nobody'))).toEqual([[], 0])
  })
  it('counts where that is the field', async () => {
    const count = { fields: ['count(*)'] }
    expect(await list(project, count)).toEqual({ result: [{ 'count(*)': 7 }], total_count: 7 })
    const some = { ...count, ...eq('weave_ref', callRef(project)), limit: 1 }
    expect(await list(project, some)).toEqual({ result: [{ 'count(*)': 3 }], total_count: 3 })
    expect((await list(project, { ...count, ...eq('id', 'nobody') })).result).toEqual([{ 'count(*)': 0 }])
  })
  it('gives the fields that are asked for', async () => {
    const fields = [
      'id',
      'payload.output.score',
      'payload.output',
      'payload.none',
      'wb_user_id',
      'scorer_tags',
    ]
    const { result } = await list(project, { fields, ...eq('id', 'r2') })
    expect(result).toEqual([
      {
        id: 'r2',
        'payload.output.score': 2,
        'payload.output': { score: 2, label: 'b' },
        'payload.none': null,
        platform_user_id: 'user-all',
        wb_user_id: 'user-all',
        scorer_tags: ['x', 'yy'],
      },
    ])
  })
  it('refuses what it does not know', async () => {
    const ask = (more: object) => service.post('/feedback/query', { project_id: project, ...more })
    refused(await ask({ fields: ['nope'] }), 422)
    refused(await ask({ sort_by: [{ field: 'nope', direction: 'asc' }] }), 422)
    refused(await ask({ sort_by: [{ field: 'id', direction: 'up' }] }), 422)
    refused(await ask(eq('nope', 1)), 422)
    refused(await ask({ query: { $expr: { $and: [] } } }))
    refused(await ask({ query: { $what: 1 } }), 422)
  })
})

describe('purge and replace', () => {
  const purge = (project_id: string, $expr: object) =>
    service.post('/feedback/purge', { project_id, query: { $expr } })

  it('delete by id, once and for all', async () => {
    const project = fresh()
    for (const id of ['a', 'b', 'c', 'd']) await create(note(project, id, { id }))
    const ids = async () => (await list(project)).result.map(({ id }: Row) => id)
    expect((await purge(project, { $eq: [field('id'), literal('a')] })).json).toEqual({})
    expect(await ids()).toEqual(['b', 'c', 'd'])
    const both = ['b', 'c'].map((id) => ({ $eq: [field('id'), literal(id)] }))
    await purge(project, { $or: both })
    await purge(project, { $or: both })
    await purge(fresh(), { $eq: [field('id'), literal('d')] })
    expect(await ids()).toEqual(['d'])
    expect((await list(project, { limit: 1 })).total_count).toBe(1)
  })
  it('refuse all other expressions', async () => {
    const project = fresh()
    refused(await purge(project, { $eq: [field('weave_ref'), literal('x')] }))
    refused(await purge(project, { $in: [field('id'), [literal('x')]] }))
    refused(await purge(project, { $not: [{ $eq: [field('id'), literal('x')] }] }))
    refused(await purge(project, { $eq: [field('id'), literal(5)] }))
  })
  it('leave room for the same id', async () => {
    const project = fresh()
    await create(note(project, 'old', { id: 'x' }))
    await purge(project, { $eq: [field('id'), literal('x')] })
    await create(note(project, 'new', { id: 'x' }))
    expect((await list(project)).result.map(({ payload }: Row) => payload.note)).toEqual(['new'])
    await purge(project, { $eq: [field('id'), literal('x')] })
    expect((await list(project)).total_count).toBe(0)
  })
  it('put one in the place of another', async () => {
    const project = fresh()
    const { id } = await create(note(project, 'old'))
    const made = await ok('/feedback/replace', note(project, 'new', { feedback_id: id }))
    expect(made.id).not.toBe(id)
    const { result } = await list(project)
    expect(result.map((row: Row) => [row.id, row.payload.note])).toEqual([[made.id, 'new']])
    await ok('/feedback/replace', note(project, 'newer', { feedback_id: made.id, id: made.id }))
    await ok('/feedback/replace', note(project, 'newest', { feedback_id: made.id, id: made.id }))
    expect((await list(project)).result.map((row: Row) => [row.id, row.payload.note])).toEqual([
      [made.id, 'newest'],
    ])
  })
  it('change nothing where the new one is refused', async () => {
    const project = fresh()
    const { id } = await create(note(project, 'old'))
    refused(await service.post('/feedback/replace', note(project, '', { feedback_id: id })))
    refused(await service.post('/feedback/replace', note(project, 'x')), 422)
    expect((await list(project)).result[0].payload.note).toBe('old')
  })
})

describe('statistics', () => {
  const project = 'acme/counted'
  const monitor = (version: string) => `weave:///${project}/object/watch:${version}`
  const start = new Date(Date.now() - 3600_000).toISOString()
  const window = { project_id: project, start, feedback_type: 'wandb.runnable.judge' }
  beforeAll(async () => {
    const run = (output: unknown, version: string, more = {}) => ({
      project_id: project,
      weave_ref: callRef(project),
      feedback_type: 'wandb.runnable.judge',
      runnable_ref: `weave:///${project}/object/judge:v`,
      trigger_ref: monitor(version),
      payload: { output, 'a.b': 1, list: ['x', { y: 1 }], nothing: null },
      ...more,
    })
    await ok('/feedback/batch/create', {
      batch: [
        run({ score: 1, passed: true, label: 'a' }, 'd1'),
        run({ score: 2, passed: false, label: 'b' }, 'd1'),
        run({ score: 6, passed: true }, 'd2', {
          scorer_tags: ['slow', 'slow', 'rude'],
          scorer_ratings: { _rating_: 0.5 },
        }),
        run({ score: 'none', passed: 1 }, 'd3', {
          scorer_tags: ['slow'],
          scorer_ratings: { _rating_: 0.25, x: 1 },
        }),
        note(project, 'x'),
        {
          project_id: project,
          weave_ref: `weave:///${project}/agent_turn/t`,
          feedback_type: 'wandb.agent_user_feedback',
          payload: {},
          scorer_tags: ['good'],
          span_agent_name: 'bot',
        },
      ],
    })
  })

  it('aggregate values at paths', async () => {
    const stats = await ok('/feedback/stats', {
      ...window,
      metrics: [
        { json_path: 'output.score', aggregations: ['sum', 'avg', 'min', 'max', 'count'], percentiles: [50] },
        { json_path: 'output.passed', value_type: 'boolean', percentiles: [50] },
        { json_path: 'output.label', value_type: 'categorical' },
      ],
    })
    expect(stats).toMatchObject({ timezone: 'UTC', granularity: 300 })
    expect(stats.window_stats).toEqual({
      output_score: { sum: 9, avg: 3, min: 1, max: 6, count: 3, p50: 2 },
      output_passed: { count_true: 2, count_false: 1 },
      output_label: { count: 2 },
    })
    expect(stats.buckets.length).toBeGreaterThanOrEqual(12)
    const sum = (name: string) => stats.buckets.reduce((all: number, one: Row) => all + one[name], 0)
    expect([sum('count'), sum('sum_output_score'), sum('count_true_output_passed')]).toEqual([4, 9, 2])
    expect(stats.buckets[0]).toMatchObject({ count: 0, avg_output_score: null, count_true_output_passed: 0 })
  })
  it('look at what is asked for', async () => {
    const metrics = [{ json_path: 'output.score', aggregations: ['count'] }]
    const count = async (more: object) =>
      (await ok('/feedback/stats', { ...window, metrics, ...more })).window_stats.output_score.count
    expect(await count({ trigger_ref: monitor('d1') })).toBe(2)
    expect(await count({ trigger_ref: monitor('*') })).toBe(3)
    expect(await count({ trigger_ref: `weave:///${project}/object/wat:*` })).toBe(0)
    expect(await count({ feedback_type: 'platform.runnable.judge' })).toBe(3)
    expect(await count({ feedback_type: null })).toBe(3)
    expect(await count({ feedback_type: 'wandb.note.1' })).toBe(0)
    expect(await ok('/feedback/stats', window)).toMatchObject({ buckets: [], window_stats: null })
  })
  it('refuse times that can not be', async () => {
    const ask = (more: object) => service.post('/feedback/stats', { ...window, ...more })
    refused(await ask({ start: '2026-01-01T00:00:00Z', end: '2026-03-01T00:00:00Z' }), 422)
    refused(await ask({ timezone: 'Nowhere/City' }), 422)
    refused(await ask({ start: 'yesterday' }), 422)
    refused(await ask({ granularity: 0 }), 422)
  })
  it('tell which paths there are', async () => {
    const { paths } = await ok('/feedback/payload_schema', window)
    expect(paths).toEqual([
      { json_path: 'a\\.b', value_type: 'numeric' },
      { json_path: 'list', value_type: 'categorical' },
      { json_path: 'output.label', value_type: 'categorical' },
      { json_path: 'output.passed', value_type: 'categorical' },
      { json_path: 'output.score', value_type: 'categorical' },
    ])
    const one = await ok('/feedback/payload_schema', { ...window, trigger_ref: monitor('d2') })
    expect(one.paths).toContainEqual({ json_path: 'output.passed', value_type: 'boolean' })
    expect(one.paths).toContainEqual({ json_path: 'output.score', value_type: 'numeric' })
    refused(await service.post('/feedback/payload_schema', { ...window, sample_limit: 0 }), 422)
    const long = { start: '2025-01-01T00:00:00Z', end: '2026-06-01T00:00:00Z' }
    refused(await service.post('/feedback/payload_schema', { ...window, ...long }), 422)
  })
  it('tell the paths of all feedback that no trigger made', async () => {
    const mixed = fresh()
    const about = { project_id: mixed, weave_ref: callRef(mixed), feedback_type: 'own' }
    for (const payload of [{ a: 1 }, { b: { c: 'x' } }, { d: true }]) await create({ ...about, payload })
    const asked = { project_id: mixed, start }
    const names = async (more: object) =>
      (await ok('/feedback/payload_schema', { ...asked, ...more })).paths.map((one: Row) => one.json_path)
    expect(await names({})).toEqual(['a', 'b.c', 'd'])
    expect(await names({ sample_limit: 1 })).toEqual(['d'])
  })
  it('count tags and ratings', async () => {
    const span = { project_id: project, after_ms: Date.parse(start), before_ms: Date.now() + 60_000 }
    const ask = async (more: object = {}) =>
      (await ok('/feedback/aggregate', { ...span, time_bucket_seconds: 86_400 * 30, ...more })).buckets
    const total = (buckets: Row[]) => buckets.reduce((sum, one) => sum + one.total_count, 0)
    expect(await ask({ feedback_types: ['wandb.runnable.*'] })).toEqual([
      {
        time_bucket_start_ms: expect.any(Number),
        group: {},
        total_count: 4,
        scored_count: 2,
        tag_counts: { rude: 1, slow: 2 },
        rating_counts: { _rating_: 2, x: 1 },
        rating_sums: { _rating_: 0.75, x: 1 },
      },
    ])
    expect(total(await ask())).toBe(6)
    expect(total(await ask({ tags: ['rude', 'good'] }))).toBe(2)
    expect(total(await ask({ rating_min: 0.3 }))).toBe(1)
    expect(total(await ask({ rating_max: 0.3 }))).toBe(1)
    expect(total(await ask({ monitor_ids: ['watch'] }))).toBe(4)
    expect(total(await ask({ monitor_ids: ['wat'] }))).toBe(0)
    expect(total(await ask({ monitor_ids: ['wat*'], scorer_ids: ['judge'] }))).toBe(4)
    expect(total(await ask({ span_agent_names: ['bot'] }))).toBe(1)
    expect(total(await ask({ span_types: ['agent_turn'] }))).toBe(1)
    expect(total(await ask({ span_types: ['agent_conversation'] }))).toBe(0)
    const groups = await ask({ group_by: ['scorer_id', 'span_status_code'] })
    expect(groups.map(({ group, total_count }: Row) => [group, total_count])).toEqual([
      [{ scorer_id: '', span_status_code: 'UNSET' }, 2],
      [{ scorer_id: 'judge', span_status_code: 'UNSET' }, 4],
    ])
    const automatic = await ok('/feedback/aggregate', span)
    expect(automatic).toMatchObject({ time_bucket_seconds: 300, after_ms: span.after_ms })
    expect(total(automatic.buckets)).toBe(6)
    refused(await service.post('/feedback/aggregate', { ...span, before_ms: span.after_ms }), 422)
    refused(await service.post('/feedback/aggregate', { ...span, after_ms: 0, time_bucket_seconds: 1 }), 422)
    expect((await ok('/feedback/aggregate', { ...span, after_ms: 0 })).buckets.length).toBeGreaterThan(0)
  })
})
