import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import type { ChatEndpoint } from '../../test/support/chat-server.js'
import { Evaluations } from '../../test/support/evaluations.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { sharedChat } from '../../test/support/shared-server.js'
import { Stub } from '../../test/support/stub.js'
import { inspect, visitOf } from './chromium.js'
import { Clicks } from './clicks.js'

const project = `flow/${hex(4)}`
const training = `/${project}/weave/training`
let chat: ChatEndpoint

const asked = (content: string, answer: string) => ({
  ...complete(project),
  op_name: 'answer',
  inputs: { model: 'demo', messages: [{ role: 'user', content }] },
  output: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer } }] },
})

beforeAll(async () => {
  chat = await sharedChat()
  const batch = [
    asked('What is felt?', 'Pressed wool.'),
    asked('What is the weft?', 'The thread across.'),
    { ...asked('What is a loom?', 'no'), exception: 'ValueError: no' },
  ]
  await chat.server.api.ok(v2(project, 'calls/complete'), { batch })
})

it('from traces to a checkpoint that is talked to beside its base', async () => {
  const page = await visitOf(chat.server, `/${project}/weave/traces`)
  await page.getByRole('link', { name: 'Train on these' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('heading', { name: '2 of 3 rows would be trained on' }).waitFor()
  await page.getByText('1 left out').waitFor()
  await page
    .getByRole('article', { name: /^Example/ })
    .getByText('Pressed wool.')
    .waitFor()
  await inspect(page)
  await page.getByLabel('New or existing model').fill('weaver')
  await page.getByLabel('Learning rate').fill('0.005')
  await page.getByLabel('Epochs').fill('10')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  const jobs = page.getByRole('navigation', { name: 'Jobs' })
  await jobs.getByText('completed 10/10').waitFor({ timeout: 120_000 })
  const loss = page.getByRole('figure', { name: 'Loss', exact: true })
  await loss.getByText('weaver').waitFor()
  expect(await loss.locator('canvas').count()).toBe(1)
  await inspect(page)
  await page.getByLabel('all metrics').check()
  await page.getByRole('figure').nth(4).waitFor()
  await page.reload()
  await page.getByRole('figure').nth(4).waitFor()
  await page.getByRole('tab', { name: 'Samples', exact: true }).click()
  await page
    .getByRole('article', { name: /^Sample/ })
    .getByText('The thread across.')
    .waitFor()
  await inspect(page)
  await page.getByRole('tab', { name: 'Log', exact: true }).click()
  await page.getByText('1 rows were left out').waitFor()
  await page.getByRole('tab', { name: 'Checkpoints', exact: true }).click()
  await inspect(page)
  await page.getByRole('link', { name: 'Chat beside its base' }).click()
  await page.getByRole('textbox', { name: 'Message 1' }).fill('What is felt?')
  await page.getByLabel('Temperature').fill('0')
  await page.getByLabel('Max tokens').fill('20')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  for (const number of [1, 2])
    await page
      .getByRole('region', { name: `Answer ${number}` })
      .getByText('done after')
      .waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

it('the answers of a reinforcement job are shown with their rewards, and jobs are compared', async () => {
  const { entity, name } = { entity: project.split('/')[0], name: project.split('/')[1] }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${chat.url}/v1/preview${path}`, {
      method: 'POST',
      headers: chat.authorization,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { id: string }
  }
  const model = await post('/models', { entity, project: name, name: 'player', base_model: 'demo' })
  const answered = (content: string, reward: number) => ({
    messages_and_choices: [
      { role: 'user', content: 'Heads or tails?' },
      { index: 0, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', content } },
    ],
    reward,
  })
  await post('/training-jobs', {
    model_id: model.id,
    trajectory_groups: [{ trajectories: [answered('Heads', 0), answered('Tails', 1)] }],
    experimental_config: { precalculate_logprobs: true },
  })
  const page = await visitOf(chat.server, `${training}?tab=samples`)
  await page.getByRole('navigation', { name: 'Jobs' }).getByText('player').waitFor()
  const group = page.getByRole('article', { name: 'Sample 1' })
  await group.getByText('Tails', { exact: true }).waitFor()
  await group.getByText('Reward 0').click()
  await group.getByText('Heads', { exact: true }).waitFor()
  await inspect(page)
  await page
    .getByRole('navigation', { name: 'Jobs' })
    .getByText('completed')
    .nth(1)
    .waitFor({ timeout: 120_000 })
  await page.getByRole('tab', { name: 'Curves', exact: true }).click()
  await page.getByRole('checkbox', { name: /weaver/ }).check()
  await page.getByRole('figure').first().getByText('weaver').waitFor()
  await inspect(page)
})

it('the rewards of a judge are shown with their reasons, and a paused job with both curves until it is resumed', async () => {
  const provider = await Stub.start('chat-provider')
  onTestFinished(() => provider.stop())
  const made = new Evaluations(chat.server.api, `flow/${hex(4)}`)
  const [entity, name] = made.project.split('/')
  await chat.server.cliWith('a-key', 'secrets', 'set', made.project, 'STUB_KEY', '--for', provider.url)
  const val = { name: 'stub', base_url: provider.url, api_key_name: 'STUB_KEY' }
  const obj = { project_id: made.project, object_id: 'stub', builtin_object_class: 'Provider', val }
  await chat.server.api.ok('/obj/create', { obj })
  const told = { op_name: 'tell', inputs: { messages: [{ role: 'user', content: 'Tell me.' }] } }
  const batch = ['a b', 'a b c d'].map((output) => ({ ...complete(made.project), ...told, output }))
  await chat.server.api.ok(v2(made.project, 'calls/complete'), { batch })
  const fields = { model: 'custom::stub::ranker', criteria: [{ name: 'long' }] }
  const scorer = await made.scorer('long', 'Rubric', fields)
  const falling = await made.scorer('falling', 'LLMAsAJudgeScorer', {
    scoring_prompt: '{output}',
    model: {
      ...{ _type: 'LLMStructuredCompletionModel', _class_name: 'LLMStructuredCompletionModel' },
      _bases: ['Model', 'Object', 'BaseModel'],
      ...{ llm_model_id: 'custom::stub::falling', default_params: { response_format: 'json_object' } },
    },
  })
  const rows = [{ user_input: 'What is felt?' }]
  const { object_id, digest } = await chat.server.api.ok(v2(made.project, 'datasets'), { name: 'held', rows })
  const dataset = `weave:///${made.project}/object/${object_id}:${digest}`
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${chat.url}/v1/preview${path}`, {
      method: 'POST',
      headers: chat.authorization,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { id: string }
  }
  const model = await post('/models', { entity, project: name, name: 'pleaser', base_model: 'demo' })
  const answer = (words: number) => ({
    messages_and_choices: [
      { role: 'user', content: 'Tell me more.' },
      {
        ...{ index: 0, finish_reason: 'stop' },
        message: { role: 'assistant', content: Array(words).fill('more').join(' ') },
      },
    ],
  })
  for (const words of [1, 3, 5])
    await post('/training-jobs', {
      model_id: model.id,
      trajectory_groups: [{ trajectories: [answer(words), answer(words + 1)] }],
      reward: { scorer },
      check: { dataset, scorer: falling, max_tokens: 4, window: 3 },
    })
  const page = await visitOf(chat.server, `/${made.project}/weave/training?tab=rewards`)
  const pause = page.getByRole('region', { name: 'Why it is paused' })
  await pause.getByText('the held-out score fell by 0.20').waitFor({ timeout: 120_000 })
  await pause.getByRole('figure', { name: 'Training reward and held-out score' }).waitFor()
  const group = page.getByRole('article', { name: 'Group 1' })
  await group.getByText('it has 6 words').waitFor()
  await page.getByText('on 1 held-out row;').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page
    .getByRole('navigation', { name: 'Jobs' })
    .getByText('completed')
    .nth(2)
    .waitFor({ timeout: 120_000 })
  await expect.poll(() => pause.count()).toBe(0)
  await page.getByRole('tab', { name: 'Curves', exact: true }).click()
  await page.getByRole('figure', { name: 'Held-out score' }).waitFor()
  await inspect(page)

  await page.goto(`/${made.project}/weave/training/new?calls=true`)
  await page.getByLabel(/^How/).selectOption('rl')
  await page.getByLabel(/^Reward/).selectOption('judge')
  await page.getByLabel(/^Scorer/).selectOption('long')
  await page.getByText('Watch it on rows').click()
  await page.getByLabel('Held-out dataset').selectOption('held')
  await page.getByLabel('Who scores its answers').selectOption('falling')
  await page.getByLabel('Tokens of an answer').fill('4')
  await inspect(page)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('heading', { name: '2 of 8 rows would be trained on' }).waitFor()
  await page.getByLabel('New or existing model').fill('by-hand')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.waitForURL(/jobs=/)
  await page.getByRole('tab', { name: 'Rewards', exact: true }).click()
  await page.getByRole('article', { name: 'Group 1' }).getByText('it has 4 words').waitFor()
  await page.getByText('on 1 held-out row;').waitFor({ timeout: 60_000 })
})

it('twenty bad answers are a dataset, are judged, trained on and compared: twenty-five clicks', async () => {
  const own = `flow/${hex(4)}`
  const { api } = chat.server
  const ids = Array.from({ length: 22 }, () => uuid7())
  const batch = ids.map((id, i) => ({
    ...{ ...complete(own), id, trace_id: id, op_name: 'answer' },
    inputs: {
      question: `What is thread ${i}?`,
      messages: [{ role: 'user', content: `What is thread ${i}?` }],
    },
    output: { choices: [{ message: { role: 'assistant', content: i % 2 ? 'Wool.' : 'No idea.' } }] },
  }))
  await api.ok(v2(own, 'calls/complete'), { batch })
  for (const id of ids.slice(2))
    await api.ok('/feedback/create', {
      ...{ project_id: own, weave_ref: `weave:///${own}/call/${id}`, feedback_type: 'wandb.reaction.1' },
      payload: { emoji: '👎' },
    })
  const page = await visitOf(chat.server, `/${own}/weave`)
  const clicks = new Clicks(page)
  // Who judges is asked one question, in a queue.
  await clicks.link('Annotation')
  await clicks.button('New queue')
  await clicks.write('New question', 'Is it right?')
  await clicks.button('Add')
  await page.getByRole('checkbox', { name: 'Is it right?', checked: true }).waitFor()
  await clicks.write('Name', 'bad ones')
  await clicks.button('Make the queue')
  await page.getByText('0 of 0').waitFor()
  await clicks.link('Traces')
  await page.getByText('22 traces').waitFor()
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Filter' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('reaction:👎')
  await page.keyboard.press('Enter')
  await page.getByText('20 traces').waitFor()
  await clicks.on(page.getByLabel('Select all'))
  await clicks.button('Add to dataset')
  await clicks.write('Dataset', 'bad')
  await clicks.button('Add 20 rows')
  await page.getByRole('link', { name: 'Open bad' }).waitFor()
  await page.keyboard.press('Escape')
  await clicks.button('Add to queue')
  await clicks.choose(/^Queue/, 'bad ones')
  await clicks.button('Add')
  await clicks.link('Open the queue')
  for (let done = 0; done < 20; done++) {
    await page.getByText(`${done} of 20 done`).waitFor()
    await page.getByText(`${done + 1} of 20`, { exact: true }).waitFor()
    await page.keyboard.press(done % 2 ? '1' : '2')
    await page.getByRole('button', { name: done % 2 ? 'Yes' : 'No', pressed: true }).waitFor()
    await page.keyboard.press('Enter')
  }
  await page.getByText('20 of 20 done').waitFor()
  await clicks.link('Train on the answers')
  await clicks.write('New or existing model', 'better')
  await clicks.button('Start')
  const jobs = page.getByRole('navigation', { name: 'Jobs' })
  await jobs.getByText('completed').waitFor({ timeout: 120_000 })
  await clicks.tab('Checkpoints')
  await clicks.link('Chat beside its base')
  await clicks.write('Message 1', '{question}')
  await clicks.tab('Over a dataset')
  await clicks.choose('Dataset', 'bad')
  await clicks.button('Run over rows')
  await page.getByText('20 of 20 answered').waitFor()
  expect(clicks.count).toBeLessThanOrEqual(25)
})

it('the old address opens the jobs that its links name', async () => {
  const page = await visitOf(chat.server, training)
  const box = page.getByRole('checkbox', { name: /weaver/ })
  await box.check()
  await page.waitForURL(/jobs=/)
  const ids = new URL(page.url()).searchParams.get('jobs')!.replaceAll('"', '')
  await page.goto(`/training#${ids}`)
  await page.getByText('all projects').waitFor()
  await page.getByRole('checkbox', { name: /weaver/, checked: true }).waitFor()
  await inspect(page)
})
