/** Signals run by themselves: on answers alone, without calls of scorers; until they are switched off. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json, Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { freshProject, hex, uuid7 } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { RedisProcess } from '../support/redis.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let redis: RedisProcess
let server: Server
beforeAll(async () => {
  redis = await RedisProcess.start()
  server = await Server.start({ env: { REDIS_URL: redis.url, HEDDLE_SIGNALS: 'true' } })
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
})

const CALLS = { type: 'calls', metric: 'call_count', aggregation: 'sum' }
const REFUSES = "I'm sorry, but I can't help with that."

/** Ended calls of now; returns their ids. */
async function log(project: string, ...calls: Record<string, unknown>[]): Promise<string[]> {
  const now = new Date().toISOString()
  const batch = calls.map((more) => complete(project, { started_at: now, ended_at: now, ...more }))
  await server.api.ok(v2(project, 'calls/complete'), { batch })
  return batch.map(({ id }) => String(id))
}

const asked = (output: Json, question = 'Where is my parcel?') => ({
  ...{ op_name: 'answer', inputs: { question }, output },
  summary: { usage: { m: { prompt_tokens: 3, completion_tokens: 2, requests: 1 } } },
})

async function feedback(project: string): Promise<Row[]> {
  const { result } = await server.api.ok('/feedback/query', { project_id: project, limit: 1000 })
  return result as Row[]
}

it('they find what stands in answers, once, and write no call', { timeout: 120_000 }, async () => {
  const project = freshProject()
  // Children, functions that ask no model, and answers in which nothing is found.
  const others = [
    { ...asked(REFUSES), parent_id: uuid7() },
    { op_name: 'function', inputs: { question: 'Where?' }, output: REFUSES },
    asked('It is on its way.'),
  ]
  const [refused, , , , both] = await log(
    project,
    ...[asked(REFUSES), ...others],
    asked('Write to ada@example.org', 'You are not listening, I already told you!'),
  )
  const trace = hex(16)
  const said = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
  const start = BigInt(Date.now()) * 1_000_000n
  const turn = {
    ...{ traceId: trace, spanId: hex(8), name: 'invoke_agent Help', start, end: start + 1_000_000n },
    attributes: {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'Help' },
      ...{ 'gen_ai.conversation.id': 'talk', 'gen_ai.input.messages': said('user', 'This is useless.') },
      'gen_ai.output.messages': said('assistant', REFUSES),
    },
  }
  // Its exporter leaves out what was said.
  const silent = { ...turn, traceId: hex(16), spanId: hex(8), attributes: { 'gen_ai.agent.name': 'Quiet' } }
  const bytes = exportRequest({ attributes: inProject(project), spans: [turn, silent] })
  const type = { 'content-type': 'application/x-protobuf' }
  expect((await server.api.post('/otel/v1/traces', bytes, type)).status).toBe(200)
  const found = await until(
    'what is found',
    async () => {
      const all = await feedback(project)
      return all.length >= 7 && all
    },
    60,
  )
  const brief = (all: Row[]) =>
    all.map(({ feedback_type: kind, weave_ref: ref }) => `${kind} ${String(ref).split('/').at(-1)}`).sort()
  const expected = [
    `wandb.agent_monitor ${trace}`,
    `wandb.agent_monitor ${trace}`,
    `wandb.runnable.pii ${both}`,
    `wandb.runnable.refusal ${refused}`,
    `wandb.runnable.refusal ${turn.spanId}`,
    `wandb.runnable.user_frustration ${both}`,
    `wandb.runnable.user_frustration ${turn.spanId}`,
  ].sort()
  expect(brief(found)).toEqual(expected)
  expect(found.find(({ feedback_type: kind }) => kind === 'wandb.runnable.pii')).toMatchObject({
    payload: { output: { value: true, reason: 'There is an e-mail address.' } },
    call_ref: null,
  })
  const { signals, problem } = await server.api.ok('/signals/query', { project_id: project })
  expect(problem).toBeNull()
  expect(signals).toContainEqual({ signal: 'refusal', on: true, found_today: 2 })
  expect(signals).toContainEqual({ signal: 'tool_loop', on: true, found_today: 0 })

  // What people delete stays away, though its call is looked at again by a process that begins anew.
  const gone = found.find(({ feedback_type: kind }) => kind === 'wandb.runnable.pii')!
  await server.api.ok('/feedback/purge', {
    project_id: project,
    query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: gone.id as string }] } },
  })
  await server.cli('monitors', 'signals', project, '--off', 'refusal', '--off', 'pii')
  const { dataDir, ports } = server
  await server.kill()
  server = await Server.start({ env: { REDIS_URL: redis.url, HEDDLE_SIGNALS: 'true' }, dataDir, ports })
  const [later] = await log(project, {
    ...asked(REFUSES, 'this is useless'),
  })
  const again = await until(
    'the next one',
    async () => {
      const all = await feedback(project)
      return brief(all).includes(`wandb.runnable.user_frustration ${later}`) && all
    },
    60,
  )
  expect(brief(again)).toEqual(
    [...expected.filter((one) => !one.includes('pii')), `wandb.runnable.user_frustration ${later}`].sort(),
  )
  const calls = await server.api.lines('/calls/stream_query', { project_id: project })
  expect(calls.filter(({ op_name: op }) => String(op).includes('.score'))).toEqual([])
})

it('where nothing watches, the lists say so and what to do', async () => {
  const id = { project_id: freshProject() }
  await server.api.ok('/monitors/create', { ...id, name: 'polite', signals: ['refusal'] })
  const trigger = { type: 'alias', object: 'prompt', alias: 'new' }
  const actions = [{ type: 'evaluate', evaluation: 'questions' }]
  await server.api.ok('/rules/save', { ...id, name: 'try', trigger, actions })
  await server.api.ok('/alerts/save', { ...id, name: 'many', source: CALLS, alert_at: 2 })
  const problems = async ({ api }: Server) => {
    const { problem } = await api.ok('/signals/query', id)
    const { monitors } = await api.ok('/monitors/query', id)
    const { alerts } = await api.ok('/alerts/query', id)
    const { rules } = await api.ok('/rules/query', id)
    return [problem, ...[monitors, alerts, rules].map((all) => (all as Row[])[0]!.problem)]
  }
  expect(await problems(server)).toEqual([null, null, null, null])
  const said = (signals: string, what: string, why: string) => [
    ...[`This server looks for no signals now: ${signals}`, `This server scores nothing now: ${what}`],
    ...[`This server checks no alerts now: ${why}`, `This server applies no rules now: ${why}`],
  ]
  await redis.stop()
  const away = 'its Redis can not be reached; check REDIS_URL.'
  await until('it to be noticed', async () => (await problems(server)).every((one) => one !== null))
  expect(await problems(server)).toEqual(said(away, away, away))
  const { dataDir, ports } = server
  await server.stop()
  server = await Server.start({ env: { HEDDLE_SIGNALS: 'true' }, dataDir, ports })
  const queue = expect.stringMatching(/^This server (looks for no signals|scores nothing) now: start it with/)
  const none = 'start it with chat, or with a REDIS_URL.'
  expect(await problems(server)).toEqual([queue, queue, ...said('', '', none).slice(2)])
})
