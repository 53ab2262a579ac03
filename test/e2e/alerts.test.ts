/**
 * Alerts: told once when a value crosses a threshold and when it is over, by every kind of channel, for each group; muted
 * and caught up on; to receivers that fail, hang or redirect; and with processes that are killed at any moment.
 */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { guideText, runGuide } from '../support/guide.js'
import { freshProject } from '../support/ids.js'
import { MailSink } from '../support/mail-sink.js'
import { freePorts } from '../support/ports.js'
import { Receiver } from '../support/receiver.js'
import { RedisProcess } from '../support/redis.js'
import { Server } from '../support/server.js'
import { KILL_SEEDS, strikeEach } from '../support/strikes.js'
import { until } from '../support/until.js'

let redis: RedisProcess
let receiver: Receiver
let server: Server
let mailSink: MailSink
let env: Record<string, string>

beforeAll(async () => {
  redis = await RedisProcess.start()
  receiver = await Receiver.start()
  const { sink, url: smtp } = await MailSink.start()
  mailSink = sink
  env = {
    REDIS_URL: redis.url,
    HEDDLE_SECRETS_KEY: 'a key that only tests have',
    HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
    HEDDLE_SMTP_URL: smtp,
    HEDDLE_SMTP_FROM: 'heddle@example.com',
  }
  server = await Server.start({ env })
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  receiver?.stop()
  await mailSink?.stop()
})

/** The id of a call that feedback is about. */
const CALM = '01997777-7777-7777-8777-777777777777'

const CALLS = { type: 'calls', metric: 'call_count', aggregation: 'sum' }

/** A project with alerts, and what a test does with it. */
class Watched {
  readonly project = freshProject()
  private readonly id = { project_id: this.project }

  /** Writes ended calls of now. */
  async log(count: number, more: Record<string, unknown> = {}): Promise<void> {
    const now = new Date().toISOString()
    const batch = Array.from({ length: count }, () =>
      complete(this.project, { started_at: now, ended_at: now, ...more }),
    )
    await server.api.ok(v2(this.project, 'calls/complete'), { batch })
  }

  async channel(name: string, channel: Row): Promise<string> {
    const { signing_secret } = await server.api.ok('/notifications/channels/save', {
      ...{ ...this.id, name, channel },
    })
    return String(signing_secret)
  }

  /** A webhook at the receiver, at a path that no other project has. */
  hook(name = 'hook'): Promise<string> {
    return this.channel(name, { type: 'webhook', url: `${receiver.url}${this.path(name)}` })
  }

  path = (name = 'hook') => `/${this.project}/${name}`

  alert(name: string, fields: Row): Promise<Row> {
    const usual = { source: CALLS, alert_at: 2, window_seconds: 3600, channels: ['hook'] }
    return server.api.ok('/alerts/save', { ...this.id, name, ...usual, ...fields })
  }

  async status(name: string): Promise<Row> {
    const { alerts } = await server.api.ok('/alerts/query', this.id)
    return (alerts as Row[]).find((one) => one.name === name)!
  }

  async history(): Promise<Row[]> {
    return (await server.api.ok('/alerts/history', { ...this.id, limit: 1000 })).events as Row[]
  }

  /** What was told at the webhook, once there are as many. */
  async received(count: number, name = 'hook', seconds = 60): Promise<Row[]> {
    const data = () => receiver.at<{ data: Row }>(this.path(name)).map((one) => one.data)
    await until(`${count} at ${name}`, () => data().length >= count, seconds)
    return data()
  }

  checked(name: string): Promise<Row> {
    return until(`${name} to be checked`, async () => {
      const status = await this.status(name)
      return status.checked_at !== null && status
    })
  }

  mute(alert: string, until: string | null) {
    return server.api.ok('/alerts/mute', { ...this.id, alert, until })
  }
}

