/**
 * Rewards that the service gives before a job is trained, by a judge with a rubric, also when the worker is killed between the
 * judge and the training; and jobs that are paused when their reward rises while what it stands for falls.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Row } from '../support/api.js'
import { at, complete, v2 } from '../support/calls.js'
import type { ChatEndpoint } from '../support/chat-server.js'
import { finished } from '../support/command.js'
import { Evaluations } from '../support/evaluations.js'
import { freshProject } from '../support/ids.js'
import { isAlive, signal } from '../support/processes.js'
import { Receiver } from '../support/receiver.js'
import { root } from '../support/root.js'
import { sharedChat } from '../support/shared-server.js'
import { Stub } from '../support/stub.js'
import { until } from '../support/until.js'

let chat: ChatEndpoint
let provider: Stub
beforeAll(async () => {
  provider = await Stub.start('chat-provider')
  chat = await sharedChat()
})
afterAll(() => provider?.stop())

interface Job {
  id: string
  status: string
  preparing: string | null
  error_code: string | null
  error_message: string | null
}

interface Event {
  id: string
  type: string
  data: Row
}

async function ask<T>(path: string, body?: object, status = 200): Promise<T> {
  const answer = await fetch(`${chat.url}/v1/preview${path}`, {
    headers: chat.authorization,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([status, text])
  return JSON.parse(text) as T
}

const eventsOf = async (id: string) =>
  (await ask<{ data: Event[] }>(`/training-jobs/${id}/events?limit=100`)).data

/** Waits until the job has one of these states. */
const reached = (id: string, ...states: string[]) =>
  until(`the job to be ${states.join(' or ')}`, async () => {
    const job = await ask<Job>(`/training-jobs/${id}`)
    return states.includes(job.status) && job
  })
const over = (id: string) => reached(id, 'completed', 'failed', 'cancelled')

async function objects(project = freshProject()): Promise<Evaluations> {
  const made = new Evaluations(chat.server.api, project)
  const val = { name: 'stub', base_url: provider.url, api_key_name: 'STUB_KEY' }
  await chat.server.cliWith('a-key', 'secrets', 'set', made.project, 'STUB_KEY', '--for', provider.url)
  const obj = { project_id: made.project, object_id: 'stub', builtin_object_class: 'Provider', val }
  await chat.server.api.ok('/obj/create', { obj })
  return made
}

async function modelIn(of: string): Promise<string> {
  const [entity, project] = of.split('/')
  return (await ask<{ id: string }>('/models', { entity, project, name: 'tuned', base_model: 'demo' })).id
}

const group = (question: string, answers: [words: number, reward?: number][]) => ({
  trajectories: answers.map(([words, reward]) => ({
    messages_and_choices: [
      { role: 'user', content: question },
      {
        ...{ index: 0, finish_reason: 'stop' },
        message: { role: 'assistant', content: Array(words).fill('word').join(' ') },
      },
    ],
    ...(reward !== undefined && { reward }),
  })),
})

/** Groups that a judge rewards. */
const JUDGED = 14
const TYPES = (events: readonly Event[]) => events.map(({ type }) => type)

