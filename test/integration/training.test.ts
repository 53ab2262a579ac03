/** Training jobs from the request to the checkpoint, over a real store and Redis, and a node that trains nothing. */

import { extract } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyOf } from '../../domain/training/artifact-keys.js'
import { checkpointList } from '../../domain/training/checkpoints.js'
import { storedModel } from '../../domain/training/models.js'
import { openArtifacts } from '../../platform/artifacts/open.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { LocalLeases } from '../../platform/leases/local.js'
import { removeLeft, retain } from '../../trainer-worker/files.js'
import { removeOrphanFiles } from '../../trainer-worker/orphan-files.js'
import { group, type Job, type Page, TrainingStack } from './testing/training-stack.js'

let stack: TrainingStack
beforeAll(async () => {
  stack = await TrainingStack.start()
  stack.addWorker()
})
afterAll(() => stack?.stop())

const types = (events: readonly { type: string }[]) => events.map(({ type }) => type)

describe('a job', () => {
  it('is trained, tells its steps in order, and leaves a checkpoint before it ends', async () => {
    const model = await stack.model('whole')
    const id = await stack.rl(model, 12)
    expect(await stack.over(id)).toMatchObject({
      status: 'completed',
      checkpoint_step: 1,
      attempt: 1,
      steps_done: 12,
      steps_total: 12,
      error_message: null,
    })
    const events = await stack.events(id)
    expect(types(events)).toEqual(['training_started', ...Array(12).fill('gradient_step'), 'training_ended'])
    expect(events[0]!.data).toEqual({ num_sequences: 12 })
    expect(events[1]!.data).toMatchObject({ loss: 1, reward: 0.1 })
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length)
    const checkpoints = await stack.call<Page<object>>('GET', `/models/${model}/checkpoints`)
    expect(checkpoints.body).toMatchObject({ data: [{ step: 1, metrics: { reward: 1.2 } }], has_more: false })
  })

  it('of a model that was trained before starts from its newest checkpoint, one after the other', async () => {
    const model = await stack.model('steps')
    const ids = [await stack.rl(model, 2), await stack.rl(model, 1), await stack.rl(model, 1)]
    const jobs = await Promise.all(ids.map((id) => stack.over(id)))
    expect(jobs.map((job) => job.checkpoint_step)).toEqual([1, 2, 3])
    const [first, second] = stack.node.requests.filter(({ jobId }) => ids.includes(jobId))
    expect(first!.start).toBeNull()
    expect(second!.start!.address).toContain('/checkpoints/step1-a1')
    const { body } = await stack.call<Page<{ id: string; step: number }>>(
      'GET',
      `/models/${model}/checkpoints?limit=2&order=desc`,
    )
    expect(body.data.map(({ step }) => step)).toEqual([3, 2])
    expect(body.has_more).toBe(true)
    const rest = await stack.call<Page<{ step: number }>>(
      'GET',
      `/models/${model}/checkpoints?order=desc&after=${body.last_id}`,
    )
    expect(rest.body).toMatchObject({ data: [{ step: 1 }], has_more: false })

    const compared = await stack.rl(model, 1, 'acme', { kl_penalty_coef: 1, kl_penalty_reference_step: 1 })
    await stack.over(compared)
    const last = stack.node.requests.find(({ jobId }) => jobId === compared)!
    expect([last.entity, last.reference]).toEqual(['acme', second!.start])
    expect(last.start!.address).toContain('/checkpoints/step3-a1')

    // A checkpoint of another model, by its name, wins over the step.
    const other = await stack.model('compared-with-steps')
    const options = { kl_penalty_coef: 1, kl_penalty_reference_step: 9 }
    for (const [name, reference] of [
      ['artifact:///acme/toys/steps:step1', second!.start],
      [
        'wandb-artifact:///acme/toys/steps:step2',
        { address: expect.stringContaining('/checkpoints/step2-a1') },
      ],
      [model, { address: expect.stringContaining('/checkpoints/step4-a1') }],
      ['artifact:///acme/toys/steps:step0', null],
    ] as const) {
      const id = await stack.rl(other, 1, 'acme', { ...options, kl_ref_adapter_path: name })
      await stack.over(id)
      const request = stack.node.requests.find(({ jobId }) => jobId === id)!
      if (reference) expect(request.reference).toMatchObject(reference)
      else expect(request.reference).toBeNull()
    }
  })

  it('has metrics as JSON and CSV, logs, and a checkpoint that can be taken home', async () => {
    const model = await stack.model('metrics')
    const id = await stack.rl(model, 3)
    await stack.over(id)
    const json = await stack.call<{ data: { step: number; metrics: object }[] }>(
      'GET',
      `/training-jobs/${id}/metrics`,
    )
    expect(json.body.data).toMatchObject([{ step: 1, metrics: { loss: 1 } }, { step: 2 }, { step: 3 }])
    const csv = await stack.call<string>('GET', `/training-jobs/${id}/metrics?format=csv`)
    const [head, one] = csv.body.split('\r\n')
    expect(head).toBe('step,created_at,loss,num_datums,reward')
    expect(one).toMatch(/^1,\d{4}-.*,1,\d+,0\.1$/)
    const logs = await stack.call<Page<{ message: string }>>('GET', `/training-jobs/${id}/logs`)
    const said = logs.body.data.map(({ message }) => message)
    expect(said.join('\n')).toContain('Checkpoint of step 1')
    expect(said.filter((message) => message.includes('a gradient step is computed'))).toHaveLength(1)
    const tar = await fetch(`${stack.url}/v1/preview/models/${model}/checkpoints/latest/download`, {
      headers: { authorization: 'Bearer acme' },
    })
    expect(tar.headers.get('content-type')).toBe('application/x-tar')
    expect(await namesIn(await tar.arrayBuffer())).toEqual([
      'metrics-step1/adapter_model.safetensors',
      'metrics-step1/manifest.json',
    ])
  })

  it('whose node dies at a step goes on from there: no event twice, none missing', async () => {
    const model = await stack.model('node-dies')
    let died = 0
    stack.node.atStep = async (step, request, node) => {
      if (step !== 5 || died++ > 0) return
      node.kill()
      await node.comeBack()
      expect(request.attempt).toBe(1)
    }
    const id = await stack.rl(model, 9)
    expect(await stack.over(id)).toMatchObject({ status: 'completed', attempt: 2, steps_done: 9 })
    stack.node.atStep = () => undefined
    const events = await stack.events(id)
    expect(types(events)).toEqual(['training_started', ...Array(9).fill('gradient_step'), 'training_ended'])
    expect(events.slice(1, -1).map(({ data }) => data.reward)).toEqual(
      Array.from({ length: 9 }, (_, i) => (i + 1) / 10),
    )
  })

  it('that can not be done fails with the reason, and the next one is done', async () => {
    const model = await stack.model('poison')
    stack.node.atStep = () => {
      throw Object.assign(new Error('Line 2 of the data is not what it should be.'), { code: 'BAD_DATA' })
    }
    const bad = await stack.rl(model, 2)
    expect(await stack.over(bad)).toMatchObject({
      status: 'failed',
      error_code: 'BAD_DATA',
      error_message: 'Line 2 of the data is not what it should be.',
      checkpoint_step: null,
    })
    stack.node.atStep = () => undefined
    expect((await stack.events(bad)).at(-1)).toMatchObject({
      type: 'training_failed',
      data: { error_message: 'Line 2 of the data is not what it should be.' },
    })
    expect(await stack.over(await stack.rl(model, 1))).toMatchObject({
      status: 'completed',
      checkpoint_step: 1,
    })
  })

  it('that is cancelled while it runs ends so, and one that waits does at once', async () => {
    const model = await stack.model('cancelled')
    let reached: () => void
    const atThree = new Promise<void>((resolve) => {
      reached = resolve
    })
    stack.node.atStep = async (step) => {
      if (step < 3) return
      reached()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const [running, waiting] = [await stack.rl(model, 500), await stack.rl(model, 1)]
    await atThree
    const later = await stack.call<Job>('POST', `/training-jobs/${waiting}/cancel`)
    expect(later.body.status).toBe('cancelled')
    await stack.call('POST', `/training-jobs/${running}/cancel`)
    expect(await stack.over(running)).toMatchObject({ status: 'cancelled', error_message: 'cancelled' })
    stack.node.atStep = () => undefined
    for (const id of [running, waiting]) {
      const events = await stack.events(id, 100)
      expect(events.at(-1)).toMatchObject({ type: 'training_failed', data: { error_message: 'cancelled' } })
      expect(types(events).filter((type) => type === 'training_failed')).toHaveLength(1)
    }
    expect(stack.node.cancelled).toContain(running)
    const again = await stack.call<Job>('POST', `/training-jobs/${running}/cancel`)
    expect(again.body.status).toBe('cancelled')
  })

  it('of a model that is deleted ends, and the model is gone', async () => {
    const model = await stack.model('deleted')
    stack.node.atStep = () => new Promise((resolve) => setTimeout(resolve, 30))
    const id = await stack.rl(model, 500)
    await expect.poll(async () => (await stack.job(id)).steps_done, { timeout: 10_000 }).toBeGreaterThan(1)
    expect((await stack.call('DELETE', `/models/${model}`)).status).toBe(204)
    expect(await stack.over(id)).toMatchObject({ status: 'failed', error_code: 'MODEL_DELETED' })
    stack.node.atStep = () => undefined
    expect((await stack.call('GET', `/models/${model}/checkpoints`)).status).toBe(404)
    expect((await stack.call('DELETE', `/models/${model}`)).status).toBe(404)
  })

  it('whose worker is stopped goes on with another; one whose Redis was lost does as well', async () => {
    const model = await stack.model('handed-on')
    stack.node.atStep = () => new Promise((resolve) => setTimeout(resolve, 20))
    const id = await stack.rl(model, 40)
    await expect.poll(async () => (await stack.job(id)).steps_done, { timeout: 10_000 }).toBeGreaterThan(3)
    const [first] = stack.workers.splice(0, 1)
    stack.addWorker()
    await first!.stop()
    await expect.poll(async () => (await stack.job(id)).attempt, { timeout: 10_000 }).toBe(2)
    await stack.redis.kill()
    await stack.redis.up()
    expect(await stack.over(id)).toMatchObject({ status: 'completed', steps_done: 40 })
    stack.node.atStep = () => undefined
    expect(types(await stack.events(id))).toEqual([
      'training_started',
      ...Array(40).fill('gradient_step'),
      'training_ended',
    ])
    // Without a queue job: the job is found in the table.
    const lost = await stack.rl(model, 1)
    await stack.redis.kill()
    await stack.redis.up()
    expect(await stack.over(lost)).toMatchObject({ status: 'completed', checkpoint_step: 2 })
  })
})