describe('an alert', () => {
  it('is told once when it begins and when it is over, by a webhook that is signed', async () => {
    const here = new Watched()
    const secret = await here.hook()
    await here.log(2)
    await here.alert('many', { description: 'Too many calls.', window_seconds: 300 })
    expect(await here.checked('many')).toMatchObject({ state: 'ok', value: 2, problem: null, groups: [] })
    await here.log(1)
    const [first] = await here.received(1)
    const change = {
      alert: 'many',
      group: null,
      state: 'alert',
      previous_state: 'ok',
      value: 3,
      threshold: 2,
    }
    const text = `Alert: many (${here.project}): sum of call_count is 3, > 2, over 5 minutes.`
    const url = `${server.url}/${here.project}/weave/alerts`
    expect(first).toEqual({ project: here.project, text, url, ...change, reason: '' })
    expect(await here.status('many')).toMatchObject({
      ...{ state: 'alert', value: 3 },
      groups: [{ group: null, state: 'alert', value: 3, since: expect.any(String) }],
    })
    await here.log(1)
    await here.alert('many', { alert_at: 10, window_seconds: 300 })
    const [, second] = await here.received(2)
    expect(second).toMatchObject({ state: 'ok', previous_state: 'alert', value: 4, threshold: 10 })

    const got = receiver.got.filter(({ path }) => path === here.path())
    for (const { body, headers } of got)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: expect.stringMatching(/^alert\.(alert|ok)$/),
      })
    expect(() =>
      new Webhook(secret).verify(`${got[0]!.body} `, got[0]!.headers as Record<string, string>),
    ).toThrow('No matching signature found')
    const [over, begun] = await here.history()
    const delivered = { channel: 'hook', state: 'delivered', attempts: 1, problem: null, next_at: null }
    await until('the deliveries', async () => {
      const [last] = await here.history()
      return (last!.deliveries as Row[])[0]!.state === 'delivered'
    })
    expect(begun).toMatchObject({ ...change, notified: true, reason: null, deliveries: [delivered] })
    expect(over!.id).toBe(got[1]!.headers['webhook-id'])
  })

  it('judges each group, statements of SQL and feedback by themselves, and says why it can not', async () => {
    const here = new Watched()
    await here.hook()
    await here.log(3, { op_name: 'busy', exception: 'it broke' })
    await here.log(1, { op_name: 'calm', id: CALM })
    const feedback = {
      project_id: here.project,
      weave_ref: `weave:///${here.project}/call/c`,
      feedback_type: 'mood',
    }
    for (const score of [0.1, 0.3])
      await server.api.ok('/feedback/create', { ...feedback, payload: { score } })
    const topic = { ...feedback, feedback_type: 'topic', weave_ref: `weave:///${here.project}/call/${CALM}` }
    for (const label of ['bills', 'bills', 'dogs'])
      await server.api.ok('/feedback/create', { ...topic, payload: { label } })
    const topics = { type: 'feedback', feedback_type: 'topic', json_path: 'label' }
    const counted = { value_type: 'categorical', aggregation: 'count' }
    await here.alert('topics', { source: { ...topics, ...counted, group_by: 'value' }, alert_at: 1 })
    await here.alert('topics-by-op', { source: { ...topics, ...counted, group_by: 'op' } })
    const runnable_ref = `weave:///${here.project}/object/refusal:${'r'.repeat(43)}`
    const seen = { ...feedback, feedback_type: 'wandb.runnable.refusal', runnable_ref }
    for (const value of [true, true, false])
      await server.api.ok('/feedback/create', { ...seen, payload: { output: { value } } })
    await here.alert('refusals', {
      source: {
        ...{ type: 'feedback', feedback_type: 'wandb.runnable.refusal', json_path: 'output.value' },
        ...{ value_type: 'boolean', aggregation: 'count_true' },
      },
      alert_at: 1,
    })
    await here.alert('by-op', { source: { ...CALLS, group_by: 'op' }, warn_at: 0 })
    await here.alert('errors', {
      ...{ source: { ...CALLS, metric: 'error_count', aggregation: 'avg' }, alert_at: 0.7 },
      message: '{{name}} is {{value}} ({{comparison}} {{threshold}})',
    })
    await here.alert('mood', {
      source: { type: 'feedback', feedback_type: 'mood', json_path: 'score' },
      ...{ comparison: '<', alert_at: 0.25 },
    })
    const query = `SELECT op_name, count() AS value FROM calls
      WHERE started_at >= {since:DateTime64(6)} AND started_at < {until:DateTime64(6)} GROUP BY op_name`
    await here.alert('by-sql', { source: { type: 'sql', query } })
    await here.alert('silent', {
      source: { ...CALLS, filter: { op_names: ['none'] } },
      minimum_count: 1,
      no_data: 'alert',
    })
    const told = await here.received(9)
    const begun = told.map(({ alert, group, state, value }) => [alert, group, state, value])
    expect(begun.sort()).toEqual([
      ['by-op', 'busy', 'alert', 3],
      ['by-op', 'calm', 'warning', 1],
      ['by-sql', 'busy', 'alert', 3],
      ['errors', null, 'alert', 0.75],
      ['mood', null, 'alert', 0.2],
      ['refusals', null, 'alert', 2],
      ['silent', null, 'no_data', 0],
      ['topics', 'bills', 'alert', 2],
      ['topics-by-op', 'calm', 'alert', 3],
    ])
    expect(told.find(({ alert }) => alert === 'errors')!.text).toBe('errors is 0.75 (> 0.7)')
    // A change of what it is grouped by ends what it told of groups, a deletion everything.
    await here.alert('by-op', { source: CALLS, alert_at: 100 })
    await server.api.ok('/alerts/delete', { project_id: here.project, alert: 'errors' })
    await here.alert('mood', {
      ...{ active: false, alert_at: 0.25, comparison: '<' },
      source: { type: 'feedback', feedback_type: 'mood', json_path: 'score' },
    })
    const over = (await here.received(13)).slice(9)
    expect(over.map(({ alert, group, state, reason }) => [alert, group, state, reason]).sort()).toEqual([
      ['by-op', 'busy', 'ok', 'the alert was changed'],
      ['by-op', 'calm', 'ok', 'the alert was changed'],
      ['errors', null, 'ok', 'the alert was deleted'],
      ['mood', null, 'ok', 'the alert was turned off'],
    ])
  })

  it('shows what it would have judged', async () => {
    const here = new Watched()
    await here.log(3)
    const ago = new Date(Date.now() - 150_000).toISOString()
    await here.log(1, { started_at: ago, ended_at: ago })
    const asked = { project_id: here.project, source: CALLS, window_seconds: 60, alert_at: 2, windows: 5 }
    const { points } = await server.api.ok('/alerts/preview', asked)
    const values = (points as Row[]).map(({ value, state }) => [value, state])
    expect(values).toEqual([
      [0, 'ok'],
      [0, 'ok'],
      [1, 'ok'],
      [0, 'ok'],
      [3, 'alert'],
    ])
    const options = ['--metric', 'call_count', '--of', 'sum', '--above', '2', '--window', '1m']
    expect(await server.cli('alerts', 'preview', here.project, ...options)).toMatch(
      /^beyond a threshold in 1 of 60 windows\nUNTIL .*\n.* 3 +3 +alert *\n$/,
    )
  })

  it('that is muted, or has no channel, is told when that is over', async () => {
    const here = new Watched()
    await here.hook()
    await here.log(3)
    await here.alert('many', { alert_at: 100 })
    await here.checked('many')
    await here.mute('many', new Date(Date.now() + 3.6e6).toISOString())
    await here.alert('many', { alert_at: 2 })
    await until('it to be noticed', async () => (await here.status('many')).state === 'alert')
    expect(await here.history()).toMatchObject([{ state: 'alert', notified: false, deliveries: [] }])
    expect(receiver.at(here.path())).toEqual([])
    await here.mute('many', null)
    expect(await here.received(1)).toMatchObject([{ state: 'alert', previous_state: 'alert', value: 3 }])
    // So is one that had no channel.
    await here.alert('late', { channels: [] })
    await until('it to be noticed', async () => (await here.status('late')).state === 'alert')
    await here.alert('late', {})
    expect((await here.received(2))[1]).toMatchObject({ alert: 'late', previous_state: 'alert', value: 3 })
  })
})

