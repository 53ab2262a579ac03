/**
 * Rules: calls and scores to datasets, queues and webhooks; versions to evaluations, and from there to an alias behind a gate;
 * those in a circle, and one that matches more than it may; and with processes that are killed at any moment, everything
 * once.
 */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { Evaluations } from '../support/evaluations.js'
import { runGuide } from '../support/guide.js'
import { freshProject, hex } from '../support/ids.js'
import { Receiver } from '../support/receiver.js'
import { RedisProcess } from '../support/redis.js'
import { Server } from '../support/server.js'
import { KILL_SEEDS, strikeEach } from '../support/strikes.js'
import { Stub } from '../support/stub.js'
import { until } from '../support/until.js'

let provider: Stub
let redis: RedisProcess
let receiver: Receiver
let server: Server
let env: Record<string, string>
beforeAll(async () => {
  provider = await Stub.start('chat-provider')
  redis = await RedisProcess.start()
  receiver = await Receiver.start()
  env = {
    REDIS_URL: redis.url,
    HEDDLE_SECRETS_KEY: 'a key that only tests have',
    HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
  }
  server = await Server.start({ env })
  await server.cliWith('provider-key-0123456789', 'secrets', 'set', '*', 'STUB_KEY', '--for', provider.url)
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  receiver?.stop()
  await provider?.stop()
})

const FAILED: Row = { $expr: { $eq: [{ $getField: 'exception' }, { $literal: 'boom' }] } }

/** A project with rules, and what a test does with it. */
class Ruled {
  readonly objects: Evaluations
  readonly path: string
  private readonly id: { project_id: string }

  constructor(readonly project = freshProject()) {
    this.objects = new Evaluations(server.api, project)
    this.path = `/${project}`
    this.id = { project_id: project }
  }

  ask(path: string, body: Row = {}): Promise<Row> {
    return server.api.ok(path, { ...this.id, ...body })
  }

  rule(name: string, trigger: Row, actions: Row[], more: Row = {}): Promise<Row> {
    return this.ask('/rules/save', { name, trigger, actions, ...more })
  }

  /** Writes ended calls of now; returns their ids. */
  async log(count: number, more: Row = {}): Promise<string[]> {
    const now = new Date().toISOString()
    const batch = Array.from({ length: count }, (_, i) =>
      complete(this.project, {
        started_at: now,
        ended_at: now,
        inputs: { question: `${now} ${i}` },
        ...more,
      }),
    )
    await server.api.ok(v2(this.project, 'calls/complete'), { batch })
    return batch.map(({ id }) => String(id))
  }

  async runs(rule: string | null = null): Promise<Row[]> {
    return (await this.ask('/rules/runs', { rule, limit: 1000 })).runs as Row[]
  }

  /** The runs of a rule, once there are as many and nothing waits. */
  ended(rule: string, count: number, seconds = 60): Promise<Row[]> {
    return until(
      `${count} runs of ${rule}`,
      async () => {
        const runs = await this.runs(rule)
        const isWaiting = runs.some(({ actions }) =>
          (actions as Row[]).some(({ state }) => state === 'waiting'),
        )
        return runs.length >= count && !isWaiting && runs
      },
      seconds,
    )
  }

  async status(rule: string): Promise<Row> {
    const { rules } = await this.ask('/rules/query')
    return (rules as Row[]).find(({ name }) => name === rule)!
  }

  /** The newest rows of a dataset. */
  async rows(dataset: string): Promise<Row[]> {
    const { obj } = await this.ask('/obj/read', { object_id: dataset, digest: 'latest' })
    const table = String((obj as { val: Row }).val.rows)
      .split('/')
      .at(-1)!
    const { rows } = await this.ask('/table/query', { digest: table })
    return (rows as { val: Row }[]).map(({ val }) => val)
  }

  async alias(object: string, digest: string, alias: string): Promise<void> {
    const body = { ...this.id, digest, aliases: [alias] }
    expect(await server.api.send('PUT', `/objs/${object}/aliases`, body)).toMatchObject({ status: 200 })
  }