describe('an entity that sends more jobs than there are nodes', () => {
  it('holds up its own: others have their turn', async () => {
    let go: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      go = resolve
    })
    stack.node.atStep = () => gone
    const greedy = await Promise.all([1, 2, 3, 4].map((i) => stack.model(`greedy${i}`)))
    // Two of each model: neither another model nor the same one may come first twice.
    const many: string[] = []
    for (const model of [...greedy, ...greedy]) many.push(await stack.rl(model, 1))
    await expect.poll(async () => (await stack.job(many[0]!)).status, { timeout: 10_000 }).toBe('running')
    const modest = await stack.model('modest', 'modest')
    const few = [await stack.rl(modest, 1, 'modest'), await stack.rl(modest, 1, 'modest')]
    const from = stack.node.requests.length
    go()
    stack.node.atStep = () => undefined
    for (const id of many) await stack.over(id)
    const order = stack.node.requests.slice(from).map(({ jobId }) => jobId)
    expect(few.map((id) => order.indexOf(id))).toEqual([0, 2])
  })

  it('is told when it has as many as it may', async () => {
    const model = await stack.model('full')
    const [worker] = stack.workers.splice(0, 1)
    await worker!.stop()
    const asked = await Promise.allSettled(Array.from({ length: 14 }, () => stack.rl(model, 1)))
    const made = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(made).toHaveLength(10)
    const body = { model_id: model, trajectory_groups: [group(0)] }
    const answer = await stack.call<{ error: object }>('POST', '/training-jobs', body)
    expect(answer).toMatchObject({ status: 429, body: { error: { reason: 'TOO_MANY_JOBS' } } })
    const late = { trajectory_groups: [group(0)], model_id: model }
    expect((await stack.call('POST', '/training-jobs', late)).status).toBe(429)
    const line = JSON.stringify({ messages: [{ role: 'assistant', content: 'a' }] })
    const sft = { model_id: model, training_data_url: `data:,${encodeURIComponent(line)}` }
    expect((await stack.call('POST', '/sft-training-jobs', sft)).status).toBe(429)
    // Others are not.
    const other = await stack.model('free', 'modest')
    const theirs = await stack.rl(other, 1, 'modest')
    await stack.call('POST', `/training-jobs/${made.pop()}/cancel`)
    const { body: taken } = await stack.call<{ id: string }>('POST', '/training-jobs', late)
    made.push(taken.id)
    stack.addWorker()
    for (const id of made) await stack.over(id)
    await expect.poll(async () => (await stack.job(theirs, 'modest')).status).toBe('completed')
    for await (const key of openArtifacts(stack.root).keys('training/incoming'))
      throw new Error(`${key} is there still`)
  })
})