it('each kind of channel is told as its service asks', async () => {
  const here = new Watched()
  const at = (name: string) => `${receiver.url}${here.path(name)}`
  await here.channel('slack', { type: 'slack', url: at('slack') })
  await here.channel('duty', { type: 'pagerduty', routing_key: 'R0', api_url: at('duty') })
  await here.channel('mail', { type: 'email', to: ['a@example.com', 'b@example.com'] })
  const github = { type: 'github', repository: 'acme/app', token: 'T0', api_url: at('github') }
  await here.channel('github', github)
  const channels = ['slack', 'duty', 'mail', 'github']
  await here.log(3, { op_name: '<!channel> & co' })
  await here.alert('by-op', { channels, source: { ...CALLS, group_by: 'op' } })
  await until('the mail', () => mailSink.mails.some(({ subject }) => subject.includes(here.project)))
  await server.api.ok('/alerts/delete', { project_id: here.project, alert: 'by-op' })
  await until('the end of the incident', () => receiver.at(`${here.path('duty')}/v2/enqueue`).length === 2)
  await until(
    'the other mail',
    () => mailSink.mails.filter(({ subject }) => subject.includes(here.project)).length === 2,
  )

  const text = `Alert: by-op (${here.project}, op <!channel> & co): sum of call_count is 3, > 2, over 1 hour.`
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const [slack] = receiver.at<{ attachments: Row[] }>(here.path('slack'))
  expect(slack!.attachments[0]).toMatchObject({ color: '#c62828', fallback: escaped })
  const [begun, over] = receiver.at<Row>(`${here.path('duty')}/v2/enqueue`)
  expect(begun).toMatchObject({
    ...{ routing_key: 'R0', event_action: 'trigger', payload: { summary: text, severity: 'critical' } },
  })
  expect(over).toMatchObject({ event_action: 'resolve', dedup_key: begun!.dedup_key })
  const dispatched = `${here.path('github')}/repos/acme/app/dispatches`
  expect(receiver.at(dispatched)[0]).toMatchObject({
    ...{ event_type: 'heddle-alert', client_payload: { text, change: { state: 'alert', value: 3 } } },
  })
  expect(receiver.got.find(({ path }) => path === dispatched)!.headers.authorization).toBe('Bearer T0')
  const mail = mailSink.mails.find(({ subject }) => subject === text)!
  expect(mail.to).toEqual(['a@example.com', 'b@example.com'])
  expect(mail.text).toContain(`/${here.project}/weave/alerts`)

  // What is secret went in, and comes out nowhere.
  const listed = await server.api.ok('/notifications/channels/query', { project_id: here.project })
  expect((listed.channels as Row[]).map(({ name, type, target }) => [name, type, target])).toEqual([
    ['duty', 'pagerduty', new URL(receiver.url).host],
    ['github', 'github', 'acme/app'],
    ['mail', 'email', 'a@example.com, b@example.com'],
    ['slack', 'slack', new URL(receiver.url).host],
  ])
  for (const secret of ['R0"', 'T0"', here.path('slack')]) {
    expect(JSON.stringify(listed)).not.toContain(secret)
    expect(server.output).not.toContain(secret)
  }
})

