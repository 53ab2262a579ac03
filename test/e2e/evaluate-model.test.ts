/**
 * Evaluations that the server runs itself, with a model of an OpenAI-compatible provider: what comes of rows, models
 * and scorers that fail, of a worker that dies, a Redis that is lost, and a run that is deleted; scoring of calls, and
 * of a run anew.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dig, type Row } from '../support/api.js'
import { Evaluations } from '../support/evaluations.js'
import { freshProject } from '../support/ids.js'
import { createKey } from '../support/keys.js'
import { isAlive, processBelow, signal } from '../support/processes.js'
import { RedisProcess } from '../support/redis.js'
import { Server } from '../support/server.js'
import { Stub } from '../support/stub.js'
import { until } from '../support/until.js'

const SECRET = 'provider-key-0123456789'

let provider: Stub
let redis: RedisProcess
let server: Server
beforeAll(async () => {
  provider = await Stub.start('chat-provider')
  redis = await RedisProcess.start()
  server = await Server.start({
    env: {
      REDIS_URL: redis.url,
      HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1/32',
      HEDDLE_SECRETS_KEY: 'a-key-of-tests-0123456789',
      HEDDLE_PROVIDER_SECONDS: '2',
      HEDDLE_EVALUATION_TRIES: '3',
      HEDDLE_EVALUATION_PATIENCE_SECONDS: '12',
      HEDDLE_EVALUATION_ROWS: '4',
    },
  })
  await server.cliWith(SECRET, 'secrets', 'set', '*', 'STUB_KEY', '--for', provider.url)
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  await provider?.stop()
})

/** A project with the provider in it. */
async function freshEvaluations(): Promise<Evaluations> {
  const evaluations = new Evaluations(server.api, freshProject())
  const val = { name: 'stub', base_url: provider.url, api_key_name: 'STUB_KEY' }
  const obj = { project_id: evaluations.project, object_id: 'stub', builtin_object_class: 'Provider', val }
  await server.api.ok('/obj/create', { obj })
  return evaluations
}

async function seen(): Promise<{ model: string; text: string; format: string | null }[]> {
  return (await (await fetch(`${provider.url}/seen`)).json()) as never
}

const judge = (evaluations: Evaluations, prompt: string) =>
  evaluations.scorer('judge', 'LLMAsAJudgeScorer', {
    scoring_prompt: prompt,
    model: {
      ...{ _type: 'LLMStructuredCompletionModel', _class_name: 'LLMStructuredCompletionModel' },
      _bases: ['Model', 'Object', 'BaseModel'],
      ...{ llm_model_id: 'custom::stub::judge', default_params: { response_format: 'json_object' } },
    },
    output_schema: { type: 'object', required: ['good'], properties: { good: { type: 'boolean' } } },
  })

