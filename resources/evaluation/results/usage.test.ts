/** What the predictions of runs used, over calls as SDKs write them, in the real engine. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReads } from '../../../cli/serve/reads.js'
import { type TestCall, writeCalls } from '../../../query/testing/calls.js'
import { startService, type TestService } from '../../../query/testing/service.js'

const PROJECT = 'acme/used'
const op = (name: string) => `weave:///${PROJECT}/op/${name}:v1`
const used = (model: string, usage: object) => JSON.stringify({ usage: { [model]: usage } })

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
  await writeCalls(service.store, PROJECT, [...run('a', 'Router.predict'), ...run('b', 'careful')])
  await service.post('/cost/create', {
    project_id: PROJECT,
    costs: { small: { prompt_token_cost: 2, completion_token_cost: 3 } },
  })
}, 120_000)
afterAll(() => service.stop())

/** Three trials: 12 and 30 tokens, and one that has no prediction; a judge and a call further down used some, too. */
function run(id: string, predict: string): TestCall[] {
  const call = (
    name: string,
    parent_id: string,
    op_name: string,
    more: Partial<TestCall> = {},
  ): TestCall => ({
    id: name,
    trace_id: id,
    parent_id,
    op_name,
    started_at: '2026-01-01T00:00:00Z',
    ended_at: '2026-01-01T00:00:01Z',
    ...more,
  })
  const trials = [1, 2, 3].map((n) =>
    call(`${id}${n}`, id, op('Evaluation.predict_and_score'), {
      inputs: JSON.stringify({ example: `weave:///${PROJECT}/object/rows:v/attr/rows/id/row${n}` }),
      output: JSON.stringify({ output: n, scores: { right: true } }),
      summary: used('small', { prompt_tokens: 1000 }),
    }),
  )
  return [
    call(id, '', op('Evaluation.evaluate'), { inputs: JSON.stringify({ model: op(predict) }) }),
    ...trials,
    call(`${id}1p`, `${id}1`, op(predict), {
      summary: used('small', { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }),
    }),
    call(`${id}2p`, `${id}2`, op(predict), {
      summary: used('small', { input_tokens: 10, output_tokens: 20 }),
    }),
    call(`${id}1s`, `${id}1`, op('right'), { summary: used('judge', { prompt_tokens: 500 }) }),
    call(`${id}1pp`, `${id}1p`, op(predict), { summary: used('small', { prompt_tokens: 700 }) }),
  ]
}

it.each([
  ['one', ['a'], {}],
  ['two side by side', ['a', 'b'], {}],
  ['two, over the rows that both have', ['a', 'b'], { require_intersection: true }],
])('of %s: what stands right below the trials counts', async (_, evaluation_run_ids, more) => {
  const { json } = await service.post(`/v2/${PROJECT}/eval_results/query`, {
    ...{ evaluation_run_ids, include_summary: true, include_costs: true, ...more },
  })
  expect(json.total_rows).toBe(3)
  for (const one of json.summary.evaluations)
    expect(one).toMatchObject({
      ...{ trial_count: 3, mean_model_latency_seconds: 1 },
      ...{ predict_total_tokens: 42, predict_total_cost: 20 * 2 + 22 * 3 },
    })
  expect(json.summary.evaluations).toHaveLength(evaluation_run_ids.length)
  const [trial] = json.rows[0].evaluations[0].trials
  expect(trial).toMatchObject({ predict_call_id: 'a1p', total_tokens: 12 })
})
