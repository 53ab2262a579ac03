/**
 * Monitors: made by the published SDK; of a whole conversation, of a sample, of the past; of everything, scores of monitors
 * among it; beyond the limit of a day; and with processes that are killed while calls come, each match scored once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { Evaluations } from '../support/evaluations.js'
import { runGuide } from '../support/guide.js'
import { freshProject, hex, uuid7 } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { runPython } from '../support/program.js'
import { Receiver } from '../support/receiver.js'
import { RedisProcess } from '../support/redis.js'
import { Server } from '../support/server.js'
import { KILL_SEEDS, strikeEach } from '../support/strikes.js'
import { Stub } from '../support/stub.js'
import { until } from '../support/until.js'

const LIMIT = 400
const env = (redis: RedisProcess) => ({
  ...{ REDIS_URL: redis.url, HEDDLE_MONITOR_SCORES_PER_DAY: String(LIMIT) },
  ...{ HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1', HEDDLE_SECRETS_KEY: 'a key that only tests have' },
  HEDDLE_PROVIDER_SECONDS: '8',
})

let provider: Stub
let redis: RedisProcess
let server: Server
beforeAll(async () => {
  provider = await Stub.start('chat-provider')
  redis = await RedisProcess.start()
  server = await Server.start({ env: env(redis) })
  await server.cliWith('provider-key-0123456789', 'secrets', 'set', '*', 'STUB_KEY', '--for', provider.url)
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  await provider?.stop()
})

/** A project with a scorer of a signal, and what a test does with its monitors. */
class Monitored {
  private readonly objects: Evaluations

  constructor(readonly project = freshProject()) {
    this.objects = new Evaluations(server.api, project)
  }

  scorer(name: Json) {
    return this.objects.scorer(String(name), 'SignalScorer', { signal: name })
  }

  remote(fields: { [key: string]: Json }, name = 'policy') {
    return this.objects.scorer(name, 'RemoteScorer', fields)
  }

  async provider(base_url: string): Promise<void> {
    const val = { name: 'stub', base_url, api_key_name: 'STUB_KEY' }
    const obj = { project_id: this.project, object_id: 'stub', builtin_object_class: 'Provider', val }
    await server.api.ok('/obj/create', { obj })
  }

  publish = (...given: Parameters<Evaluations['publish']>) => this.objects.publish(...given)

  /** A judge that asks a model of a provider. */
  async judge(base_url: string) {
    await this.provider(base_url)
    return this.objects.scorer('judge', 'LLMAsAJudgeScorer', {
      scoring_prompt: 'Is {output} right?',
      model: {
        ...{ _type: 'LLMStructuredCompletionModel', _class_name: 'LLMStructuredCompletionModel' },
        ...{ _bases: ['Model', 'Object', 'BaseModel'], llm_model_id: 'custom::stub::judge' },
      },
    })
  }

  async monitor(name: string, fields: { [key: string]: Json } = {}): Promise<string> {
    const scorers = [await this.scorer('refusal')]
    return this.objects.publish(name, 'Monitor', [], { name, active: true, scorers, ...fields })
  }

  /** Writes ended calls of now; returns their ids. */
  async log(count: number, more: Record<string, unknown> = {}): Promise<string[]> {
    const now = new Date().toISOString()
    const output = "I'm sorry, but I can't help with that."
    const batch = Array.from({ length: count }, () =>
      complete(this.project, { started_at: now, ended_at: now, output, ...more }),
    )
    await server.api.ok(v2(this.project, 'calls/complete'), { batch })
    return batch.map(({ id }) => String(id))
  }

  async feedback(): Promise<Row[]> {
    const body = { project_id: this.project, limit: 10_000 }
    const { result } = await server.api.ok('/feedback/query', body)
    return result as Row[]
  }

  /** The ids of calls that have a score, as often as they have one. */
  async scored(): Promise<string[]> {
    return (await this.feedback()).map(({ weave_ref }) => String(weave_ref).split('/').at(-1)!).sort()
  }

  /** Waits until these calls, and no others, have one score each. */
  async onlyScored(ids: readonly string[], seconds = 30): Promise<void> {
    await until('the scores', async () => (await this.scored()).length >= ids.length, seconds)
    expect(await this.scored()).toEqual([...ids].sort())
  }