describe('an evaluation', () => {
  it('asks the model about every row and the scorers about every answer, and reads like one of an SDK', async () => {
    const evaluations = await freshEvaluations()
    const { project } = evaluations
    const scorers = await Promise.all([
      evaluations.scorer('exact', 'ExactMatchScorer', { trim: true }),
      evaluations.scorer('near', 'TextSimilarityScorer', { threshold: 0.5 }),
      judge(evaluations, 'Is {output} right for {question}? Expected: {expected}'),
    ])
    const rows = [
      { question: 'say Paris', expected: 'Paris' },
      { question: 'say Rome', expected: 'Paris' },
      { question: 'flaky 2 a say Paris', expected: 'Paris' },
      { question: 'say rubbish', expected: 'rubbish' },
      { question: 'hang', expected: 'x' },
      { question: 'refuse', expected: 'x' },
      { question: 'break', expected: 'x' },
    ]
    const evaluation = await evaluations.evaluation(rows, scorers, 2)
    const model = await evaluations.model('custom::stub::painter')
    const price = { prompt_token_cost: 0.5, completion_token_cost: 2 }
    await server.api.ok('/cost/create', { project_id: project, costs: { painter: price } })
    const id = await evaluations.begin(evaluation, model)
    const status = await evaluations.ended(id)

    expect(status).toEqual({
      code: 'complete',
      output: {
        // 6 of the 14 trials have no answer, and the judge none for "rubbish".
        exact: { passed: { true_count: 6, true_fraction: 6 / 14 } },
        near: { similarity: { mean: expect.any(Number) }, passed: { true_count: 6, true_fraction: 6 / 14 } },
        judge: { good: { true_count: 6, true_fraction: 6 / 14 }, letters: { mean: expect.any(Number) } },
        model_latency: { mean: expect.any(Number) },
      },
    })
    const calls = await server.api.calls(project, { filter: { trace_ids: [id] } })
    const named = (name: string) => calls.filter(({ op_name }) => String(op_name).includes(`/op/${name}:`))
    expect(named('Evaluation.evaluate')).toHaveLength(1)
    expect(named('Evaluation.predict_and_score')).toHaveLength(14)
    expect(named('Evaluation.summarize')).toHaveLength(1)
    const predictions = named('LLMStructuredCompletionModel.predict')
    expect(predictions).toHaveLength(14)
    expect(named('exact.score')).toHaveLength(8)
    expect(named('judge.score')).toHaveLength(8)

    const failedOf = (question: string) =>
      predictions
        .filter((call) => dig(call, 'inputs', 'question') === question)
        .map(({ exception }) => String(exception))
    expect(failedOf('hang')).toEqual(Array(2).fill(expect.stringMatching(/^PROVIDER_TIMEOUT: .*2 seconds/)))
    expect(failedOf('refuse')).toEqual(
      Array(2).fill(expect.stringMatching(/^PROVIDER_REFUSED: .*I will not/)),
    )
    expect(failedOf('refuse').join()).not.toContain(SECRET)
    expect(failedOf('break')).toEqual(Array(2).fill(expect.stringMatching(/^PROVIDER_BAD_ANSWER/)))
    expect(failedOf('flaky 2 a say Paris')).toEqual(['null', 'null'])
    const judged = named('judge.score').filter(({ exception }) => exception !== null)
    expect(judged.map(({ exception }) => exception)).toEqual(
      Array(2).fill(expect.stringMatching(/^NOT_JSON: .*\nIt said: no idea$/)),
    )

    const results = await server.api.ok(`/v2/${project}/eval_results/query`, {
      evaluation_run_ids: [id],
      include_summary: true,
      include_costs: true,
      include_raw_data_rows: true,
      resolve_row_refs: true,
    })
    expect(results).toMatchObject({ total_rows: 7, warnings: [] })
    const [summary] = dig(results, 'summary', 'evaluations') as Row[]
    expect(summary).toMatchObject({ trial_count: 14, evaluation_ref: evaluation, model_ref: model })
    expect(summary!.predict_total_tokens).toBe(8 * 12)
    expect(summary!.predict_total_cost).toBeCloseTo(8 * (10 * 0.5 + 2 * 2), 10)
    const stats = dig(summary, 'scorer_stats') as Row[]
    expect(stats.find(({ scorer_key, path }) => scorer_key === 'exact' && path === 'passed')).toMatchObject({
      ...{ pass_true_count: 6, pass_known_count: 8, trial_count: 8 },
    })
    // The worker's means are those that the store computes.
    for (const [scorer, name] of [
      ['near', 'similarity'],
      ['judge', 'letters'],
    ] as const) {
      const stored = stats.find(({ scorer_key, path }) => scorer_key === scorer && path === name)
      expect(stored?.numeric_mean).toBeCloseTo(Number(dig(status, 'output', scorer, name, 'mean')), 10)
    }
    const latency = Number(dig(status, 'output', 'model_latency', 'mean'))
    expect(summary!.mean_model_latency_seconds).toBeCloseTo(latency, 6)
    const asked = (results.rows as Row[]).find((row) => dig(row, 'raw_data_row', 'question') === 'say Paris')
    const trials = dig(asked, 'evaluations', 0, 'trials') as Row[]
    expect(trials).toHaveLength(2)
    expect(trials[0]).toMatchObject({
      model_output: 'Paris',
      scores: { exact: { passed: true }, near: { similarity: 1, passed: true }, judge: { good: true } },
      scorer_call_ids: { exact: expect.any(String), judge: expect.any(String) },
      total_tokens: 12,
    })
    const weave_ref = `weave:///${project}/call/${trials[0]!.predict_call_id}`
    const { result } = await server.api.ok('/feedback/query', {
      project_id: project,
      query: { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: weave_ref }] } },
    })
    expect((result as Row[]).map(({ feedback_type }) => feedback_type).sort()).toEqual([
      'wandb.runnable.exact',
      'wandb.runnable.judge',
      'wandb.runnable.near',
    ])
    const run = JSON.parse((await server.api.get(`/v2/${project}/evaluation_runs/${id}`)).text) as Row
    expect(run).toMatchObject({ status: 'completed', evaluation, model })
    expect((await seen()).some(({ model, format }) => model === 'judge' && format === 'json_schema')).toBe(
      true,
    )
    expect(server.output).not.toContain(SECRET)
  })

  it('is started by the command line, which judges a worse prompt beside the labelled one', async () => {
    const evaluations = await freshEvaluations()
    const { project } = evaluations
    await evaluations.scorer('exact', 'ExactMatchScorer', { trim: true })
    const rows = Array.from({ length: 12 }, (_, i) => JSON.stringify({ word: `w${i}`, expected: `w${i}` }))
    await server.cliWith(rows.join('\n'), 'datasets', 'push', project, 'words', '-')
    const push = (text: string) => server.cliWith(text, 'prompts', 'push', project, 'echo', '-')
    await push('say {word}')
    const asked = [
      '--dataset',
      'words',
      '--scorer',
      'exact',
      '--prompt',
      'echo',
      '--llm',
      'custom::stub::echo',
    ]
    const run = JSON.parse(await server.cli('eval', 'run', project, ...asked, '--json')) as Row
    expect(run).toMatchObject({ status: 'completed', results: { trial_count: 12, failed_trial_count: 0 } })
    await server.cli('prompts', 'label', project, 'echo', 'production')
    await push('say no {word}')
    const judged = async (...more: string[]) => {
      const args = ['eval', 'gate', project, ...asked, '--baseline', 'echo@production', '--json', ...more]
      const { status, stdout } = await server.cli(...args).then(
        (out) => ({ status: 0, stdout: out }),
        (error: { status: number; stdout: string }) => error,
      )
      return [status, JSON.parse(stdout)]
    }
    expect(await judged()).toEqual([
      1,
      expect.objectContaining({
        verdict: 'failed',
        baseline: expect.objectContaining({ id: run.evaluation_run_id, trials: 12 }),
        scores: [expect.objectContaining({ score: 'exact.passed', baseline: 1, run: 0, worse_rows: 12 })],
      }),
    ])
    expect(await judged('--baseline', 'echo@staging')).toEqual([
      2,
      { verdict: 'not judged', project, reason: expect.stringContaining('echo:staging') },
    ])
  })

  it('goes on after its worker was killed, and scores each row once', async () => {
    const evaluations = await freshEvaluations()
    const rows = Array.from({ length: 40 }, (_, i) => ({
      question: `slow 150 say number ${i}`,
      expected: `number ${i}`,
    }))
    const scorers = [await evaluations.scorer('exact', 'ExactMatchScorer')]
    const worker = processBelow(server.pid, 'evaluation-worker')
    const id = await evaluations.begin(
      await evaluations.evaluation(rows, scorers),
      await evaluations.model('custom::stub::slow'),
    )
    await until(
      'some rows to be done',
      async () => Number((await evaluations.status(id)).completed_rows) >= 8,
    )
    signal(worker, 'SIGKILL')
    await until('it to be gone', () => !isAlive(worker))
    expect(await evaluations.status(id)).toMatchObject({ code: 'running', total_rows: 40 })
    expect(await evaluations.ended(id)).toMatchObject({
      code: 'complete',
      output: { exact: { passed: { true_count: 40, true_fraction: 1 } } },
    })
    const calls = await server.api.calls(evaluations.project, { filter: { trace_ids: [id] } })
    expect(calls).toHaveLength(2 + 3 * 40)
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length)
    const asked = (await seen()).filter(({ model }) => model === 'slow').map(({ text }) => text)
    // What was under way is asked again, what was done is not.
    expect(new Set(asked).size).toBe(40)
    expect(asked.length).toBeLessThanOrEqual(40 + 2 * 4)
    const { total_count } = await server.api.ok('/feedback/query', {
      project_id: evaluations.project,
      limit: 1,
    })
    expect(total_count).toBe(40)
  })

  it('goes on after Redis was lost, and scores each row once', async () => {
    const evaluations = await freshEvaluations()
    const { project } = evaluations
    const rows = Array.from({ length: 120 }, (_, i) => ({
      question: `slow 300 say ${project} ${i}`,
      expected: `${project} ${i}`,
    }))
    const id = await evaluations.begin(
      await evaluations.evaluation(rows, [await evaluations.scorer('exact', 'ExactMatchScorer')]),
      await evaluations.model('custom::stub::steady'),
    )
    const done = (least: number) =>
      until(`${least} rows`, async () => Number((await evaluations.status(id)).completed_rows) >= least)
    await done(8)
    await redis.kill()
    // As where its disk was lost, too.
    await redis.again(true)
    await done(24)
    await redis.kill()
    await until('the worker to give the run up', () =>
      server.output.includes('evaluation paused; will retry'),
    )
    expect(await evaluations.status(id)).toMatchObject({ code: 'running', total_rows: 120 })
    // Another would wait for as long as Redis is gone.
    const scorer = `weave:///${project}/object/exact:latest`
    const another = { project_id: project, call_ids: [id], scorer_refs: [scorer] }
    const refused = await server.api.post('/calls/score', another)
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([503, 'EVALUATIONS_OFF'])
    await redis.again()
    expect(await evaluations.ended(id)).toMatchObject({
      code: 'complete',
      output: { exact: { passed: { true_count: 120, true_fraction: 1 } } },
    })
    const calls = await server.api.calls(project, { filter: { trace_ids: [id] } })
    expect(calls).toHaveLength(2 + 3 * 120)
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length)
    const asked = (await seen()).filter(({ text }) => text.includes(project)).map(({ text }) => text)
    expect(new Set(asked).size).toBe(120)
    // What was under way when it was given up.
    expect(asked.length).toBeLessThanOrEqual(120 + 4)
    const { total_count } = await server.api.ok('/feedback/query', { project_id: project, limit: 1 })
    expect(total_count).toBe(120)
  })

  it('waits for a model that can not be had, however often it has to ask', async () => {
    const evaluations = await freshEvaluations()
    const rows = ['busy 4 wait say Paris', 'say Paris'].map((question) => ({ question, expected: 'Paris' }))
    const id = await evaluations.begin(
      await evaluations.evaluation(rows, [await evaluations.scorer('exact', 'ExactMatchScorer')]),
      await evaluations.model('custom::stub::busy'),
    )
    expect(await evaluations.ended(id)).toMatchObject({
      code: 'complete',
      output: { exact: { passed: { true_count: 2, true_fraction: 1 } } },
    })
  })

  it('fails, and names the rows, where it waited long enough', async () => {
    const evaluations = await freshEvaluations()
    const rows = ['say Paris', 'busy 1000 never say Paris', 'break'].map((question) => ({
      ...{ question, expected: 'Paris' },
    }))
    const id = await evaluations.begin(
      await evaluations.evaluation(rows, [await evaluations.scorer('exact', 'ExactMatchScorer')]),
      await evaluations.model('custom::stub::away'),
    )
    const { code, error } = await evaluations.ended(id)
    expect(code).toBe('failed')
    const calls = await server.api.calls(evaluations.project, { filter: { trace_ids: [id] } })
    const trials = calls.filter(({ parent_id }) => parent_id === id)
    const unscored = trials.filter(({ exception }) => exception !== null)
    expect(unscored).toHaveLength(1)
    const digest = String(dig(unscored[0]!, 'inputs', 'example'))
      .split('/')
      .at(-1)
    expect(error).toMatch(new RegExp(`^1 of 3 rows have no score, .*: ${digest}\\. PROVIDER_LIMIT: `))
    // What was scored is there all the same.
    expect(calls.find((call) => call.id === id)?.output).toMatchObject({
      exact: { passed: { true_count: 1 } },
    })
  })

  it('ends when it is deleted, and leaves nothing behind', async () => {
    const evaluations = await freshEvaluations()
    const { project } = evaluations
    const rows = Array.from({ length: 200 }, (_, i) => ({ question: `slow 100 say ${project} ${i}` }))
    const id = await evaluations.begin(
      await evaluations.evaluation(rows, []),
      await evaluations.model('custom::stub::slow'),
    )
    await until(
      'some rows to be done',
      async () => Number((await evaluations.status(id)).completed_rows) >= 4,
    )
    await server.api.ok('/calls/delete', { project_id: project, call_ids: [id] })
    expect(await evaluations.status(id)).toEqual({ code: 'not_found' })
    await until('the worker to notice', () => server.output.includes('was deleted'))
    expect(await server.api.count(project)).toBe(0)
    const asked = (await seen()).filter(({ text }) => text.includes(project))
    expect(asked.length).toBeLessThan(100)
  })
})