it('a judge rewards each group once, although the worker is killed between two of them', async () => {
  const made = await objects()
  const rubric = await made.scorer('long', 'Rubric', {
    model: 'custom::stub::ranker',
    criteria: [{ name: 'long', description: 'it has many words' }],
  })
  const model = await modelIn(made.project)
  const plain = Array.from({ length: JUDGED - 2 }, (_, i) => group(`Question ${i}?`, [[1], [3], [3], [8]]))
  const odd = [group('nonsense', [[2], [4]]), group('hopeless', [[2], [4]])]
  const own = [
    group('With rewards', [
      [1, 1],
      [2, 0],
    ]),
    group('Mixed', [[1, 1], [2]]),
  ]
  const worker = chat.processOf('evaluation-worker')
  const { id, preparing } = await ask<Job>('/training-jobs', {
    ...{ model_id: model, trajectory_groups: [...plain, ...odd, ...own], reward: { scorer: rubric } },
  })
  expect(preparing).toBe('rewards')
  await until('some groups to have rewards', async () => (await eventsOf(id)).length >= 3)
  signal(worker, 'SIGKILL')
  await until('it to be gone', () => !isAlive(worker))
  expect(await over(id)).toMatchObject({ status: 'completed', preparing: null })

  const events = await eventsOf(id)
  const given = events.filter(({ type }) => type === 'group_rewarded')
  const refused = events.filter(({ type }) => type === 'group_refused')
  expect(given.map(({ data }) => data.group).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: JUDGED - 1 }, (_, i) => i),
  )
  expect(given.find(({ data }) => data.group === 0)!.data).toMatchObject({
    scorer: rubric,
    rewards: [0.1, 0.3, 0.3, 0.8].map((value) => ({ value, reason: `it has ${value * 10} words` })),
    usage: { ranker: { requests: 1, prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } },
  })
  // The judge was told what was wrong, and asked once more.
  expect(given.find(({ data }) => data.group === JUDGED - 2)!.data).toMatchObject({
    rewards: [{ value: 0.2 }, { value: 0.4 }],
    usage: { ranker: { requests: 2 } },
  })
  expect(refused.map(({ data }) => [data.group, data.code]).sort()).toEqual([
    [JUDGED - 1, 'BAD_SCORES'],
    [JUDGED + 1, 'MIXED_REWARDS'],
  ])
  // Preparation comes first, and then all that a job without it tells.
  const prepared = given.length + refused.length
  expect(TYPES(events.slice(prepared))).toEqual([
    ...['training_started', 'gradient_step', 'gradient_step', 'training_ended'],
  ])
  const { data: steps } = await ask<{ data: { step: number; metrics: Row }[] }>(
    `/training-jobs/${id}/metrics`,
  )
  expect(steps.map(({ step }) => step)).toEqual([1, 2])
  expect(steps[0]!.metrics).toMatchObject({ num_groups_submitted: 8, num_trajectories: 32 })
  expect(steps[0]!.metrics.reward).toBeCloseTo(0.375, 6)
  const { data: samples } = await ask<{ data: { sample: Row }[] }>(`/training-jobs/${id}/samples`)
  expect(samples).toHaveLength(JUDGED)

  // What the worker had in its hand when it was killed may have been asked for twice, and is counted once.
  const asked = (await (await fetch(`${provider.url}/seen`)).json()) as { model: string; text: string }[]
  const judged = asked.filter((one) => one.model === 'ranker').length
  expect(judged - (JUDGED + 2)).toBeOneOf([0, 1])
  const calls = await chat.server.api.calls(made.project, {})
  const judgements = calls.filter((call) => String(call.op_name).includes('long.score'))
  expect(judgements).toHaveLength(JUDGED + 1)
  const requests = judgements.map(
    (call) => (call.summary as { usage?: { ranker?: { requests: number } } }).usage?.ranker?.requests ?? 0,
  )
  expect(requests.reduce((sum, one) => sum + one, 0)).toBe(JUDGED + 2)
})

it('a job without a group that can be rewarded fails, and a scorer that can not be run is refused', async () => {
  const made = await objects()
  const model = await modelIn(made.project)
  const shape = await made.scorer('short', 'RegexScorer', { pattern: '^word$' })
  const groups = [group('?', [[1], [2]])]
  const body = { model_id: model, trajectory_groups: groups }
  const plain = await ask<Job>('/training-jobs', { ...body, reward: { scorer: shape } })
  expect(await over(plain.id)).toMatchObject({ status: 'completed' })
  expect((await eventsOf(plain.id))[0]!.data.rewards).toEqual([
    { value: 1, reason: '' },
    { value: 0, reason: '' },
  ])
  const wrong = await ask<Job>('/training-jobs', { ...body, reward: { scorer: shape, path: 'letters' } })
  expect(await over(wrong.id)).toMatchObject({ status: 'failed', error_code: 'NOT_PREPARED' })
  expect(TYPES(await eventsOf(wrong.id))).toEqual(['group_refused', 'training_failed'])
  const code = await made.scorer('code', 'MyScorer')
  await ask('/training-jobs', { ...body, reward: { scorer: code } }, 400)
  await ask('/training-jobs', { ...body, check: { dataset: code } }, 422)
})