  async status(name: string): Promise<Row> {
    const { monitors } = await server.api.ok('/monitors/query', { project_id: this.project })
    return (monitors as Row[]).find((one) => one.name === name)!
  }
}

describe('a monitor', () => {
  it('of the SDK judges the calls that it is about, from when it was activated', async () => {
    const project = freshProject()
    const { scores, ref } = await runPython<{ scores: [string, Row, string][][]; ref: string }>(
      server,
      'weave_monitor',
      { PROJECT: project },
    )
    const found = (value: boolean) => [
      'wandb.runnable.refusal',
      { output: expect.objectContaining({ value }) },
      ref,
    ]
    expect(scores).toEqual([[found(true)], [found(false)], [], []])
    const { monitors } = await server.api.ok('/monitors/query', { project_id: project })
    expect(monitors).toMatchObject([{ name: 'refusals', active: false, matched: 2, problem: null }])
  })

  it('judges what it matches, but never what a monitor wrote, and a call that ends later', async () => {
    const here = new Monitored()
    await here.monitor('all')
    await here.monitor('all-again', { scorers: [await here.scorer('no_answer')] })
    const ids = await here.log(2)
    const [id, now] = [uuid7(), new Date().toISOString()]
    const start = { project_id: here.project, id, op_name: 'late', started_at: now, trace_id: uuid7() }
    await server.api.ok('/call/start', { start: { ...start, attributes: {}, inputs: {} } })
    await until('the first', async () => (await here.scored()).length === 4)
    await server.api.ok('/call/end', {
      end: { project_id: here.project, id, ended_at: new Date().toISOString(), output: 'done', summary: {} },
    })
    await here.onlyScored([...ids, ...ids, id, id])
    // The scorers' calls were stored before, so a monitor that matched them would have done so by now.
    const last = await here.log(1)
    await here.onlyScored([...ids, ...ids, id, id, ...last, ...last])
  })

  it('judges a sample, and the same one again', async () => {
    const here = new Monitored()
    const preview = { project_id: here.project, name: 'some', sampling_rate: 0.25 }
    await here.log(200)
    const { matched } = await server.api.ok('/monitors/preview', preview)
    expect(matched).toBeGreaterThan(20)
    expect(matched).toBeLessThan(90)
    await here.monitor('some', { active: false, sampling_rate: 0.25 })
    await server.api.ok('/monitors/backfill', { project_id: here.project, monitor: 'some' })
    await until('the end', async () => ((await here.status('some')).backfill as Row).state === 'done')
    await until('the scores', async () => (await here.scored()).length === matched)
    expect((await here.status('some')).backfill).toMatchObject({ matched, progress: 1 })
    await server.api.ok('/monitors/backfill', { project_id: here.project, monitor: 'some' })
    await until('the end', async () => ((await here.status('some')).backfill as Row).state === 'done')
    expect((await here.scored()).length).toBe(matched)
  })

  it('judges a conversation once it is quiet, as a whole', async () => {
    const here = new Monitored()
    await here.monitor('quiet', {
      scorer_debounce_config: {
        ...{ aggregation_field: 'thread_id', aggregation_method: 'all_messages', timeout_seconds: 3 },
      },
    })
    await here.log(1, { thread_id: 'a', inputs: { question: 'first' } })
    await here.log(1, { thread_id: 'a', inputs: { question: 'second' } })
    const last = await here.log(1, { thread_id: 'a', inputs: { question: 'third' } })
    const other = await here.log(1, { thread_id: 'b' })
    await here.onlyScored([...last, ...other])
    await expect(here.status('quiet')).resolves.toMatchObject({ matched: 2 })
  })

  it('stops at the limit of a day, and says so', async () => {
    const here = new Monitored()
    await here.monitor('many')
    await here.log(LIMIT + 50)
    await until('the limit', async () => Number((await here.status('many')).skipped_today) === 50)
    await until('the scores', async () => (await here.scored()).length === LIMIT)
    expect(await here.status('many')).toMatchObject({
      ...{ matched: LIMIT + 50, queued_today: LIMIT },
      problem: expect.stringContaining(`its ${LIMIT} scores of`),
    })
  })

  it('stops when its judge has cost enough for a day, and says so', async () => {
    const here = new Monitored()
    const { project } = here
    // A score is of 10 and 2 tokens.
    const price = { prompt_token_cost: 0.5, completion_token_cost: 2 }
    await server.api.ok('/cost/create', { project_id: project, costs: { judge: price } })
    await here.monitor('judged', { scorers: [await here.judge(provider.url)] })
    await here.onlyScored([...(await here.log(1))])
    await until('the cost', async () => (await here.status('judged')).cost_today === 9)
    let more = 0
    await until('the limit', async () => {
      if (Number((await here.status('judged')).skipped_today) > 0) return true
      if (Number((await here.status('judged')).matched) === more + 1) more += (await here.log(1)).length
      return false
    })
    const { cost_today, problem } = await here.status('judged')
    expect(Number(cost_today)).toBeGreaterThanOrEqual(18)
    expect(problem).toMatch(
      /^Today its scores cost \d+, and may cost 10; the next ones come tomorrow \(UTC\)\.$/,
    )
  })

  it('of classifiers asks one model once about a call, for all of them', async () => {
    const here = new Monitored()
    await here.provider(provider.url)
    const price = { prompt_token_cost: 0.5, completion_token_cost: 2 }
    await server.api.ok('/cost/create', { project_id: here.project, costs: { classifier: price } })
    const { scores } = await runPython<Row>(server, 'weave_classifier', { PROJECT: here.project })
    const said = (value: boolean) => ({ output: { value, confidence: 0.5, reason: 'Paris: true' } })
    expect(scores).toEqual([
      ['wandb.runnable.angry', said(true)],
      ['wandb.runnable.lost', said(false)],
    ])
    const asked = (await (await fetch(`${provider.url}/seen`)).json()) as { model: string; text: string }[]
    const questions = asked.filter(
      ({ model, text }) => model === 'classifier' && text.includes('capital! Paris.'),
    )
    expect(questions).toHaveLength(1)
    expect(questions[0]!.text).toContain('The user {can not} go on.')
    expect(await here.status('classes')).toMatchObject({ matched: 1, cost_today: 9, problem: null })
    // One that asks several models can't.
    const scorers = [await here.judge(provider.url), await here.scorer('refusal')]
    const { publish } = here
    await publish('mixed', 'ClassifierMonitor', ['Monitor'], { name: 'mixed', active: true, scorers })
    await here.log(1)
    await until('the problem', async () => (await here.status('mixed')).problem !== null)
    expect(String((await here.status('mixed')).problem)).toContain('its scorer refusal is no judge')
  })

  it('that can not be applied says why, and keeps no other from it', async () => {
    const here = new Monitored()
    const op = 'weave:///someone/else/object/scorer:0000000000000000000000000000000000000000000'
    await here.monitor('foreign', { scorers: [op] })
    await here.monitor('odd', { query: { $expr: { $eq: [{ $getField: 'nothing' }, { $literal: 1 }] } } })
    await here.monitor('code', {
      scorers: [await new Evaluations(server.api, here.project).scorer('python', 'Scorer')],
    })
    await here.monitor('good')
    const ids = await here.log(3)
    await here.onlyScored(ids)
    await until('the problems', async () => (await here.status('foreign')).problem !== null)
    expect(await here.status('foreign')).toMatchObject({ matched: 3, queued_today: 0, skipped_today: 3 })
    expect(String((await here.status('foreign')).problem)).toContain('someone/else')
    expect(String((await here.status('odd')).problem)).toContain('Unknown field')
    expect(String((await here.status('code')).problem)).toContain('it is Python code')
  })
})

