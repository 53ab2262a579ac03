/** An evaluation of a model that this service serves itself: it goes on after its worker or the model's node was killed. */
import { beforeAll, expect, it } from 'vitest'
import { dig, type Row } from '../support/api.js'
import { type ChatEndpoint, PARIS } from '../support/chat-server.js'
import { Evaluations } from '../support/evaluations.js'
import { freshProject } from '../support/ids.js'
import { isAlive, signal } from '../support/processes.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

const ROWS = 40

let chat: ChatEndpoint
beforeAll(async () => {
  chat = await sharedChat()
})

it('completes after its worker was killed in the middle, each row scored once', async () => {
  const { server } = chat
  const evaluations = new Evaluations(server.api, freshProject())
  const scorers = [
    await evaluations.scorer('exact', 'ExactMatchScorer', { trim: true }),
    await evaluations.scorer('has', 'ContainsScorer', { ignore_case: true, texts: ['paris'] }),
  ]
  const rows = Array.from({ length: ROWS }, (_, i) => ({
    question: 'What is the capital of France?',
    expected: PARIS,
    number: i,
  }))
  const evaluation = await evaluations.evaluation(rows, scorers)
  const worker = chat.processOf('evaluation-worker')
  const id = await evaluations.begin(evaluation, await evaluations.model('demo', { temperature: 0 }))
  await evaluations.reach(id, 4)
  signal(worker, 'SIGKILL')
  await until('it to be gone', () => !isAlive(worker))
  expect(await evaluations.status(id)).toMatchObject({ code: 'running', total_rows: ROWS })

  const all = { passed: { true_count: ROWS, true_fraction: 1 } }
  expect(await evaluations.ended(id)).toMatchObject({
    code: 'complete',
    output: { exact: all, has: all, model_latency: { mean: expect.any(Number) } },
  })
  const calls = await server.api.calls(evaluations.project, { filter: { trace_ids: [id] } })
  expect(calls).toHaveLength(2 + 4 * ROWS)
  expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length)
  const results = await server.api.ok(`/v2/${evaluations.project}/eval_results/query`, {
    evaluation_run_ids: [id],
    include_summary: true,
  })
  expect(results.total_rows).toBe(ROWS)
  const [summary] = dig(results, 'summary', 'evaluations') as Row[]
  expect(summary).toMatchObject({ trial_count: ROWS, predict_total_tokens: expect.any(Number) })
  for (const stats of summary!.scorer_stats as Row[])
    expect(stats).toMatchObject({ pass_true_count: ROWS, pass_known_count: ROWS })
})

it('waits for its model’s node to be back after that was killed in the middle, and scores each row', async () => {
  const { server } = chat
  const evaluations = new Evaluations(server.api, freshProject())
  const rows = Array.from({ length: 20 }, (_, i) => ({
    question: 'What is the capital of France?',
    expected: PARIS,
    number: i,
  }))
  const scorer = await evaluations.scorer('exact', 'ExactMatchScorer', { trim: true })
  const evaluation = await evaluations.evaluation(rows, [scorer])
  const id = await evaluations.begin(evaluation, await evaluations.model('demo', { temperature: 0 }))
  await evaluations.reach(id, 4)
  // It takes several times as long to be back as a row is asked about by itself.
  for (let times = 0; times < 2; times++) {
    const node = await until('the node to be there', () => chat.processOf('heddle_model_server serve'))
    signal(node, 'SIGKILL')
    await until('it to be gone', () => !isAlive(node))
  }
  expect(await evaluations.ended(id, 150)).toMatchObject({
    code: 'complete',
    output: { exact: { passed: { true_count: 20, true_fraction: 1 } } },
  })
})