it('the guide’s commands make alerts, mute them and show what they noticed', async () => {
  const shell = { ...server.env, WEBHOOK_URL: `${receiver.url}/guide` }
  const { code, stdout, stderr } = await runGuide('alerts', shell)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^whsec_\S+$/m)
  expect(stdout).toContain('ops took the test\n')
  expect(stdout).toMatch(/^slow is muted until /m)
  const list = await server.cli('alerts', 'list', 'acme/support')
  for (const name of ['errors', 'failed-training', 'refusals', 'slow', 'spend'])
    expect(list).toMatch(new RegExp(`^${name} +ok .* ops *$`, 'm'))
  const [sent] = receiver.at('/guide')
  const [, example = ''] = /^```json\n([\s\S]*?)^```$/m.exec(guideText('alerts'))!
  expect(Object.keys(sent!)).toEqual(Object.keys(JSON.parse(example) as object))
  await expect(server.cli('alerts', 'create', 'acme/support', 'x', '--metric', 'latency_ms')).rejects.toThrow(
    'name a threshold: --above or --below',
  )
})

describe('a receiver', () => {
  it('that fails is tried again with the same id, in order, and harms no other', async () => {
    const here = new Watched()
    await here.hook('bad')
    await here.hook('hangs')
    await here.hook('good')
    const hanging: { end: () => void }[] = []
    let fails = 1
    receiver.answer = (response, { path }) => {
      if (path === here.path('hangs')) hanging.push(response)
      else {
        response.statusCode = path === here.path('bad') && fails-- > 0 ? 503 : 200
        response.end()
      }
    }
    await here.log(3)
    await here.alert('many', { channels: ['hangs', 'bad', 'good'] })
    await here.received(1, 'good')
    await here.alert('many', { channels: ['hangs', 'bad', 'good'], alert_at: 50 })
    await here.received(2, 'good')
    await here.received(3, 'bad')
    const got = receiver.got.filter(({ path }) => path === here.path('bad'))
    const [first, again, over] = got.map(({ headers }) => headers['webhook-id'])
    expect([again, over === first]).toEqual([first, false])
    expect((await here.received(3, 'bad')).map(({ state }) => state)).toEqual(['alert', 'alert', 'ok'])
    expect(receiver.at(here.path('hangs'))).toHaveLength(1)
    for (const response of hanging) response.end()
    receiver.answer = (response) => response.end()
    await here.received(2, 'hangs')
  })

  it('that redirects, is in a private network, or is gone is said to be so', async () => {
    const here = new Watched()
    const test = async (channel: Row) => {
      await here.channel('one', channel)
      return server.api.ok('/notifications/channels/test', { project_id: here.project, channel: 'one' })
    }
    receiver.answer = (response) => {
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' })
      response.end()
    }
    const hook = { type: 'webhook', url: `${receiver.url}/away` }
    expect(await test(hook)).toEqual({
      delivered: false,
      problem: 'The upstream server failed: it redirects.',
    })
    receiver.answer = (response) => response.writeHead(410).end()
    expect(await test(hook)).toEqual({ delivered: false, problem: 'The receiver answered 410.' })
    receiver.answer = (response) => response.end()
    expect(await test(hook)).toEqual({ delivered: true, problem: null })
    const [port] = await freePorts(1)
    expect(await test({ type: 'webhook', url: `http://127.0.0.1:${port}/` })).toMatchObject({
      ...{ delivered: false, problem: expect.stringContaining('ECONNREFUSED') },
    })
    for (const url of ['http://169.254.169.254/', 'http://10.0.0.1/', 'file:///etc/passwd'])
      expect(
        (
          await server.api.post('/notifications/channels/save', {
            ...{ project_id: here.project, name: 'two', channel: { type: 'slack', url } },
          })
        ).status,
      ).toBe(400)
  })
})