describe('a scorer that a user runs', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await Receiver.start()
  })
  afterAll(() => receiver?.stop())

  const answer = (version: number, result: object) => JSON.stringify({ schema_version: version, result })

  it('of the SDK gets calls with a secret, and its answer is the score', async () => {
    const project = freshProject()
    await server.cliWith('T0', 'secrets', 'set', project, 'SCORER_TOKEN', '--for', receiver.url)
    receiver.answer = (response) => response.end(answer(1, { value: 0.25, reason: 'short', confidence: 0.9 }))
    const { scores, call } = await runPython<{ scores: Row[]; call: Row }>(server, 'weave_remote', {
      ...{ PROJECT: project, ENDPOINT: `${receiver.url}/sdk` },
    })
    expect(scores).toEqual([{ output: { value: 0.25, reason: 'short', confidence: 0.9 } }])
    const [got] = receiver.got.filter(({ path }) => path === '/sdk')
    expect(got!.headers).toMatchObject({
      ...{ authorization: 'Bearer T0', 'x-weave-schema-version': '1', 'content-type': 'application/json' },
      ...{ 'idempotency-key': expect.any(String), 'x-correlation-id': expect.any(String) },
    })
    expect(JSON.parse(got!.body)).toEqual({
      schema_version: 1,
      original_call: {
        ...{ project_id: project, call_id: call.id, trace_id: call.trace_id, op_name: call.op_name },
        ...{ inputs: { question: 'long?' }, output: 'yes' },
        ...{ started_at: expect.any(String), ended_at: expect.any(String) },
      },
      ...{ scoring_call_id: expect.any(String), scoring_trace_id: expect.any(String) },
      monitor: { name: 'remote', version_digest: expect.stringMatching(/^\w{43}$/) },
      scorer: {
        name: 'policy',
        ref: expect.stringContaining(`weave:///${project}/object/policy:`),
        config: { at: 1 },
      },
      triggered_at: expect.any(String),
    })
  })

  it('of turns gets them as their spans say, by a token, again if it was busy, with the same key', async () => {
    const here = new Monitored()
    await server.cliWith('S0', 'secrets', 'set', here.project, 'CLIENT_SECRET', '--for', receiver.url)
    let busy = 1
    receiver.answer = (response, { path }) => {
      if (path === '/token') response.end(JSON.stringify({ access_token: 'T1', expires_in: 60 }))
      else if (busy-- > 0) response.writeHead(503).end()
      else response.end(answer(2, [{ value: 'concise' }, { value: 1 }]))
    }
    const auth_config = {
      ...{ mode: 'oauth_client_credentials', token_endpoint_url: `${receiver.url}/token` },
      ...{ client_id: 'me', client_secret_name: 'CLIENT_SECRET', scope: 'score' },
    }
    const scorer = await here.remote({ endpoint_url: `${receiver.url}/turns`, auth_config })
    await here.monitor('turns', { op_names: ['weave.genai.turn_ended'], scorers: [scorer] })
    const said = (role: string, content: string) =>
      JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
    const now = BigInt(Date.now()) * 1_000_000n
    const span = {
      ...{ traceId: hex(16), spanId: hex(8), name: 'invoke_agent Help', start: now, end: now + 1_000_000n },
      attributes: {
        ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'Help' },
        ...{ 'gen_ai.conversation.id': 'talk', 'gen_ai.input.messages': said('user', 'Where?') },
        'gen_ai.output.messages': said('assistant', 'Here.'),
      },
    }
    const bytes = exportRequest({ attributes: inProject(here.project), spans: [span] })
    const type = { 'content-type': 'application/x-protobuf' }
    expect((await server.api.post('/otel/v1/traces', bytes, type)).status).toBe(200)
    const found = await until('the score', async () => {
      const all = await here.feedback()
      return all.length === 2 && all
    })
    const payload = { output: { scores: [{ value: 'concise' }, { value: 1 }] } }
    expect(found.find(({ feedback_type: kind }) => kind === 'wandb.runnable.policy')).toMatchObject({
      payload,
    })
    expect(found.find(({ feedback_type: kind }) => kind === 'wandb.agent_monitor')).toMatchObject({
      ...{ weave_ref: `weave:///${here.project}/agent_turn/${span.traceId}`, payload },
      ...{
        scorer_tags: ['concise'],
        scorer_ratings: { policy: 1 },
        trigger_ref: expect.stringContaining('/turns:'),
      },
    })
    const { conversations } = await server.api.ok('/agents/conversations/spans', {
      ...{ project_id: here.project, conversation_ids: ['talk'] },
    })
    expect((conversations as Row[])[0]!.spans_feedback).toEqual([
      expect.objectContaining({
        trace_id: span.traceId,
        feedback_type: 'wandb.agent_monitor',
        tags: ['concise'],
      }),
    ])
    const [first, again] = receiver.got.filter(({ path }) => path === '/turns')
    expect(again!.headers['idempotency-key']).toBe(first!.headers['idempotency-key'])
    expect([again!.headers.authorization, again!.body]).toEqual(['Bearer T1', first!.body])
    const [token] = receiver.got.filter(({ path }) => path === '/token')
    expect(token!.body).toBe('grant_type=client_credentials&client_id=me&client_secret=S0&scope=score')
    const { scoring_target } = JSON.parse(again!.body) as { scoring_target: Row }
    expect(scoring_target).toMatchObject({
      ...{ type: 'agent_turn', schema_version: 1 },
      payload: {
        ...{ event_type: 'weave.genai.turn_ended', project_id: here.project, span_id: span.spanId },
        ...{ conversation: { id: 'talk', name: null }, status: { code: 'UNSET', message: null } },
        ...{ agent: { name: 'Help', version: null, description: null } },
        messages: {
          system_instructions: [],
          input: [{ role: 'user', content: 'Where?', finish_reason: '' }],
          output: [{ role: 'assistant', content: 'Here.', finish_reason: '' }],
        },
      },
    })
  })

  it('that redirects, is busy, hangs, or answers nonsense gives no score, and is asked once', async () => {
    const here = new Monitored()
    const bad: Record<string, [answer: string, exception: string]> = {
      away: ['302', 'UPSTREAM: The upstream server failed: it redirects.'],
      busy: ['503', 'REMOTE_FAILED: The scorer answered 503.'],
      hangs: ['', 'UPSTREAM: The upstream server failed: Headers Timeout Error.'],
      empty: ['{}', "BAD_ANSWER: The scorer's answer does not have the schema_version 1."],
      odd: [answer(1, { value: 2 }), "BAD_ANSWER: The scorer's answer has no score"],
    }
    const path = (name: string) => `/${here.project}/${name}`
    receiver.answer = (response, got) => {
      const [text] = bad[got.path.split('/').at(-1)!]!
      if (text === '') return
      if (/^\d+$/.test(text)) response.writeHead(Number(text), { location: 'http://169.254.169.254/' }).end()
      else response.end(text)
    }
    for (const name of Object.keys(bad)) {
      const scorer = await here.remote({ endpoint_url: `${receiver.url}${path(name)}` }, name)
      await here.monitor(`of-${name}`, { scorers: [scorer] })
    }
    await here.log(1)
    const query = { project_id: here.project }
    const scores = await until('the calls of the scores', async () => {
      const calls = await server.api.lines('/calls/stream_query', query)
      const found = calls.filter(({ op_name }) => String(op_name).includes('.score'))
      return found.length === Object.keys(bad).length && found
    })
    for (const [name, [, exception]] of Object.entries(bad)) {
      expect(scores.filter((call) => String(call.exception).includes(exception))).toHaveLength(1)
      expect(receiver.got.filter((one) => one.path === path(name))).toHaveLength(1)
    }
    expect(await here.feedback()).toEqual([])
  })

  it('in a private network is refused, and the monitor says so', async () => {
    const here = new Monitored()
    await here.monitor('inward', { scorers: [await here.remote({ endpoint_url: 'http://10.0.0.1/score' })] })
    await here.log(1)
    const problem = await until('the problem', async () => (await here.status('inward')).problem ?? false)
    expect(problem).toContain('"10.0.0.1" is not on the public internet')
  })
})