describe('scoring', () => {
  it('scores calls that there are, as feedback on them', async () => {
    const evaluations = await freshEvaluations()
    const { project } = evaluations
    const ids = await Promise.all(
      ['Paris', 'Rome'].map(async (output) => {
        const start = {
          project_id: project,
          op_name: 'ask',
          started_at: new Date().toISOString(),
          attributes: {},
        }
        const inputs = { question: 'the capital of France', expected: 'Paris' }
        const { id } = await server.api.ok('/call/start', { start: { ...start, inputs } })
        const end = { project_id: project, id, ended_at: new Date().toISOString(), output, summary: {} }
        await server.api.ok('/call/end', { end })
        return String(id)
      }),
    )
    const refs = [
      await evaluations.scorer('exact', 'ExactMatchScorer'),
      await judge(evaluations, '{question}: {output}'),
    ]
    const asked = { project_id: project, call_ids: ids, scorer_refs: refs }
    expect(await server.api.ok('/calls/score', asked)).toEqual({})
    const feedback = await until('the feedback', async () => {
      const { result } = await server.api.ok('/feedback/query', { project_id: project })
      return (result as Row[]).length === 4 && (result as Row[])
    })
    const passed = feedback
      .filter(({ feedback_type }) => feedback_type === 'wandb.runnable.exact')
      .map(({ weave_ref, payload }) => [
        String(weave_ref).split('/').at(-1),
        dig(payload, 'output', 'passed'),
      ])
    expect(new Map(passed as [string, boolean][])).toEqual(
      new Map([
        [ids[0]!, true],
        [ids[1]!, false],
      ]),
    )
    expect(feedback.every(({ runnable_ref, call_ref }) => runnable_ref !== null && call_ref !== null)).toBe(
      true,
    )
    // The calls come after what they say.
    await until('the calls of the scores', async () => (await server.api.count(project)) === 2 + 4)
  })

  it('scores the predictions of a run anew, without asking its model', async () => {
    const evaluations = await freshEvaluations()
    const { project } = evaluations
    const rows = [
      { question: 'say Paris', expected: 'Paris' },
      { question: 'hang', expected: 'Paris' },
      { question: 'say the answer', expected: 'Paris' },
    ]
    const evaluation = await evaluations.evaluation(rows, [])
    const source = await evaluations.begin(evaluation, await evaluations.model('custom::stub::once'))
    expect(await evaluations.ended(source)).toMatchObject({ code: 'complete', output: { model_latency: {} } })
    const before = (await seen()).length
    const scorers = [await evaluations.scorer('has', 'ContainsScorer', { ignore_case: true })]
    const body = { project_id: project, source_evaluation_run_id: source, scorer_refs: scorers }
    const { call_id, evaluation_run_id } = await server.api.ok('/evaluations/rescore', body)
    expect(evaluation_run_id).toBe(call_id)
    expect(await evaluations.ended(String(call_id))).toMatchObject({
      code: 'complete',
      output: { has: { passed: { true_count: 1, true_fraction: 1 / 3 } } },
    })
    expect((await seen()).length).toBe(before)
    const results = await server.api.ok(`/v2/${project}/eval_results/query`, {
      evaluation_run_ids: [source, call_id],
      require_intersection: true,
    })
    expect(results).toMatchObject({ total_rows: 3 })
    const run = JSON.parse((await server.api.get(`/v2/${project}/evaluation_runs/${call_id}`)).text) as Row
    expect(run).toMatchObject({ source_evaluation_run_id: source, status: 'completed' })
  })
})