it.each(KILL_SEEDS)(
  'each change is told, in order, whatever is killed when (HEDDLE_KILL_SEED=%i)',
  {
    timeout: 240_000,
  },
  async (seed) => {
    const here = new Watched()
    await here.hook()
    await here.log(3)
    let changes = 0
    const change = () => here.alert('many', { alert_at: changes++ % 2 === 0 ? 2 : 50 })
    await strikeEach(
      seed,
      ['server', 'clickhouse-embedded', 'redis', 'server'],
      { server, redis, env },
      change,
      async (service) => {
        server = service.server
        await until('it to be noticed', async () => (await here.history()).length >= changes)
      },
    )
    const states = (rows: readonly Row[]) => rows.map(({ state }) => state)
    const wanted = ['alert', 'ok', 'alert', 'ok']
    expect(states(await here.history()).toReversed()).toEqual(wanted)
    await until('all to be told', async () =>
      (await here.history()).every(({ deliveries }) => (deliveries as Row[])[0]!.state === 'delivered'),
    )
    const got = receiver.got.filter(({ path }) => path === here.path())
    const once = new Map(
      got.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body) as { data: Row }]),
    )
    expect(states([...once.values()].map(({ data }) => data))).toEqual(wanted)
    expect([...once.keys()]).toEqual((await here.history()).toReversed().map(({ id }) => id as Json))
  },
)