it('is compared with people, and where they differ becomes a dataset', async () => {
  const here = new Monitored()
  await here.monitor('all')
  const refusals = await here.log(4)
  const answers = await here.log(4, { output: 'It is 4.' })
  const ids = [...refusals, ...answers]
  await here.onlyScored(ids)
  const thumb = (id: string, emoji: string) =>
    server.api.ok('/feedback/create', {
      ...{ project_id: here.project, weave_ref: `weave:///${here.project}/call/${id}` },
      ...{ feedback_type: 'wandb.reaction.1', payload: { emoji } },
    })
  // People call three of four refusals bad, and one of three answers; one answer nobody looks at.
  for (const [i, id] of refusals.entries()) await thumb(id, i === 0 ? '👍' : '👎')
  for (const [i, id] of answers.slice(0, 3).entries()) await thumb(id, i === 0 ? '👎🏽' : '👍')
  const people = { feedback_type: 'wandb.reaction.1', invert: true }
  const asked = { project_id: here.project, monitor: 'all', people }
  const found = await server.api.ok('/monitors/agreement', asked)
  expect(found).toMatchObject({ scorer: 'refusal', scorers: ['refusal'], count: 7, agreed: 5 })
  expect(Number(found.kappa)).toBeCloseTo((5 / 7 - 25 / 49) / (1 - 25 / 49), 6)
  const cell = (monitor: string, said: string, count: number) => ({ monitor, people: said, count })
  expect(found.confusion).toEqual(
    expect.arrayContaining([
      ...[cell('true', 'true', 3), cell('true', 'false', 1)],
      ...[cell('false', 'false', 2), cell('false', 'true', 1)],
    ]),
  )
  const text = await server.cli(
    ...['monitors', 'agreement', here.project, 'all', '--people', 'wandb.reaction.1', '--invert'],
    ...['--dataset', 'differ'],
  )
  expect(text).toContain('refusal and people agree on 5 of 7 calls (71 %), κ 0.42\n')
  expect(text).toContain('2 rows are in the dataset differ\n')
  const rows = (await server.cli('datasets', 'pull', here.project, 'differ')).trim().split('\n')
  expect(rows.map((row) => (JSON.parse(row) as Row).call_id).sort()).toEqual([refusals[0], answers[0]].sort())
  expect(await server.api.ok('/monitors/agreement', { ...asked, monitor: 'none' })).toMatchObject({
    ...{ scorer: null, count: 0, kappa: null },
  })
})