it('the look at every part tells of its workers and nodes', async () => {
  const trainer = async () => {
    const answer = await fetch(`${stack.url}/v1/system-check`, { headers: { authorization: 'Bearer acme' } })
    return ((await answer.json()) as { checks: Record<string, object> }).checks.trainer
  }
  // A worker announces its nodes every few seconds.
  await expect.poll(trainer, { timeout: 20_000 }).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining(`scripted at ${stack.node.address} (1 devices)`),
  })
})

it('checkpoints that need not stay go, with their files; others keep theirs', async () => {
  const model = await stack.model('kept')
  for (let groups = 1; groups <= 3; groups++) await stack.over(await stack.rl(model, groups))
  const { store, root } = stack
  const artifacts = openArtifacts(root)
  const parts = { store, artifacts, root, leases: new LocalLeases() }
  const row = (await storedModel(store, model))!
  const all = await checkpointList(store, row, { order: 'asc', limit: 10 })
  expect(await retain(parts, row, { last: 1, best: '-reward' })).toEqual([2])
  await removeLeft(parts, 0)
  const left = await Promise.all(
    all.map(({ address }) => artifacts.get(`${keyOf(root, address)}/manifest.json`)),
  )
  expect(left.map((content) => content !== undefined)).toEqual([true, false, true])
  for await (const _ of left[0]!);
  for await (const _ of left[2]!);
  expect((await stack.call('DELETE', `/models/${model}`)).status).toBe(204)
  await removeLeft(parts, 0)
  for await (const key of artifacts.keys(`training/${model}`)) throw new Error(`${key} is there still`)
})