  async hook(): Promise<string> {
    const channel = { type: 'webhook', url: `${receiver.url}${this.path}` }
    return String((await this.ask('/notifications/channels/save', { name: 'hook', channel })).signing_secret)
  }
}

describe('a rule', () => {
  it('puts the calls that it means into a dataset and a queue, and tells a webhook', async () => {
    const here = new Ruled()
    const secret = await here.hook()
    await here.log(1, { exception: 'boom' })
    await here.rule('failures', { type: 'call', query: FAILED }, [
      {
        type: 'add_to_dataset',
        dataset: 'failures',
        columns: { question: 'inputs.question', why: 'exception' },
      },
      { type: 'add_to_queue', queue: 'look' },
      { type: 'notify', channel: 'hook', message: '{{rule}}: {{name}} failed' },
    ])
    const preview = await here.ask('/rules/preview', { trigger: { type: 'call', query: FAILED } })
    expect(preview).toMatchObject({ matched: 1, newest: [{ subject: { type: 'call', name: 'op' } }] })
    const [first = '', second = ''] = await here.log(2, { exception: 'boom' })
    await here.log(2)
    const runs = await here.ended('failures', 2)
    expect(runs.map(({ subject }) => (subject as Row).id).sort()).toEqual([first, second].sort())
    for (const { actions } of runs)
      expect(actions).toMatchObject([
        { state: 'done', result: expect.stringContaining(`${here.project}/object/failures:`) },
        { state: 'done', type: 'add_to_queue', problem: null },
        { state: 'done', result: 'sent by hook', attempts: 1 },
      ])
    expect(await here.rows('failures')).toEqual([
      { question: expect.any(String), why: 'boom' },
      { question: expect.any(String), why: 'boom' },
    ])
    const sources = [first, second].map((source_id) => ({
      source_kind: 'call',
      source_id,
      source_trace_id: '',
    }))
    const { memberships } = await here.ask('/dataset_sources/source_datasets_query', { sources })
    expect(memberships).toHaveLength(2)
    const got = receiver.got.filter(({ path }) => path === here.path)
    expect(
      got.map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>)),
    ).toEqual(
      Array.from({ length: 2 }, () => ({
        ...{ type: 'rule.matched', timestamp: expect.any(String) },
        data: {
          ...{
            project: here.project,
            text: 'failures: op failed',
            url: expect.stringContaining('/weave/rules'),
          },
          ...{ rule: 'failures', subject: expect.objectContaining({ type: 'call', name: 'op' }) },
        },
      })),
    )
    expect(await here.status('failures')).toMatchObject({ matched: 2, skipped_today: 0, problem: null })
  })

  it('hears of scores, by whoever and whatever they are', async () => {
    const here = new Ruled()
    const trigger = { type: 'score', feedback_type: 'review', json_path: 'stars', comparison: '<', value: 3 }
    await here.rule('bad', trigger, [{ type: 'add_to_queue', queue: 'look' }])
    const [good = '', bad = ''] = await here.log(2)
    for (const [call, stars] of [
      [good, 5],
      [bad, 1],
    ] as const)
      await here.ask('/feedback/create', {
        ...{
          weave_ref: `weave:///${here.project}/call/${call}`,
          feedback_type: 'review',
          payload: { stars },
        },
      })
    const [run] = await here.ended('bad', 1)
    expect(run).toMatchObject({ subject: { type: 'call', id: bad, name: 'op', detail: '1' } })
    expect(await here.ask('/rules/preview', { trigger })).toMatchObject({ matched: 1 })
  })

  it('hears of a score that was made minutes before its trace came', async () => {
    const here = new Ruled()
    const trigger = { type: 'score', feedback_type: 'langfuse.liked', json_path: 'value' }
    await here.rule('liked', trigger, [{ type: 'add_to_queue', queue: 'look' }])
    const traceId = hex(16)
    const timestamp = new Date(Date.now() - 600_000).toISOString()
    const event = {
      id: hex(8),
      type: 'score-create',
      timestamp,
      body: { traceId, name: 'liked', value: 1, timestamp },
    }
    const langfuse = server.api.asUser(here.project)
    expect(await langfuse.send('POST', '/api/public/ingestion', { batch: [event] })).toMatchObject({
      status: 207,
    })
    const [call] = await here.log(1, { trace_id: traceId })
    const [run] = await here.ended('liked', 1)
    expect(run).toMatchObject({ subject: { type: 'call', id: call } })
  })

  it('stops at its limit of a day, when it is stopped, and is tried again where it failed', async () => {
    const here = new Ruled()
    await here.hook()
    const limit = { max_per_day: 3 }
    await here.rule('all', { type: 'call' }, [{ type: 'notify', channel: 'hook' }], limit)
    await here.ask('/notifications/channels/delete', { channel: 'hook' })
    await here.log(5)
    const [run] = await here.ended('all', 3)
    expect(await here.status('all')).toMatchObject({ matched: 5, matched_today: 5, skipped_today: 2 })
    expect(run!.actions).toMatchObject([{ state: 'failed', problem: 'There is no such channel any more.' }])
    await here.hook()
    expect(await here.ask('/rules/retry', { rule: 'all', run: run!.id! })).toEqual({ retried: 1 })
    await until('it to be told', () => receiver.at(here.path).length === 1)
    await here.ask('/rules/activate', { rule: 'all', active: false })
    expect(await here.status('all')).toMatchObject({ definition: { active: false, max_per_day: 3 } })
    await here.ask('/rules/delete', { rule: 'all' })
    expect(await here.ask('/rules/query')).toEqual({ rules: [] })
    expect(await here.runs()).toHaveLength(3)
  })
})