it.each(KILL_SEEDS)(
  'scores each match once, whichever process is killed when (HEDDLE_KILL_SEED=%i)',
  {
    timeout: 240_000,
  },
  async (seed) => {
    const here = new Monitored()
    await here.monitor('all')
    const ids: string[] = []
    const some = async () => ids.push(...(await here.log(20)))
    await strikeEach(
      seed,
      ['server', 'clickhouse-embedded', 'evaluation-worker', 'redis'],
      { server, redis, env: env(redis) },
      some,
      async (service) => {
        server = service.server
        await some()
      },
    )
    await here.onlyScored(ids, 90)
  },
)

it('does what the guide says, as it stands there', async () => {
  const here = new Monitored('acme/support')
  await here.log(3, { op_name: 'answer' })
  const { code, stdout, stderr } = await runGuide('monitors', server.env)
  // Signals would score what these tests count.
  const off = 'The operator has turned them off (HEDDLE_SIGNALS).\n'
  expect([code, stderr]).toEqual([0, off + off])
  expect(stdout).toContain('3 calls of the last 24 hours match')
  expect(stdout).toMatch(/refusals +on +100 %/)
  await until('the past', async () => (await here.scored()).length === 6)
})

it('is made, listed, tried and stopped by commands', async () => {
  const here = new Monitored()
  await here.log(3, { op_name: 'answer' })
  const heddle = (...args: string[]) => server.cli('monitors', ...args)
  const judge = await here.judge(provider.url)
  const tried = await heddle(
    ...[
      'preview',
      here.project,
      '--op',
      'answer',
      '--signal',
      'refusal',
      '--signal',
      'pii',
      '--scorer',
      judge,
    ],
  )
  expect(tried).toContain('3 calls of the last 168 hours match')
  expect(tried).toMatch(/OP +ID +REFUSAL +PII/)
  expect(tried.match(/true: .* +false$/gm)).toHaveLength(3)
  await heddle('create', here.project, 'refusals', '--op', 'answer', '--signal', 'refusal', '--signal', 'pii')
  const ids = await here.log(1, { op_name: 'answer' })
  await here.log(1, { op_name: 'other' })
  await here.onlyScored([...ids, ...ids])
  expect(await heddle('list', here.project)).toMatch(/refusals +on +100 % +1 +2 +0/)
  await heddle('off', here.project, 'refusals')
  expect(await heddle('backfill', here.project, 'refusals')).toContain('running')
  await until('the past', async () => (await here.scored()).length === 8)
  expect(await heddle('delete', here.project, 'refusals')).toBe('refusals is deleted\n')
  expect(await heddle('list', here.project)).toContain('none; ')
  expect((await here.scored()).length).toBe(8)
})