it('files that no row tells of go a day later; what anybody may want stays', async () => {
  const model = await stack.model('strays')
  const id = await stack.rl(model, 1)
  await stack.over(id)
  const log = { model_id: model, trajectory_groups: [group(0)], split: 'val' }
  await stack.call('POST', `/models/${model}/log`, log)
  const busy = await stack.model('strays-busy')
  const done = await stack.rl(busy, 1)
  await stack.over(done)
  const { store, root } = stack
  const artifacts = openArtifacts(root)
  const below = async (prefix: string) => {
    const found: string[] = []
    for await (const key of artifacts.keys(prefix)) found.push(key)
    return found.sort()
  }
  const kept = [...(await below(`training/${model}`)), ...(await below(`training/${busy}`))]
  expect(kept.length).toBeGreaterThan(6)
  const now = Date.now() + 36 * 3_600_000
  const [old, young] = [uuid7(), uuid7(now - 3_600_000)]
  const strays = [
    `training/incoming/jobs/${old}/data.jsonl`,
    `training/${model}/jobs/${old}/data.jsonl`,
    `training/${model}/logs/${old}.jsonl`,
    // Of an attempt whose worker was taken for dead, and of one that died while it wrote.
    `training/${model}/checkpoints/step1-a7/adapter_model.safetensors`,
    `training/${model}/checkpoints/.step1-a8.4711.part/adapter_model.safetensors`,
  ]
  const stay = [
    `training/incoming/jobs/${young}/data.jsonl`,
    `training/${model}/jobs/${young}/data.jsonl`,
    `training/${model}/checkpoints/step9-a1/adapter_model.safetensors`,
    `training/${model}/state/step1/a1-1/state.pt`,
    // A job of this model waits, and may come to the same names.
    `training/${busy}/checkpoints/step1-a9/adapter_model.safetensors`,
  ]
  for (const key of [...strays, ...stay]) await artifacts.put(key, Buffer.from('x'))
  const [worker] = stack.workers.splice(0, 1)
  await worker!.stop()
  const waiting = await stack.rl(busy, 1)
  const parts = { store, artifacts, root, leases: new LocalLeases() }
  // Nothing is old enough yet.
  expect(await removeOrphanFiles(parts)).toEqual([])
  const removed = await removeOrphanFiles(parts, now)
  expect(removed.filter((key) => key.includes(model) || key.includes('incoming')).sort()).toEqual(
    strays.map((key) => key.replace('/adapter_model.safetensors', '')).sort(),
  )
  const left = [...(await below(`training/${model}`)), ...(await below(`training/${busy}`))]
  expect(left).toEqual(expect.arrayContaining(kept))
  expect([...left, ...(await below('training/incoming'))]).toEqual(expect.arrayContaining(stay))
  stack.addWorker()
  await stack.over(waiting)
  for (const key of stay) await artifacts.delete(key)
})

