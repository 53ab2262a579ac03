/** What train and jobs make of what they are told, without a server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { follow, metricsText, shortNumber, stillRunning } from './follow.js'
import { previewScreen, startedScreen, trainedScreen } from './train.js'
import { rewardFields } from './train-rewards.js'
import { dataOf } from './train-source.js'
import { type Job, serverEvents, trainingTarget } from './training-client.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-unit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the data of a job', () => {
  it('is a file', () => {
    const file = join(folder, 'train.jsonl')
    writeFileSync(file, '{"messages":[]}\n')
    const data = dataOf(file, {})
    expect(data).toEqual({ training_data_url: 'data:application/jsonl;base64,eyJtZXNzYWdlcyI6W119Cg==' })
  })

  it('is a dataset, perhaps with a template', () => {
    const options = { dataset: 'weave:///acme/one/object/x:latest', prompt: '{q}', completion: '{a}' }
    expect(dataOf(undefined, options)).toEqual({
      training_data: {
        dataset: 'weave:///acme/one/object/x:latest',
        template: { system: null, prompt: '{q}', completion: '{a}', rejected: null },
      },
    })
  })

  it('is answers that people liked, beside others that they did not', () => {
    for (const method of ['dpo', 'kto']) {
      const data = dataOf(undefined, { dataset: 'x', thumbsUp: true, method })
      expect(data).toEqual({ training_data: { dataset: 'x', reward: { from: 'reaction' } } })
    }
  })

  it('is calls', () => {
    const query = '{"$expr":{"$eq":[{"$getField":"inputs.lang"},{"$literal":"en"}]}}'
    const options = {
      calls: 'acme/one',
      op: ['answer'],
      since: '2026-01-31',
      query,
      limit: '50',
      thumbsUp: true,
    }
    expect(dataOf(undefined, options)).toEqual({
      training_data: {
        calls: {
          project_id: 'acme/one',
          filter: { op_names: ['answer', 'weave:///acme/one/op/answer:*'] },
          query: {
            $expr: {
              $and: [
                { $eq: [{ $getField: 'inputs.lang' }, { $literal: 'en' }] },
                { $gte: [{ $getField: 'started_at' }, { $literal: '2026-01-31T00:00:00.000Z' }] },
              ],
            },
          },
          limit: 50,
        },
        reward: { from: 'reaction', values: { '👍': 1 } },
        min_reward: 1,
      },
    })
  })

  it('is calls of an op, under the names that a span gives it now and gave it before', () => {
    expect(dataOf(undefined, { calls: 'acme/one', op: ['GET /users'] })).toMatchObject({
      training_data: {
        calls: {
          filter: {
            op_names: [
              'GET /users',
              'weave:///acme/one/op/GET%20%2Fusers:*',
              'weave:///acme/one/op/get__users:*',
            ],
          },
        },
      },
    })
  })

  it.each<[string, string | undefined, object, string]>([
    ['no source', undefined, {}, 'give one source of data'],
    ['two sources', undefined, { dataset: 'x', calls: 'y' }, 'give one source of data'],
    ['a file that is not there', 'none.jsonl', {}, "none.jsonl can't be read"],
    [
      'a file and what is for rows',
      'train.jsonl',
      { thumbsUp: true },
      '--thumbs-up works with --dataset and --calls',
    ],
    ['half a template', undefined, { dataset: 'x', prompt: 'y' }, '--prompt and --completion'],
    ['a time that is none', undefined, { calls: 'a/b', since: 'soon' }, '--since soon is not a time'],
    ['a query that is no JSON', undefined, { calls: 'a/b', query: '{' }, '--query is not JSON'],
    ['no calls at most', undefined, { calls: 'a/b', limit: '0' }, '--limit must be a whole number from 1'],
  ])('is not %s', (_, file, options, problem) => expect(() => dataOf(file, options)).toThrow(problem))
})

describe('the rewards of a job', () => {
  const rl = { method: 'rl' }

  it('are of groups in a file', () => {
    const file = join(folder, 'groups.jsonl')
    writeFileSync(file, '{"trajectories":[]}\n\n{"trajectories":[1]}\n')
    expect(dataOf(file, rl)).toEqual({ trajectory_groups: [{ trajectories: [] }, { trajectories: [1] }] })
    writeFileSync(file, '{}\n{"traj')
    expect(() => dataOf(file, rl)).toThrow('line 2 of')
  })

  it('are given by a scorer, and the model is watched on other rows', () => {
    const check = { check: 'held', checkEvery: '2', checkMaxTokens: '64', checkMinChange: '0.1' }
    expect(rewardFields({ ...rl, reward: 'judge', ...check })).toEqual({
      reward: { scorer: 'judge', path: null },
      check: { dataset: 'held', every: 2, max_tokens: 64, min_change: 0.1 },
    })
    const other = { checkScorer: 'other', checkPath: 'value' }
    expect(rewardFields({ ...rl, check: 'held', ...other })).toEqual({
      check: { dataset: 'held', scorer: 'other', path: 'value' },
    })
    expect(rewardFields({ method: 'kto', beta: '1' })).toEqual({})
  })

  it.each<[object, string]>([
    [{ reward: 'x' }, '--reward works with --method rl'],
    [{ ...rl, epochs: '2' }, '--epochs works without --method rl'],
    [{ ...rl, rewardPath: 'x' }, '--reward-path works with --reward'],
    [{ ...rl, check: 'held' }, '--check needs a scorer'],
    [{ ...rl, checkRows: '3' }, 'name the held-out rows'],
    [{ ...rl, reward: 'x', check: 'held', checkRows: '0' }, '--check-rows must be a whole number'],
    [{ ...rl, reward: 'x', check: 'held', checkMinChange: '-1' }, '--check-min-change must be'],
  ])('are not %j', (options, problem) => expect(() => rewardFields(options)).toThrow(problem))
})

describe('screens', () => {
  it('of a preview', () => {
    const screen = previewScreen({
      examples: [
        {
          messages: [
            { role: 'user', content: 'What is\n  the weft?' },
            { role: 'assistant', content: 'x'.repeat(100) },
          ],
        },
      ],
      rows_read: 1000,
      rows_used: 2,
      rows_left_out: 998,
      has_more: true,
      left_out: [{ message: 'The call ended with an exception.', count: 998, ids: ['a', 'b'] }],
    })
    expect(screen).toMatchSnapshot()
  })

  it('of answers to one question, with their rewards', () => {
    const answer = (content: string, reward?: number) => ({
      messages_and_choices: [
        { role: 'user', content: 'Why?' },
        { finish_reason: 'stop', message: { role: 'assistant', content } },
      ],
      ...(reward !== undefined && { reward }),
    })
    const screen = previewScreen({
      examples: [{ trajectories: [answer('So.', 0.5), answer('No.')] }],
      ...{ rows_read: 2, rows_used: 2, rows_left_out: 0, has_more: false, left_out: [] },
    })
    expect(screen).toContain('  user      Why?\n  0.5       So.\n  answer    No.\n')
  })

  it('of a job that has ended', () => {
    const job = { entity: 'acme', project: 'one', model_name: 'small', checkpoint_step: 3 } as Job
    expect(trainedScreen(job)).toMatchSnapshot()
    expect(stillRunning('7')).toMatchSnapshot()
  })

  it.each([
    [{ loss: 0.01234, tokens_per_second: 12_345.6 }, ', loss 0.0123, tokens/s 12,346'],
    [{ policy_loss: -1.5, reward: 0.5 }, ', loss -1.50, reward 0.5000'],
    [{ loss: 'no' }, ''],
  ])('of a step: %j', (metrics, text) => {
    expect(metricsText(metrics).replace(/([\d,]+) tokens\/s/, 'tokens/s $1')).toBe(text)
  })

  it.each([
    [0, '0.0000'],
    [0.00001234, '1.23e-5'],
    [123.4, '123'],
  ])('of the number %d', (value, text) => expect(shortNumber(value)).toBe(text))
})

describe('the training interface', () => {
  const config = {
    host: '0.0.0.0',
    trainingPort: 8081,
    trainingUrl: undefined,
    dataDir: folder,
    devApiKey: 'k',
  }
  it.each([
    [{}, 'http://127.0.0.1:8081'],
    [{ url: 'https://train.example.com/v1/' }, 'https://train.example.com'],
    [{ url: 'https://train.example.com/' }, 'https://train.example.com'],
  ])('is found: %j', (told, url) => expect(trainingTarget(told, config)).toEqual({ url, key: 'k' }))

  const read = async (text: string) => {
    const found: unknown[] = []
    for await (const one of serverEvents(new Response(text))) found.push(one)
    return found
  }
  it('streams events to their end', async () => {
    expect(await read(': hello\n\ndata: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n')).toEqual([
      { a: 1 },
      { a: 2 },
    ])
  })

  it.each([
    ['an error', 'data: {"error":{"message":"no room"}}\n\ndata: [DONE]\n\n', 'no room'],
    ['an end too early', 'data: {"a":1}\n\n', 'was cut off'],
  ])('says that there was %s', (_, text, problem) => expect(read(text)).rejects.toThrow(problem))
})

it('a job is followed until it says that it is over, after its last event', async () => {
  const types = ['training_started', 'gradient_step', 'training_ended']
  const data = types.map((type, i) => ({ id: `e${i}`, type, data: { num_sequences: 1 } }))
  const statuses = ['running', 'running', 'completed']
  const server = createServer((request, response) => {
    const [path = '', after] = request.url!.split('after=')
    const events = { data: after === undefined ? data : [], has_more: false, last_id: 'e2' }
    response.end(JSON.stringify(path.includes('/events') ? events : { id: 'j', status: statuses.shift() }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const out = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.WriteStream
  expect(await follow({ url, key: 'k' }, 'j', out)).toMatchObject({ status: 'completed' })
  server.close()
})

it.each([
  [
    ['bad'],
    'dev/default/bad is the model bad of your default project; for another, use --model entity/project/name\n',
  ],
  [['dev', 'default', 'bad'], ''],
])('the start of a job says which model %j is', (name, explained) => {
  const model = { entity: 'dev', project: 'default', name: 'bad', base_model: 'demo' }
  expect(startedScreen('j1', name, model, ['demo'])).toBe(`${explained}job j1: dev/default/bad on demo`)
})

it('the start of a job that nobody can train says so', () => {
  const model = { entity: 'a', project: 'b', name: 'c', base_model: 'gpt' }
  const started = (served: string[]) => startedScreen('j1', ['a', 'b', 'c'], model, served)
  expect(started(['demo'])).toBe(
    'job j1: a/b/c on gpt\nno node serves gpt now (they serve demo): the job waits until one can train it',
  )
  expect(started([])).toContain('no node serves gpt now: the job waits')
})