it('a scorer that a user runs rewards the answers of traces, each once, and again for as long as it is busy', async () => {
  const receiver = await Receiver.start()
  onTestFinished(() => receiver.stop())
  const made = await objects()
  const { project } = made
  const model = await modelIn(project)
  await chat.server.cliWith('T0', 'secrets', 'set', project, 'SCORER_TOKEN', '--for', receiver.url)
  const inputs = { messages: [{ role: 'user', content: 'Which?' }] }
  const batch = ['short', 'rather long', 'the longest of them all'].map((output, i) =>
    complete(project, { op_name: 'chat', inputs, output, started_at: at(i / 10) }),
  )
  await chat.server.api.ok(v2(project, 'calls/complete'), { batch })
  // More often than it is asked at once.
  let busy = 4
  receiver.answer = (response, { body }) => {
    const { original_call: call } = JSON.parse(body) as { original_call: { output: string } }
    const result = { scores: [{ value: 'fine' }, { value: call.output.length / 100 }] }
    if (busy-- > 0) response.writeHead(503).end()
    else response.end(JSON.stringify({ schema_version: 1, result }))
  }
  const auth_config = { mode: 'static_bearer', bearer_secret_name: 'SCORER_TOKEN' }
  const endpoint_url = `${receiver.url}/score`
  const scorer = await made.scorer('length', 'RemoteScorer', { endpoint_url, auth_config })
  const asked = ['--calls', project, '--op', 'chat', '--reward', scorer, '--reward-path', 'scores.1.value']
  const rl = ['train', '--model', `${project}/tuned`, '--method', 'rl', ...asked]
  expect(await chat.server.cli(...rl, '--preview')).toContain('3 of 3 rows would be used')
  expect(receiver.got).toEqual([])
  expect(await chat.server.cli(...rl)).toContain('tuned:step1')
  const { data: jobs } = await ask<{ data: Job[] }>(`/training-jobs?model_id=${model}`)
  const [{ id }] = jobs as [Job]
  const given = [0.05, 0.11, 0.23].map((value) => ({ value, reason: '' }))
  expect((await eventsOf(id))[0]).toMatchObject({ type: 'group_rewarded', data: { rewards: given } })
  const got = receiver.got.map(({ headers, body }) => ({ headers, body: JSON.parse(body) as Row }))
  expect(got).toHaveLength(3 + 4)
  const { data: logs } = await ask<{ data: { message: string }[] }>(`/training-jobs/${id}/logs`)
  const waited = 'length is busy or away: The scorer answered 503. It is asked again for up to 15 minutes.'
  expect(logs.map(({ message }) => message)).toContain(waited)
  expect(got[0]!.headers).toMatchObject({ authorization: 'Bearer T0', 'x-weave-schema-version': '1' })
  expect(new Set(got.map(({ headers }) => headers['idempotency-key'])).size).toBe(3)
  const judgement = (await chat.server.api.calls(project, {})).find(({ op_name }) =>
    String(op_name).includes('length.score'),
  )!
  expect(got[1]!.body).toMatchObject({
    original_call: {
      ...{ project_id: project, trace_id: judgement.id, op_name: 'training.answer', output: 'short' },
      inputs: { user_input: 'Which?', messages: [{ role: 'user', content: 'Which?' }] },
    },
    ...{ scoring_call_id: judgement.id, scorer: { name: 'length', ref: scorer } },
  })
  const training_data = { calls: { project_id: project }, reward: { from: 'reaction' } }
  await ask('/training-jobs', { model_id: model, training_data, reward: { scorer } }, 422)
})