it.each([
  ['starts from', (model: string) => ({ trained: Promise.resolve(model), config: {} }), 'checkpoints'],
  [
    'compares with, of another model that is deleted,',
    (model: string) => ({
      trained: stack.model('compares'),
      config: { kl_penalty_coef: 1, kl_ref_adapter_path: `${model}:step1` },
    }),
    '',
  ],
])('files that an interrupted job %s stay until it is over', async (_, of, deletes) => {
  const model = await stack.model(`needed-${deletes}`)
  await stack.over(await stack.rl(model, 1))
  const { trained, config } = of(model)
  let go: () => void = () => undefined
  const gone = new Promise<void>((resolve) => {
    go = resolve
  })
  stack.node.atStep = () => gone
  const id = await stack.rl(await trained, 2, 'acme', config)
  await expect.poll(async () => (await stack.job(id)).status, { timeout: 60_000 }).toBe('running')
  const deleted = await (deletes
    ? stack.call('DELETE', `/models/${model}/${deletes}`, { steps: [1] })
    : stack.call('DELETE', `/models/${model}`))
  expect(deleted.status).toBe(deletes ? 200 : 204)
  const { store, root } = stack
  const artifacts = openArtifacts(root)
  const parts = { store, artifacts, root, leases: new LocalLeases() }
  const there = async () => {
    for await (const _ of artifacts.keys(`training/${model}/checkpoints/step1-a1`)) return true
    return false
  }
  await removeLeft(parts, 0)
  expect(await there()).toBe(true)
  go()
  stack.node.atStep = () => undefined
  await stack.over(id)
  await removeLeft(parts, 0)
  expect(await there()).toBe(false)
})

