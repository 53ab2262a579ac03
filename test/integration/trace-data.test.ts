/** Training data out of a real tracing interface: which rows come, for whom, and what is said of the rest. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { sourceOfUrl, TrainingDataSource } from '../../contract/training-data.js'
import { App } from '../../platform/http/app.js'
import { Principal } from '../../platform/http/principal.js'
import { writeCalls } from '../../query/testing/calls.js'
import { startService, type TestService } from '../../query/testing/service.js'
import { traceDataRoutes } from '../../training-api/from-traces/routes.js'
import { traceLines } from '../../training-api/from-traces/trace-lines.js'
import { problemBody } from '../../training-api/problem.js'

let tracing: TestService
let training: App
let url: string
let dataset: string
/** a dataset whose rows are refs, as the SDKs write what comes from another object */
let referring: string
const project = 'acme/one'

beforeAll(async () => {
  tracing = await startService((store) => createReads({ store, version: 'test' }).routes)
  training = new App(
    traceDataRoutes(() => tracing.url),
    {
      heldBytes: 1 << 20,
      authenticate: () => new Principal('u', 'u', []),
      errorBody: problemBody,
    },
  )
  url = `http://127.0.0.1:${await training.listen(0)}`
  const times = { started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z' }
  await writeCalls(tracing.store, project, [
    ...['good', 'bad', 'unjudged'].map((id) => ({
      ...times,
      id,
      op_name: 'chat',
      inputs: '{"messages":[{"role":"user","content":"Hi"}]}',
      output: JSON.stringify(`I am ${id}.`),
    })),
    { ...times, id: 'failed', op_name: 'chat', inputs: '{"messages":[]}', exception: 'boom' },
    { ...times, id: 'other', op_name: 'sum', inputs: '{"a":1}', output: '2' },
  ])
  for (const [id, emoji] of [
    ['good', '👍'],
    ['bad', '👎🏽'],
  ])
    expect(
      (
        await tracing.post('/feedback/create', {
          project_id: project,
          weave_ref: `weave:///${project}/call/${id}`,
          feedback_type: 'wandb.reaction.1',
          payload: { emoji },
        })
      ).status,
    ).toBe(200)
  const made = await tracing.post(`/v2/${project}/datasets`, {
    name: 'pairs',
    rows: [{ question: 'Who?', answer: 'Me.' }, { question: 'Who?' }, { question: 'How?', answer: 'So.' }],
  })
  expect(made.status).toBe(200)
  dataset = `weave:///${project}/object/pairs:${made.json.digest}`
  const { row_digests: digests } = (
    await tracing.post('/table/create', {
      table: { project_id: project, rows: [{ question: 'Who?', answer: 'Me.' }] },
    })
  ).json
  const create = async (to: string, object_id: string, val: object) => {
    const { json } = await tracing.post('/obj/create', { obj: { project_id: to, object_id, val } })
    return `weave:///${to}/object/${object_id}:${json.digest}`
  }
  const bot = await create(project, 'bot', {
    system: 'Be kind.',
    prompt: { _class_name: 'StringPrompt', content: 'Be brief.' },
  })
  const foreign = await create('other/two', 'bot', { system: 'Theirs.' })
  const rows = ['system', 'prompt', 'none'].map((path) => ({
    messages: [
      { role: 'system', content: `${bot}/attr/${path}` },
      { role: 'user', content: `${dataset}/attr/rows/id/${digests[0]}/key/question` },
    ],
    answer: 'Me.',
  }))
  const messages = [{ role: 'user', content: `${foreign}/attr/system` }]
  const chained = await create(project, 'chained', { system: `${bot}/attr/system` })
  const referred = await tracing.post(`/v2/${project}/datasets`, {
    name: 'referring',
    rows: [
      ...rows,
      { messages, answer: 'Me.' },
      { messages: [{ role: 'user', content: `${chained}/attr/system` }], answer: 'Me.' },
    ],
  })
  referring = `weave:///${project}/object/referring:${referred.json.digest}`
})
afterAll(async () => {
  await training.stop(1000)
  await tracing.stop()
})

async function preview(body: object, key = 'one') {
  const answer = await fetch(`${url}/v1/preview/training-data/preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { left_out: { reason: string; ids: string[] }[]; examples: unknown[] },
  }
}

const reaction = { from: 'reaction' }
const messages = (answer: string, question = 'Hi') => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer },
]

describe('a preview', () => {
  it('shows what calls a query finds, and why some are left out', async () => {
    const { status, body } = await preview({ training_data: { calls: { project_id: project } } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      examples: [
        { messages: messages('I am bad.') },
        { messages: messages('I am good.') },
        { messages: messages('I am unjudged.') },
      ],
      rows_read: 5,
      rows_used: 3,
      has_more: false,
      left_out: [
        { reason: 'failed', count: 1, ids: ['failed'] },
        { reason: 'no_messages', count: 1, ids: ['other'] },
      ],
    })
  })

  it('takes those with a reaction by a query', async () => {
    const emoji = { $getField: 'feedback.[wandb.reaction.1].payload.emoji' }
    const query = { $expr: { $eq: [emoji, { $literal: '👍' }] } }
    const { body } = await preview({ training_data: { calls: { project_id: project, query } } })
    expect(body).toMatchObject({ rows_read: 1, examples: [{ messages: messages('I am good.') }] })
  })

  it('takes those with a reaction by their reward', async () => {
    const asked = { calls: { project_id: project }, reward: reaction, min_reward: 1 }
    const { body } = await preview({ training_data: asked, rows: 5 })
    expect(body).toMatchObject({
      examples: [{ messages: messages('I am good.') }],
      rows_used: 1,
      has_more: true,
      mean_reward: 1,
    })
    expect(body.left_out.map((one: { reason: string; ids: string[] }) => [one.reason, one.ids])).toEqual([
      ['no_reward', ['other', 'unjudged']],
      ['low_reward', ['bad']],
      ['failed', ['failed']],
    ])
  })

  it('shows groups', async () => {
    const calls = { project_id: project, filter: { op_names: ['chat'] } }
    const { body } = await preview({ kind: 'rl', training_data: { calls, reward: reaction } })
    expect(body.examples).toMatchObject([{ trajectories: [{ reward: 0 }, { reward: 1 }] }])
    expect(body).toMatchObject({ examples_found: 1, rows_used: 2, mean_reward: 0.5 })
  })

  it('shows a dataset', async () => {
    const { body } = await preview({ training_data: { dataset: dataset.replace('weave:', 'heddle:') } })
    expect(body).toMatchObject({
      examples: [{ messages: messages('Me.', 'Who?') }, { messages: messages('So.', 'How?') }],
      left_out: [{ reason: 'no_answer', ids: ['1'] }],
    })
  })

  it('shows the values of refs, and leaves out what can not be read', async () => {
    const { body } = await preview({ training_data: { dataset: referring } })
    const prompted = (system: string) => [{ role: 'system', content: system }, ...messages('Me.', 'Who?')]
    expect(body.examples).toEqual([
      { messages: prompted('Be kind.') },
      { messages: prompted('Be brief.') },
      { messages: messages('Me.', 'Be kind.') },
    ])
    expect(body.left_out).toMatchObject([{ reason: 'unresolved_ref', count: 2, ids: ['2', '3'] }])
  })

  it.each<[string, object, number]>([
    ['neither', {}, 422],
    ['both', { dataset: 'weave:///acme/one/object/x:1', calls: { project_id: project } }, 422],
    ['no ref', { dataset: 'https://example.com' }, 422],
    ['a ref of a call', { dataset: 'weave:///acme/one/call/x' }, 422],
    ['a dataset that is not there', { dataset: 'weave:///acme/one/object/none:latest' }, 404],
    [
      'an unknown field',
      { calls: { project_id: project, query: { $expr: { $eq: [{ $getField: 'no' }, { $literal: 1 }] } } } },
      422,
    ],
    ['a reward and nothing to compare with', { calls: { project_id: project }, min_reward: 1 }, 422],
  ])('says what is wrong: %s', async (_, training_data, status) => {
    const answer = await preview({ training_data })
    expect([answer.status, answer.body]).toEqual([status, answer.body])
    expect(JSON.stringify(answer.body)).toMatch(/error|detail/)
  })

  it('shows groups that a scorer is to reward', async () => {
    const calls = { project_id: project, filter: { op_names: ['chat'] } }
    const reward = { scorer: `weave:///${project}/object/judge:latest` }
    const { body } = await preview({ kind: 'rl', training_data: { calls }, reward })
    expect(body).toMatchObject({ examples_found: 1, rows_used: 3, mean_reward: null })
    const [{ trajectories }] = body.examples as [{ trajectories: object[] }]
    expect(trajectories.filter((one) => 'reward' in one)).toEqual([])
    const twice = await preview({ kind: 'rl', training_data: { calls, reward: reaction }, reward })
    expect(twice).toMatchObject({ status: 422, body: { error: { reason: 'TWO_REWARDS' } } })
  })

  it('needs rewards for RL', async () => {
    const answer = await preview({ kind: 'rl', training_data: { dataset } })
    expect(answer).toMatchObject({ status: 422, body: { error: { reason: 'NO_REWARD' } } })
  })

  it.each([
    ['calls', () => ({ calls: { project_id: 'other/two' } })],
    ['a dataset', () => ({ dataset: 'weave:///other/two/object/x:latest' })],
  ])('gives nobody what the key may not read: %s', async (_, source) => {
    expect((await preview({ training_data: source() })).status).toBe(403)
  })
})