it('a version of a dataset is evaluated, and a model gets an alias if it is no worse', async () => {
  const here = new Ruled()
  const { objects } = here
  const val = { name: 'stub', base_url: provider.url, api_key_name: 'STUB_KEY' }
  await here.ask('/obj/create', {
    obj: { project_id: here.project, object_id: 'stub', builtin_object_class: 'Provider', val },
  })
  const exact = await objects.scorer('exact', 'ExactMatchScorer', { trim: true })
  await objects.evaluation([{ question: 'say Paris', expected: 'Paris' }], [exact])
  const model = (text: string) =>
    objects.model('custom::stub::m', { messages_template: [{ role: 'user', content: text }] })
  const [good, bad] = [await model('{question}'), await model('say Rome')]
  const setAlias = (ref: string, alias: string) => {
    const [name, digest] = ref.split('/').at(-1)!.split(':')
    return here.alias(name!, digest!, alias)
  }

  await here.rule('try', { type: 'alias', object: 'model', alias: 'candidate' }, [
    { type: 'evaluate', evaluation: 'questions', model: null },
  ])
  const gate = [{ score: 'exact.passed', min: 0.5, max_regression: null }]
  await here.rule('promote', { type: 'evaluation', evaluation: 'questions' }, [
    { type: 'set_alias', alias: 'production', gate },
  ])
  await here.rule('again', { type: 'dataset_version', dataset: 'rows' }, [
    { type: 'evaluate', evaluation: 'questions', model: 'model:candidate' },
  ])
  await setAlias(bad, 'candidate')
  const [refused] = await here.ended('promote', 1)
  expect(refused).toMatchObject({
    subject: { type: 'evaluation_run', name: 'questions', detail: 'completed' },
    actions: [
      { state: 'done', result: expect.stringMatching(/^production stays where it is\. exact\.passed: 0 is/) },
    ],
  })
  await setAlias(good, 'candidate')
  const [promoted] = await here.ended('promote', 2)
  expect(promoted).toMatchObject({ actions: [{ state: 'done', result: good }] })
  const { entries } = await server.api.ok('/audit/query', { scope: here.project, action: 'set_alias' })
  expect(entries).toMatchObject([
    {
      username: 'rules',
      outcome: 'ok',
      target: { rule: 'promote', object_id: 'model', aliases: ['production'] },
    },
  ])
  await here.ask('/rules/activate', { rule: 'try', active: false })
  // More rows: a version of the evaluation with them is run.
  const rows = [
    { question: 'say Paris', expected: 'Paris' },
    { question: 'say Oslo', expected: 'Oslo' },
  ]
  await server.api.ok(`/v2/${here.project}/datasets`, { name: 'rows', rows })
  const [again] = await here.ended('again', 1)
  const id = String((again!.actions as Row[])[0]!.result)
  expect((await objects.ended(id)).output).toMatchObject({ exact: { passed: { true_count: 2 } } })
  const calls = await here.runs('try')
  expect(calls).toHaveLength(2)
})