describe('bad input', () => {
  let model = ''
  beforeAll(async () => {
    model = await stack.model('bad-input')
    await stack.model('theirs', 'stranger')
    const wanted = { entity: 'acme', project: 'toys', name: 'of-another-base', base_model: 'other' }
    await stack.call('POST', '/models', wanted)
  })
  const good = group(0)
  const rl = (groups: unknown, more: object = {}) => ({ model_id: model, trajectory_groups: groups, ...more })
  const sft = (url: string, config: unknown = null) => ({ model_id: model, training_data_url: url, config })
  const line = JSON.stringify({ messages: [{ role: 'assistant', content: 'a' }] })
  const data = (text: string) => `data:,${encodeURIComponent(text)}`

  it.each([
    ['no groups', () => rl([]), 422, 'trajectory_groups'],
    ['no field of groups', () => ({ model_id: model }), 422, 'trajectory_groups'],
    ['an empty group', () => rl([good, { trajectories: [] }]), 422, 'at least one trajectory'],
    [
      'no choice',
      () => rl([{ trajectories: [{ messages_and_choices: [{ role: 'user', content: 'a' }] }] }]),
      422,
      'choice',
    ],
    [
      'a reward that is text',
      () => rl([{ trajectories: [{ ...good.trajectories[0], reward: 'x' }] }]),
      422,
      'reward',
    ],
    [
      'NaN',
      () => JSON.stringify(rl([good])).replace('"reward":1', '"reward":NaN'),
      422,
      'NaN is not a JSON number',
    ],
    ['an unknown model', () => ({ ...rl([good]), model_id: 'no-such' }), 404, 'no-such'],
    [
      'an odd option',
      () => rl([good], { experimental_config: { advantage_balance: 7 } }),
      422,
      'advantage_balance',
    ],
    [
      'an odd option, before the model is named',
      () => ({ trajectory_groups: [good], experimental_config: { ppo: 7 }, model_id: model }),
      422,
      'ppo',
    ],
    [
      'an option that would change what is learnt',
      () => rl([good], { experimental_config: { packed_sequence_length: 4 } }),
      422,
      '"loc":["body","experimental_config","packed_sequence_length"]',
    ],
    ...[
      ['/x', 'stored here'],
      ['scripted', 'stored here'],
      ['artifact:///acme/toys/none:step1', 'stored here'],
      ['artifact:///acme/toys/bad-input:step7', 'stored here'],
      ['artifact:///stranger/toys/theirs', 'stored here'],
      ['artifact:///acme/toys/of-another-base', 'on scripted'],
    ].map(([name, why]): [string, () => unknown, number, string] => [
      `a reference that is no checkpoint for it, ${name}`,
      () => rl([good], { experimental_config: { kl_ref_adapter_path: name } }),
      422,
      `"loc":["body","experimental_config","kl_ref_adapter_path"],"msg":"Should name a checkpoint ${why}`,
    ]),
    [
      'a reference that is no checkpoint',
      () => rl([good], { experimental_config: { kl_penalty_reference_step: 3 } }),
      422,
      '"loc":["body","experimental_config","kl_penalty_reference_step"]',
    ],
    [
      'half of a surrogate pair',
      () => JSON.stringify(rl([good, group(0)])).replace(/Question 0(?!.*Question)/, '\\ud83d'),
      422,
      '"loc":["body","trajectory_groups","1","trajectories","1","messages_and_choices","0","content"]',
    ],
    ['no JSON', () => '{"model_id": ', 400, 'JSON'],
  ])('of reinforcement learning: %s', async (_, body, status, said) => {
    const answer = await stack.call('POST', '/training-jobs', body())
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(said)])
  })

  it.each([
    ['a broken line 2', () => sft(data(`${line}\n{"messages":`)), 400, 'Line 2'],
    [
      'a line without an answer',
      () => sft(data('{"messages":[{"role":"user","content":"a"}]}')),
      400,
      'Line 1',
    ],
    [
      'half of a surrogate pair',
      () => sft(data(`${line}\n${line.replace('"a"', '"\\ud83d"')}`)),
      400,
      "Line 2 of the training data can't be used: messages[0].content has half of a surrogate pair",
    ],
    [
      'half of a surrogate pair in the address itself',
      () => sft(`data:,${line.replace('"a"', '"\ud83d"')}`),
      400,
      'The data: address has half of a surrogate pair',
    ],
    [
      'bytes that are no text',
      () => sft(`data:;base64,${Buffer.from(line.replace('"a"', '"\xff"'), 'latin1').toString('base64')}`),
      400,
      'Line 1 of the training data is not UTF-8',
    ],
    ['nothing', () => sft(data('')), 400, 'no line'],
    [
      'a conversation where a pair belongs',
      () => sft(data(line), { method: 'dpo' }),
      400,
      'needs `chosen` and `rejected`',
    ],
    [
      'a conversation where a judged answer belongs',
      () => sft(data(line), { method: 'kto' }),
      400,
      'needs `prompt` and `completion`',
    ],
    [
      'one answer a batch for kto',
      () => sft(data(line), { method: 'kto', batch_size: 1 }),
      422,
      'at least 2',
    ],
    ['an option of another method', () => sft(data(line), { beta: 0.2 }), 422, 'beta'],
    ['a private address', () => sft('http://127.0.0.1:1/x'), 400, 'public internet'],
    ['no address', () => sft('ftp://x/y'), 400, 'not an address of training data'],
    ['too few learning rates', () => sft(data(line), { learning_rate: [0.1, 0.2] }), 422, '1 batches'],
    ['a file that is not there', () => sft('artifact:///acme/toys/nothing:v0'), 503, ''],
    ['an unknown model', () => ({ ...sft(data(line)), model_id: 'no-such' }), 404, 'no-such'],
  ])('of fine-tuning: %s', async (_, body, status, said) => {
    const answer = await stack.call('POST', '/sft-training-jobs', body())
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(said)])
  })

  it('leaves nothing behind', async () => {
    const { body } = await stack.call<Page<Job>>('GET', `/training-jobs?model_id=${model}`)
    expect(body.data).toEqual([])
    for (const place of [model, 'incoming'])
      for await (const key of openArtifacts(stack.root).keys(`training/${place}`))
        throw new Error(`${key} is there still`)
  })
})