describe('lines for a job', () => {
  const lines = async (source: TrainingDataSource | undefined) => {
    const read = traceLines(() => tracing.url)
    const asked = {
      kind: 'sft',
      credentials: { authorization: 'Bearer one' },
      signal: AbortSignal.timeout(10_000),
    } as const
    const found: unknown[] = []
    for await (const line of read({ ...asked, source: source! })) found.push(JSON.parse(line))
    return found
  }

  it('are the examples', async () => {
    expect(await lines(sourceOfUrl(dataset))).toEqual([
      { messages: messages('Me.', 'Who?') },
      { messages: messages('So.', 'How?') },
    ])
  })

  it('are told of what is left out', async () => {
    const read = traceLines(() => tracing.url)
    const source = TrainingDataSource.parse({ calls: { project_id: project } })
    const told: string[] = []
    const asked = {
      source,
      kind: 'sft',
      credentials: { authorization: 'Bearer one' },
      signal: AbortSignal.timeout(10_000),
    } as const
    for await (const _ of read({ ...asked, told: (sentence) => told.push(sentence) }));
    expect(told).toEqual([expect.stringMatching(/^2 rows were left out: 1 × .*exception\. 1 × No messages/)])
  })

  it('are refused where there are none, with reasons', async () => {
    const source = TrainingDataSource.parse({ calls: { project_id: project, filter: { op_names: ['sum'] } } })
    await expect(lines(source)).rejects.toThrow('All 1 rows were left out: 1 × No messages')
    const none = TrainingDataSource.parse({ calls: { project_id: project, filter: { op_names: ['x'] } } })
    await expect(lines(none)).rejects.toThrow('The source has no rows.')
  })

  it('are refused where an object has something else than rows', async () => {
    const obj = { project_id: project, object_id: 'odd', val: { rows: 'of corn' } }
    expect((await tracing.post('/obj/create', { obj })).status).toBe(200)
    const odd = sourceOfUrl(`weave:///${project}/object/odd:latest`)
    await expect(lines(odd)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('not a dataset'),
    })
  })

  it('are no business of other urls', () => {
    expect(sourceOfUrl('https://example.com/train.jsonl')).toBeUndefined()
    expect(() => sourceOfUrl('weave:///acme/one/op/x:1')).toThrow('is not a ref of a dataset')
  })
})