describe('what can not be run', () => {
  it('is refused with the name of what is code', async () => {
    const evaluations = await freshEvaluations()
    const { project } = evaluations
    const scorer = await server.api.ok(`/v2/${project}/scorers`, { name: 'mine', op_source_code: 'x' })
    const model = await server.api.ok(`/v2/${project}/models`, { name: 'own', source_code: 'x' })
    const good = await evaluations.model('custom::stub::painter')
    const rows = [{ question: 'say x' }]
    const refused = async (evaluation_ref: string, model_ref: string) => {
      const answer = await server.api.post('/evaluations/evaluate_model', {
        ...{ project_id: project, evaluation_ref, model_ref },
      })
      return [answer.status, JSON.parse(answer.text)]
    }
    const withCode = await evaluations.evaluation(rows, [String(scorer.scorer)])
    expect(await refused(withCode, good)).toEqual([
      400,
      { code: 'NOT_RUNNABLE', ref: scorer.scorer, reason: expect.stringContaining('Python code') },
    ])
    const plain = await evaluations.evaluation(rows, [])
    expect(await refused(plain, String(model.model_ref))).toEqual([
      400,
      { code: 'NOT_RUNNABLE', ref: model.model_ref, reason: expect.stringContaining('Python code') },
    ])
    const regex = await evaluations.scorer('evil', 'RegexScorer', { pattern: '(?=a)' })
    expect(await refused(await evaluations.evaluation(rows, [regex]), good)).toEqual([
      400,
      { code: 'NOT_RUNNABLE', ref: regex, reason: expect.stringContaining('pattern') },
    ])
    expect(await refused(plain, await evaluations.model('custom::nobody::x', {}, 'other'))).toEqual([
      404,
      expect.objectContaining({ code: 'NO_PROVIDER' }),
    ])
    expect((await refused(`weave:///${project}/object/none:v0`, good))[0]).toBe(404)
    expect(await server.api.count(project)).toBe(0)
  })

  it('is refused where calls are scored, or a run anew, with what is missing', async () => {
    const evaluations = await freshEvaluations()
    const { project } = evaluations
    const { scorer } = await server.api.ok(`/v2/${project}/scorers`, { name: 'mine', op_source_code: 'x' })
    const exact = await evaluations.scorer('exact', 'ExactMatchScorer')
    const none = `weave:///${project}/object/none:v0`
    const start = { project_id: project, op_name: 'ask', started_at: new Date().toISOString() }
    const { id } = await server.api.ok('/call/start', { start: { ...start, attributes: {}, inputs: {} } })
    const score = async (path: string, body: object) => {
      const { status, text } = await server.api.post(path, { project_id: project, ...body })
      return [status, JSON.parse(text).ref ?? JSON.parse(text).missing_calls ?? '']
    }
    const calls = (call_ids: unknown[], scorer_refs: unknown[]) =>
      score('/calls/score', { call_ids, scorer_refs })
    const rescore = (run: unknown, scorer_refs: unknown[]) =>
      score('/evaluations/rescore', { source_evaluation_run_id: run, scorer_refs })
    expect(await Promise.all([calls([], [exact]), calls([id], []), rescore(id, [])])).toEqual(
      Array(3).fill([422, '']),
    )
    expect(await calls([id, 'nobody'], [exact])).toEqual([404, ['nobody']])
    expect((await calls([id], [none]))[0]).toBe(404)
    expect((await rescore('nobody', [exact]))[0]).toBe(404)
    expect(await calls([id], [exact, scorer])).toEqual([400, scorer])
  })

  it('tells nobody how large the dataset of another tenant is', async () => {
    const evaluations = await freshEvaluations()
    const evaluation = await evaluations.evaluation([{ question: 'a' }, { question: 'b' }], [])
    const project = freshProject('globex')
    const stranger = server.api.as(await createKey(server, 'globex', 'write'))
    const start = { project_id: project, op_name: 'Evaluation.evaluate', attributes: {} }
    const started_at = new Date().toISOString()
    const { id } = await stranger.ok('/call/start', {
      start: { ...start, started_at, inputs: { self: evaluation } },
    })
    const asked = { project_id: project, call_id: id }
    const running = (total_rows: number) => ({ status: { code: 'running', completed_rows: 0, total_rows } })
    expect(await stranger.ok('/evaluations/status', asked)).toEqual(running(0))
    // Those who may read it see it.
    expect(await server.api.ok('/evaluations/status', asked)).toEqual(running(2))
  })
})