it('a job is paused when the reward rises while the held-out score falls, and goes on when it is resumed', async () => {
  const made = await objects()
  const model = await modelIn(made.project)
  const judge = await made.scorer('falling', 'LLMAsAJudgeScorer', {
    scoring_prompt: 'How good is {output}?',
    model: {
      ...{ _type: 'LLMStructuredCompletionModel', _class_name: 'LLMStructuredCompletionModel' },
      _bases: ['Model', 'Object', 'BaseModel'],
      ...{ llm_model_id: 'custom::stub::falling', default_params: { response_format: 'json_object' } },
    },
  })
  const { object_id, digest } = await chat.server.api.ok(`/v2/${made.project}/datasets`, {
    name: 'held-out',
    rows: [{ user_input: 'What is the capital of France?' }],
  })
  const dataset = `weave:///${made.project}/object/${object_id}:${digest}`
  const check = { dataset, scorer: judge, max_tokens: 4, window: 3 }
  const trained = (reward: number) =>
    ask<Job>('/training-jobs', {
      ...{ model_id: model, check },
      trajectory_groups: [
        group('?', [
          [1, reward - 0.1],
          [2, reward + 0.1],
        ]),
      ],
    })
  for (const reward of [0.2, 0.4])
    expect(await over((await trained(reward)).id)).toMatchObject({ status: 'completed' })
  const { id } = await trained(0.6)
  const later = await trained(0.8)
  await reached(id, 'paused')
  const events = await eventsOf(id)
  expect(TYPES(events)).toEqual(['held_out_check', 'training_paused'])
  expect(events[1]!.data).toMatchObject({
    reason: expect.stringContaining('the training reward rose by 0.40, and the held-out score fell by 0.20'),
    checks: [
      { step: 0, reward: 0.2, held_out: 1 },
      { step: 1, reward: 0.4, held_out: 0.9 },
      { step: 2, reward: 0.6, held_out: 0.8 },
    ],
  })
  // The jobs behind it wait.
  expect(await ask<Job>(`/training-jobs/${later.id}`)).toMatchObject({ status: 'queued', preparing: 'check' })
  await ask(`/training-jobs/${id}/resume`, {})
  expect(await over(id)).toMatchObject({ status: 'completed' })
  expect(TYPES(await eventsOf(id)).slice(0, 4)).toEqual([
    ...['held_out_check', 'training_paused', 'training_resumed', 'training_started'],
  ])
  // What was seen before is not held against the next ones.
  expect(await over(later.id)).toMatchObject({ status: 'completed' })
  await over((await trained(1)).id)
  const last = await trained(1.2)
  await reached(last.id, 'paused')
  await ask(`/training-jobs/${last.id}/cancel`, {})
  expect(await ask<Job>(`/training-jobs/${last.id}`)).toMatchObject({ status: 'cancelled' })
})

it('the guide: a rubric and a dataset by its commands, and its script, which trains by their rewards', async () => {
  await objects('acme/short')
  const guide = readFileSync(join(root, 'docs/guides/rewards.md'), 'utf8')
  const [, commands = ''] = /```sh\nexport [^\n]*\n(.*?)```/s.exec(guide) ?? []
  const { PATH, HOME } = process.env
  const env = {
    ...{ PATH, HOME, WF_TRACE_SERVER_URL: chat.server.url, WANDB_API_KEY: chat.server.key },
    ...{ JUDGE: 'custom::stub::ranker', ...chat.clientEnv },
  }
  const published = await finished('bash', ['-ec', commands], env, 30)
  expect([published.code, published.stderr]).toEqual([0, ''])
  const script = join(root, 'docs/guides/rewards.py')
  const { code, stdout, stderr } = await finished(join(root, '.venv/bin/python'), [script], env, 60)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^(step \d: mean reward [01]\.\d\d, held out [01]\.\d\d\n){3}$/)
})