it('rules in a circle are refused, and one that is stored is cut', async () => {
  const here = new Ruled()
  const on = (alias: string) => ({ type: 'alias', object: 'thing', alias })
  const set = (alias: string) => [{ type: 'set_alias', alias }]
  await here.rule('there', on('a'), set('b'))
  const back = { project_id: here.project, name: 'back', trigger: on('b'), actions: set('a') }
  const answer = await server.api.post('/rules/save', back)
  expect(answer.status).toBe(400)
  const reason = expect.stringContaining('back → there → back')
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'RULE_CIRCLE', reason })
  const digest = String(await objectOf(here, back))
  await here.alias('thing', digest, 'a')
  const cut = await until('the circle to be cut', async () => {
    const runs = await here.runs('there')
    return runs.find(({ actions }) => (actions as Row[])[0]!.state === 'cut')
  })
  expect(cut.actions).toMatchObject([{ problem: 'It was set off by itself: there → back → there.' }])
  expect(await here.runs('there')).toHaveLength(2)
  expect(await here.runs('back')).toHaveLength(1)
})

/** Stores a rule as the object that it is, past all checks; returns the digest of a thing. */
async function objectOf(
  here: Ruled,
  { name, trigger, actions }: { name: string; trigger: Row; actions: Row[] },
) {
  await here.objects.publish(name, 'Rule', [], { name, trigger, actions, active: true } as never)
  await until('it to be known', async () => (await here.status(name))?.problem === null)
  return (await here.objects.publish('thing', 'Thing', [], { n: 1 })).split(':').at(-1)
}

it.each(KILL_SEEDS)(
  'each call is added and told once, whatever is killed when (HEDDLE_KILL_SEED=%i)',
  {
    timeout: 240_000,
  },
  async (seed) => {
    const here = new Ruled()
    await here.hook()
    await here.rule('all', { type: 'call' }, [
      { type: 'add_to_dataset', dataset: 'seen', columns: { id: 'id' } },
      { type: 'notify', channel: 'hook' },
    ])
    const ids: string[] = []
    const before = async () => ids.push(...(await here.log(10)))
    await strikeEach(
      seed,
      ['server', 'clickhouse-embedded', 'redis', 'server'],
      { server, redis, env },
      before,
      async (service) => {
        server = service.server
      },
    )
    const runs = await here.ended('all', ids.length, 120)
    expect(runs.map(({ subject }) => (subject as Row).id).sort()).toEqual([...ids].sort())
    expect((await here.rows('seen')).map(({ id }) => id).sort()).toEqual([...ids].sort())
    const told = receiver.got.filter(({ path }) => path === here.path)
    const once = new Map(
      told.map(({ headers, body }) => [
        headers['webhook-id'],
        (JSON.parse(body) as { data: { subject: Row } }).data.subject.id,
      ]),
    )
    expect([...once.values()].sort()).toEqual([...ids].sort())
  },
)

it('the commands of the guide work, as they stand there', async () => {
  const { objects } = new Ruled('acme/support')
  const scorer = await objects.scorer('exact', 'ExactMatchScorer', {})
  await objects.evaluation([{ question: 'say Paris', expected: 'Paris' }], [scorer])
  const { code, stdout, stderr } = await runGuide('rules', server.env)
  expect([code, stderr]).toEqual([0, 'failures is off now\nfailures is on now\n'])
  expect(stdout).toContain('would have matched 0 in the last 7 days')
  expect(stdout).toContain('0 actions are tried again')
  const list = await server.cli('rules', 'list', 'acme/support')
  expect(list).toMatch(/failures +on +call +add_to_dataset/)
  expect(list).toMatch(/promote +on +evaluation +set_alias/)
  expect(list).not.toContain('retrain')
})