describe('models', () => {
  it('are registered once by their name', async () => {
    const wanted = { entity: 'acme', project: 'toys', name: 'once', base_model: 'scripted' }
    const first = await stack.call<{ id: string }>('POST', '/models', wanted)
    expect(first.body).toMatchObject({ ...wanted, run_id: null })
    expect((await stack.call('POST', '/models', wanted)).status).toBe(409)
    const again = { ...wanted, return_existing: true }
    expect((await stack.call<{ id: string }>('POST', '/models', again)).body.id).toBe(first.body.id)
    expect((await stack.call('POST', '/models', { ...again, base_model: 'other' })).status).toBe(409)
    const many = await Promise.all(
      Array.from({ length: 8 }, () =>
        stack.call<{ id: string }>('POST', '/models', { ...again, name: 'race' }),
      ),
    )
    expect(new Set(many.map(({ body }) => body.id)).size).toBe(1)
  })

  it('without names get some', async () => {
    const made = await stack.call('POST', '/models', {
      base_model: 'scripted',
      entity: null,
      project: null,
      name: null,
    })
    expect(made.body).toMatchObject({
      entity: 'acme',
      project: 'default',
      name: expect.stringMatching(/^model-/),
    })
  })

  it('lose checkpoints that are deleted, and say which were none', async () => {
    const model = await stack.model('fewer')
    for (let i = 0; i < 2; i++) await stack.over(await stack.rl(model, 1))
    const answer = await stack.call('DELETE', `/models/${model}/checkpoints`, { steps: [1, 9, 0] })
    expect(answer).toEqual({ status: 200, body: { deleted_count: 1, not_found_steps: [9, 0] } })
    const { body } = await stack.call<Page<{ step: number }>>('GET', `/models/${model}/checkpoints`)
    expect(body.data.map(({ step }) => step)).toEqual([2])
  })

  it('take trajectories that are only logged', async () => {
    const model = await stack.model('logged')
    const log = { model_id: model, trajectory_groups: [group(0)], split: 'val' }
    expect((await stack.call('POST', `/models/${model}/log`, log)).status).toBe(204)
    expect((await stack.call('POST', `/models/${model}/log`, { ...log, split: 5 })).status).toBe(422)
  })
})

it('others see nothing of it and may do nothing to it', async () => {
  const model = await stack.model('mine')
  const id = await stack.rl(model, 1)
  await stack.over(id)
  const others: [string, string, unknown?][] = [
    ['GET', `/models/${model}`],
    ['DELETE', `/models/${model}`],
    ['GET', `/models/${model}/checkpoints`],
    ['DELETE', `/models/${model}/checkpoints`, { steps: [1] }],
    ['GET', `/models/${model}/checkpoints/1/download`],
    ['POST', `/models/${model}/log`, { trajectory_groups: [], split: 'x' }],
    ['POST', '/training-jobs', { model_id: model, trajectory_groups: [group(0)] }],
    ['POST', '/sft-training-jobs', { model_id: model, training_data_url: 'data:,x' }],
    ['GET', `/training-jobs/${id}`],
    ['POST', `/training-jobs/${id}/cancel`],
    ['GET', `/training-jobs/${id}/events`],
    ['GET', `/training-jobs/${id}/logs`],
    ['GET', `/training-jobs/${id}/metrics`],
  ]
  for (const [method, path, body] of others)
    expect([path, (await stack.call(method, path, body, 'rival')).status]).toEqual([path, 404])
  for (const path of ['/models', '/training-jobs'])
    expect((await stack.call<Page<unknown>>('GET', path, undefined, 'rival')).body.data).toEqual([])
  const taken = { entity: 'acme', project: 'toys', name: 'theirs', base_model: 'scripted' }
  expect((await stack.call('POST', '/models', taken, 'rival')).status).toBe(403)
})

async function namesIn(archive: ArrayBuffer): Promise<string[]> {
  const names: string[] = []
  const tar = extract()
  tar.end(Buffer.from(archive))
  for await (const entry of tar) {
    names.push(entry.header.name)
    entry.resume()
  }
  return names
}
