/** The routes of evaluations in the real engine: names, versions, what is missing, what can't be done twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { writeCalls } from '../../query/testing/calls.js'
import { startService, type TestService } from '../../query/testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
})
afterAll(() => service.stop())

const at = '/v2/acme/one'
const post = (path: string, body?: unknown) => service.post(`${at}/${path}`, body)
const get = (path: string) => service.send('GET', `${at}/${path}`)
const remove = (path: string) => service.send('DELETE', `${at}/${path}`)
const listed = async (path: string) => (await get(path)).text.split('\n').filter((line) => line !== '')

describe('ops', () => {
  it('get an id from their name, and a version for each source', async () => {
    const first = await post('ops', { name: 'My Op/x', source_code: 'a = 1' })
    expect(first.json).toMatchObject({ object_id: 'my_op_x', version_index: 0 })
    expect((await post('ops', { name: 'My Op/x', source_code: 'a = 2' })).json.version_index).toBe(1)
    expect((await get('ops/my_op_x/versions/v0?eager=true')).json).toMatchObject({
      ...first.json,
      code: 'a = 1',
    })
    expect((await get('ops/my_op_x/versions/latest')).json.code).toBe('a = 2')
    expect((await post('ops', {})).json.object_id).toBe('Op')
  })

  it('are listed with their sources', async () => {
    const codes = (await listed('ops?limit=2&offset=1')).map((line) => JSON.parse(line).code)
    expect(codes[0]).toBe('a = 2')
    expect(codes).toHaveLength(2)
  })

  it('are deleted by versions, then as a whole', async () => {
    expect((await remove('ops/my_op_x?digests=v0&digests=v1')).json).toEqual({ num_deleted: 2 })
    expect((await get('ops/my_op_x/versions/v0')).json.deleted_at).toMatch(/Z$/)
    expect((await remove('ops/my_op_x')).status).toBe(404)
    expect((await remove('ops/Op')).json).toEqual({ num_deleted: 1 })
  })

  it('share a name with what is no op, and are deleted without it', async () => {
    await post('ops', { name: 'shared' })
    expect((await post('datasets', { name: 'shared', rows: [] })).status).toBe(200)
    expect((await post('ops', { name: 'shared', source_code: 'a = 1' })).json.version_index).toBe(2)
    expect((await get('datasets/shared/versions/v1')).status).toBe(200)
    expect((await remove('ops/shared?digests=v1')).status).toBe(404)
    expect((await remove('ops/shared')).json).toEqual({ num_deleted: 2 })
    expect((await get('datasets/shared/versions/latest')).status).toBe(200)
  })
})

describe('names', () => {
  const bodies: [string, (name: string) => object][] = [
    ['ops', (name) => ({ name })],
    ['datasets', (name) => ({ name, rows: [] })],
    ['scorers', (name) => ({ name, op_source_code: 'x' })],
    ['models', (name) => ({ name, source_code: 'x' })],
  ]
  it.each(bodies)('of %s: lower case, without what no id may have', async (path, body) => {
    expect((await post(path, body(`GET /${path}/{id}\t1`))).json.object_id).toBe(`get__${path}_id1`)
  })

  it.each(bodies)('of %s: one that is too long, or has nothing that may stay', async (path, body) => {
    const long = await post(path, body('x'.repeat(129)))
    expect([long.status, long.json.reason]).toEqual([400, expect.stringContaining('at most 128 characters')])
    expect((await post(path, body('???'))).status).toBe(422)
    expect((await post(path, body(''))).status).toBe(422)
  })
})

describe('digests, as clients know them', () => {
  const source_code = 'class M:\n    pass\n'
  it.each([
    ['ops', { name: 'known' }, 'XNI9iHYwcffKfuDa2rGjQoIxUOw7cnWmLEiNufRD8RY'],
    ['models', { name: 'My Model', source_code }, 'IS9TZZFphmtIQa2x7a4cFJYddkbIvJXCDUeOV4q0nJc'],
    [
      'scorers',
      { name: 'My Scorer', op_source_code: 'def score(x):\n    return x\n' },
      '9wGEOktiXWecTnSBdaWMydYehCKlHx8OYD4XjGSeV3s',
    ],
  ])('of %s', async (path, body, digest) => expect((await post(path, body)).json.digest).toBe(digest))

  it('of a model with attributes', async () => {
    const body = `{"name":"My Model","description":"desc","source_code":${JSON.stringify(source_code)},"attributes":{"t":1.0,"n":[1,2]}}`
    const made = await service.send('POST', `${at}/models`, body)
    expect(made.json.digest).toBe('TDncDk20QdjJRnyV3KUcXaamnVImYNWl8uyIwvoPh5w')
  })

  it('of the ops of an evaluation', async () => {
    const dataset = (await post('datasets', { name: 'of evaluation', rows: [] })).json
    await post('evaluations', {
      name: 'Known',
      dataset: `weave:///acme/one/object/of_evaluation:${dataset.digest}`,
    })
    const { json } = await get('evaluations/known/versions/latest')
    expect([json.evaluate_op, json.predict_and_score_op, json.summarize_op]).toEqual([
      'WH34fFTPYerFQrvZxE7ML3Tk2YGQyLxqS83rkQpwBcI',
      'SmXleiYg9oxgleGX2armwgVM3FuF3VwWqmVB8fIXDU0',
      '4hhXWvFdDmssDGghv3FM89PbIXY9HQnw2XV8eW0IRvI',
    ])
  })
})

describe('datasets, scorers, models', () => {
  it('a dataset keeps its rows as they were written', async () => {
    const made = await service.send('POST', `${at}/datasets`, '{"name":"Rows","rows":[{"n":1.0},{"n":1}]}')
    const { rows } = (await get(`datasets/${made.json.object_id}/versions/${made.json.digest}`)).json
    const digest = rows.split('/').at(-1)
    const table = await service.post('/table/query', { project_id: 'acme/one', digest })
    expect(table.text).toContain('{"n":1.0}')
    expect(table.text).toContain('{"n":1}')
  })

  it('rows that are none are told by their place', async () => {
    const { status, json } = await post('datasets', { rows: [{}, 7] })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'rows', '1']])
  })

  it('a scorer is two ops and an object', async () => {
    const { json } = await post('scorers', { name: 'Exact', description: 'd', op_source_code: 'x = 1' })
    expect(json.scorer).toBe(`weave:///acme/one/object/exact:${json.digest}`)
    const read = (await get('scorers/exact/versions/latest')).json
    expect(read).toMatchObject({ name: 'Exact', description: 'd' })
    expect((await get(`ops/exact_score/versions/${read.score_op}`)).json.code).toBe('x = 1')
    expect((await get('ops/exact_summarize/versions/latest')).json.code).toContain('auto_summarize')
  })

  it('attributes of a model keep their digits and never stand in for what a model is', async () => {
    const body = '{"name":"M","source_code":"class M","attributes":{"t":1.0,"_class_name":"Evil"}}'
    await service.send('POST', `${at}/models`, body)
    const { text, json } = await get('models/m/versions/latest')
    expect(text).toContain('"attributes":{"t":1.0}')
    expect(json.source_code).toBe('class M')
  })

  it('one kind is not read as another', async () => {
    expect((await get('models/exact/versions/latest')).status).toBe(404)
    expect((await remove('datasets/exact')).status).toBe(404)
    expect((await listed('models')).join('')).not.toContain('"exact"')
  })
})

describe('what is missing', () => {
  it.each([
    ['evaluations', { name: 'E', dataset: 'weave:///acme/one/object/nowhere:v0' }, 404],
    ['evaluations', { name: 'E', dataset: 'rows', scorers: [] }, 400],
    ['evaluation_runs', { evaluation: 'weave:///acme/one/object/nowhere:v0', model: 'gpt' }, 404],
    ['predictions', { model: 'weave:///acme/one/object/nowhere:v0', inputs: {}, output: 1 }, 404],
    ['predictions', { model: 'gpt', inputs: {}, output: 1, evaluation_run_id: 'nope' }, 404],
    ['predictions', { model: 'gpt', inputs: {} }, 422],
    ['scores', { prediction_id: 'nope', scorer: 'weave:///acme/one/object/exact:v0', value: 1 }, 404],
    ['scores', { prediction_id: 'nope', scorer: 'exact', value: 1 }, 400],
    ['predictions/nope/finish', undefined, 404],
    ['evaluation_runs/nope/finish', undefined, 404],
  ])('%s %j', async (path, body, status) => {
    const answer = await post(path, body)
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(/reason|detail/)])
  })

  it('a 404 names what is missing', async () => {
    const dataset = 'weave:///acme/one/object/nowhere:v0'
    const { json } = await post('evaluations', { name: 'E', dataset })
    expect(json).toMatchObject({ missing_refs: [dataset], reason: expect.stringContaining(dataset) })
  })

  it.each(['scores?score_ids=', 'scores', 'predictions', 'evaluation_runs'])('no ids: %s', async (path) =>
    expect((await remove(path)).status).toBe(422),
  )

  it.each(['scores/x', 'predictions/x', 'evaluation_runs/x', 'ops/x/versions/v0'])('no %s', async (path) =>
    expect((await get(path)).status).toBe(404),
  )

  it.each([{}, { evaluation_run_ids: [] }, { evaluation_call_ids: [], evaluation_run_ids: null }])(
    'results of %j',
    async (body) => expect((await post('eval_results/query', body)).status).toBe(422),
  )

  it('results of runs that are not there', async () => {
    const { json } = await post('eval_results/query', { evaluation_run_ids: ['x'], include_summary: true })
    expect(json).toEqual({
      rows: [],
      total_rows: 0,
      summary: { row_count: 0, evaluations: [] },
      warnings: ['Evaluation run x not found.'],
    })
  })

  it('other projects', async () => {
    const dataset = 'weave:///other/two/object/rows:v0'
    const body = JSON.stringify({ name: 'E', dataset })
    const { status } = await service.send('POST', `${at}/evaluations`, body, { authorization: 'Bearer one' })
    expect(status).toBe(403)
    const foreign = await service.send('GET', '/v2/other/two/scores', undefined, {
      authorization: 'Bearer one',
    })
    expect(foreign.status).toBe(403)
  })
})

describe('a run', () => {
  const made: Record<string, string> = {}
  beforeAll(async () => {
    const scorer = (await post('scorers', { name: 'Judge', op_source_code: 'j' })).json.scorer
    const model = (await post('models', { name: 'Run Model', source_code: 'm' })).json.model_ref
    await post('datasets', { name: 'run rows', rows: [{ q: 1 }] })
    const evaluation = (
      await post('evaluations', {
        ...{ name: 'Run', dataset: 'weave:///acme/one/object/run_rows:latest', scorers: [scorer] },
        ...{ evaluation_name: 'night', trials: 2, eval_attributes: { team: 'a' } },
      })
    ).json.evaluation_ref
    const run = (await post('evaluation_runs', { evaluation, model })).json.evaluation_run_id
    Object.assign(made, { scorer, model, evaluation, run })
  })
  const predict = async (body: string) =>
    (await service.send('POST', `${at}/predictions`, body)).json.prediction_id as string
  const inRun = (q: string, output: string) =>
    predict(
      `{"model":"${made.model}","inputs":{"q":${q}},"output":${output},"evaluation_run_id":"${made.run}"}`,
    )
  const results = async (more: object = {}) =>
    (await post('eval_results/query', { evaluation_run_ids: [made.run], include_summary: true, ...more }))
      .json

  it('begins as a running call with the name that the evaluation gives', async () => {
    expect((await get(`evaluation_runs/${made.run}`)).json).toMatchObject({
      ...{ evaluation: made.evaluation, model: made.model, status: 'running', finished_at: null },
    })
    const { call } = (await service.post('/call/read', { project_id: 'acme/one', id: made.run })).json
    expect([call.display_name, call.trace_id]).toEqual(['night', made.run])
  })

  it('a prediction keeps every digit, and its output when it is finished', async () => {
    const id = await inRun('1.0', '{"a":2.50}')
    await post(`predictions/${id}/finish`)
    const { text } = await get(`predictions/${id}`)
    expect(text).toContain('"inputs":{"q":1.0},"output":{"a":2.50}')
    expect((await post(`predictions/${id}/finish`)).status).toBe(400)
    expect((await post(`predictions/${id}/finish`)).json.reason).toContain('already finished')
  })

  it('scores stand beside predictions, as feedback on them, and count also after the finish', async () => {
    const id = await inRun('2', '7')
    const early = await post('scores', { prediction_id: id, scorer: made.scorer, value: { ok: true } })
    expect((await get(`scores/${early.json.score_id}`)).json).toMatchObject({
      ...{ scorer: made.scorer, value: { ok: true }, evaluation_run_id: made.run },
    })
    await post(`predictions/${id}/finish`)
    await post('scores', { prediction_id: id, scorer: made.scorer, value: 0.5 })
    const [row] = (await results({ filters: [where('outputs', 7)] })).rows
    expect(row.evaluations[0].trials[0].scores).toEqual({ judge: 0.5 })
    const feedback = await service.post('/feedback/query', {
      project_id: 'acme/one',
      query: { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: `weave:///acme/one/call/${id}` }] } },
    })
    expect(feedback.json.result.map(({ payload }: { payload: unknown }) => payload)).toEqual(
      expect.arrayContaining([{ output: { ok: true } }, { output: 0.5 }]),
    )
  })

  it('a score of a prediction in another run is refused', async () => {
    const other = (await post('evaluation_runs', made)).json.evaluation_run_id
    const id = await inRun('3', '9')
    const score = { prediction_id: id, scorer: made.scorer, value: 1 }
    expect((await post('scores', { ...score, evaluation_run_id: other })).status).toBe(400)
    expect((await post('scores', { ...score, evaluation_run_id: 'nope' })).status).toBe(404)
  })

  it('what stands outside of runs is read and scored as well', async () => {
    const id = await predict('{"model":"gpt","inputs":{"x":1},"output":null}')
    expect((await get(`predictions/${id}`)).json).toMatchObject({ model: 'gpt', evaluation_run_id: null })
    expect((await post(`predictions/${id}/finish`)).json).toEqual({ success: true })
    expect((await post('scores', { prediction_id: id, scorer: made.scorer, value: null })).status).toBe(200)
  })

  it('outputs of megabytes come back as they were, finishes of many at once as well', async () => {
    const run = (await post('evaluation_runs', made)).json.evaluation_run_id
    const output = 'żółć "\\\n\t\u0001'.repeat(200_000)
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        predict(
          JSON.stringify({
            model: 'gpt',
            inputs: { n },
            output: n === 0 ? output : n,
            evaluation_run_id: run,
          }),
        ),
      ),
    )
    const finishes = await Promise.all([...ids, ...ids].map((id) => post(`predictions/${id}/finish`)))
    expect(finishes.map(({ status }) => status).sort()).toEqual([
      ...Array(8).fill(200),
      ...Array(8).fill(400),
    ])
    const { json } = await post('eval_results/query', { evaluation_run_ids: [run] })
    const outputs = json.rows.map((row: { evaluations: { trials: { model_output: unknown }[] }[] }) =>
      row.evaluations.flatMap(({ trials }) => trials.map(({ model_output }) => model_output)),
    )
    expect(outputs.flat().includes(output)).toBe(true)
    expect(outputs.flat()).toHaveLength(8)
  })

  it('an SDK’s prediction shows all arguments, whatever they are called', async () => {
    const self = 'weave:///acme/one/object/m:v0'
    const given = { inputs: 'q', k: 3 }
    const started_at = '2026-01-01T00:00:00Z'
    const trial = { id: 'sdk-trial', parent_id: 'sdk-run', op_name: 'Evaluation.predict_and_score' }
    const prediction = { id: 'sdk-prediction', parent_id: 'sdk-trial', op_name: 'M.predict' }
    await writeCalls(service.store, 'acme/one', [
      { ...trial, started_at, ended_at: started_at, inputs: '{"example":{}}', output: '{}' },
      { ...prediction, started_at, ended_at: started_at, inputs: JSON.stringify({ self, ...given }) },
    ])
    expect((await get('predictions/sdk-prediction')).json).toMatchObject({ model: self, inputs: given })
  })

  it('inputs with numbers beyond 64 bits are shown as they were given', async () => {
    const inputs = '{"q":123456789012345678901234567890,"model":"\\"}"}'
    const id = await predict(`{"model":"a \\"model\\\\","inputs":${inputs},"output":1}`)
    expect((await get(`predictions/${id}`)).text).toContain(
      `"model":"a \\"model\\\\","inputs":${inputs},"output":1`,
    )
  })

  it('credentials in inputs are not kept', async () => {
    const id = await predict('{"model":"gpt","inputs":{"api_key":"s3cret"},"output":1}')
    expect((await get(`predictions/${id}`)).json.inputs).toEqual({ api_key: 'REDACTED' })
  })

  it('lists say of which run', async () => {
    expect((await listed(`predictions?evaluation_run_id=${made.run}`)).length).toBe(3)
    expect((await listed(`scores?evaluation_run_id=${made.run}`)).length).toBe(2)
    expect((await listed(`evaluation_runs?evaluation_run_ids=${made.run}&models=x`)).length).toBe(0)
    expect((await listed(`evaluation_runs?evaluations=${encodeURIComponent(made.evaluation!)}`)).length).toBe(
      3,
    )
    expect((await listed('predictions?limit=2&offset=1')).length).toBe(2)
  })

  it('ends once, with the means of its numbers', async () => {
    const finish = () =>
      service.send('POST', `${at}/evaluation_runs/${made.run}/finish`, '{"summary":{"x":1.0}}')
    const answers = await Promise.all([finish(), finish(), finish()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const read = await get(`evaluation_runs/${made.run}`)
    expect(read.json).toMatchObject({ status: 'completed' })
    expect(read.text).toContain('"summary":{"x":1.0}')
    const { call } = (await service.post('/call/read', { project_id: 'acme/one', id: made.run })).json
    expect(call.output).toEqual({ judge: { mean: 0.5 }, output: { mean: 7 } })
    expect((await inRun('4', '1')) ?? 'refused').toBe('refused')
  })

  it('has one summary where a finish was cut off after writing it, with the means of its end', async () => {
    const run = (await post('evaluation_runs', made)).json.evaluation_run_id
    const predicted = async (output: number) => {
      const id = await predict(
        JSON.stringify({ model: 'gpt', inputs: { n: output }, output, evaluation_run_id: run }),
      )
      await post(`predictions/${id}/finish`)
    }
    await predicted(1)
    let left = Number.POSITIVE_INFINITY
    const failing = await service.again((store) => {
      const cut: typeof store = Object.create(store)
      cut.insert = async (...given: Parameters<typeof store.insert>) => {
        if (given[0].startsWith('calls (') && --left < 0) throw new Error('cut off')
        return store.insert(...given)
      }
      return createReads({ store: cut, version: '' }).routes
    })
    left = 1
    const finish = () => failing.send('POST', `${at}/evaluation_runs/${run}/finish`, '{}')
    expect((await finish()).status).toBe(500)
    await predicted(3)
    left = Number.POSITIVE_INFINITY
    expect((await finish()).status).toBe(200)
    const query = { project_id: 'acme/one', filter: { parent_ids: [run] } }
    const calls = (await service.post('/calls/stream_query', query)).text.trim().split('\n')
    const summaries = calls
      .map((line) => JSON.parse(line))
      .filter(({ op_name }) => op_name.includes('summarize'))
    expect(summaries.map(({ output }) => output)).toEqual([{ output: { mean: 2 } }])
    expect((await get(`evaluation_runs/${run}`)).json.status).toBe('completed')
  })

  it('numbers beyond 64 bits hide neither rows nor scores', async () => {
    const run = (await post('evaluation_runs', made)).json.evaluation_run_id
    for (const n of ['123456789012345678901234567890', '123456789012345678901234567891']) {
      const head = `{"model":"gpt","inputs":{"n":${n}},"output":${n},"evaluation_run_id":"${run}"}`
      const prediction_id = await predict(head)
      await post('scores', { prediction_id, scorer: made.scorer, value: { ok: true } })
      await post(`predictions/${prediction_id}/finish`)
    }
    const body = { evaluation_run_ids: [run], include_summary: true, include_raw_data_rows: true }
    const { json, text } = await post('eval_results/query', body)
    expect(json.total_rows).toBe(2)
    expect(text).toContain('"raw_data_row":{"n":123456789012345678901234567891}')
    expect(json.summary.evaluations[0].scorer_stats[0]).toMatchObject({ path: 'ok', pass_true_count: 2 })
  })

  it('a row is one row, whether a run has it from a dataset, inline, or by the routes', async () => {
    const started_at = '2026-01-01T00:00:00Z'
    const stored = await service.post('/table/create', {
      table: { project_id: 'acme/one', rows: [{ city: 'Oslo', n: 1 }] },
    })
    const [digest] = stored.json.row_digests
    const trial = async (example: string) => {
      const run = (await post('evaluation_runs', made)).json.evaluation_run_id
      await writeCalls(service.store, 'acme/one', [
        {
          ...{ id: `trial ${run}`, trace_id: run, parent_id: run, started_at, ended_at: started_at },
          op_name: 'weave:///acme/one/op/Evaluation.predict_and_score:v1',
          // As the npm SDK names it.
          ...{ inputs: `{"example":${example}}`, output: '{"model_output":"cold"}' },
        },
      ])
      return run as string
    }
    const bound = await trial(`"weave:///acme/one/object/cities:v/attr/rows/id/${digest}"`)
    const inline = await trial('{"city":"Oslo","n":1}')
    const routed = (await post('evaluation_runs', made)).json.evaluation_run_id
    const prediction = await predict(
      `{"model":"gpt","inputs":{"city":"Oslo","n":1},"output":"cold","evaluation_run_id":"${routed}"}`,
    )
    await post(`predictions/${prediction}/finish`)
    const { json } = await post('eval_results/query', { evaluation_run_ids: [bound, inline, routed] })
    expect([json.total_rows, json.rows[0].row_digest]).toEqual([1, digest])
    const [{ evaluations }] = json.rows as [{ evaluations: { trials: { model_output: string }[] }[] }]
    expect(evaluations.map(({ trials }) => trials.map(({ model_output }) => model_output))).toEqual(
      Array(3).fill(['cold']),
    )
  })

  it('rows that have no digest, for a number beyond a double, are told apart by their texts', async () => {
    const run = (await post('evaluation_runs', made)).json.evaluation_run_id
    const started_at = '2026-01-01T00:00:00Z'
    const trials = ['1e999', '2e999'].map((n) => ({
      ...{ id: `trial ${n}`, trace_id: run, parent_id: run, started_at, ended_at: started_at },
      op_name: 'weave:///acme/one/op/Evaluation.predict_and_score:v1',
      ...{ inputs: `{"example":{"n":${n}}}`, output: '{"output":1}' },
    }))
    await writeCalls(service.store, 'acme/one', trials)
    const answer = await post('eval_results/query', { evaluation_run_ids: [run] })
    expect([answer.status, answer.json.total_rows]).toEqual([200, 2])
    for (const none of [{ include_rows: false }, { limit: 0 }, { offset: 9 }]) {
      const { json } = await post('eval_results/query', { evaluation_run_ids: [run], ...none })
      expect([json.rows, json.total_rows]).toEqual([[], 2])
    }
  })

  it('a trial of more values than a tree may have takes up a score', async () => {
    const run = (await post('evaluation_runs', made)).json.evaluation_run_id
    const output = `[${'0,'.repeat(4_100_000)}0]`
    const prediction_id = await predict(
      `{"model":"gpt","inputs":{},"output":${output},"evaluation_run_id":"${run}"}`,
    )
    expect((await post(`predictions/${prediction_id}/finish`)).status).toBe(200)
    expect((await post('scores', { prediction_id, scorer: made.scorer, value: 1.5 })).status).toBe(200)
    const body = { evaluation_run_ids: [run], include_summary: true, include_rows: false }
    const [evaluation] = (await post('eval_results/query', body)).json.summary.evaluations
    expect(evaluation.scorer_stats[0]).toMatchObject({ numeric_mean: 1.5 })
  })

  it('a score that comes while its prediction is finished is not lost', async () => {
    const run = (await post('evaluation_runs', made)).json.evaluation_run_id
    const ids = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        predict(JSON.stringify({ model: 'gpt', inputs: { n }, output: n, evaluation_run_id: run })),
      ),
    )
    await Promise.all(
      ids.flatMap((id, n) => {
        const score = () => post('scores', { prediction_id: id, scorer: made.scorer, value: n })
        const finish = () => post(`predictions/${id}/finish`)
        return n % 2 === 0 ? [score(), finish()] : [finish(), score()]
      }),
    )
    const { json } = await post('eval_results/query', { evaluation_run_ids: [run] })
    const scores = json.rows.flatMap((row: { evaluations: { trials: { scores: object }[] }[] }) =>
      row.evaluations.flatMap(({ trials }) => trials.map((trial) => trial.scores)),
    )
    expect(scores.filter((one: object) => 'judge' in one)).toHaveLength(24)
  })

  it('an unknown field is told', async () => {
    expect((await post('eval_results/query', ask({ filters: [where('op_name', 1)] }))).status).toBe(422)
    const sort_by = [{ field: 'nothing', direction: 'asc' }]
    expect((await post('eval_results/query', ask({ sort_by }))).status).toBe(422)
  })
  const ask = (more: object) => ({ evaluation_run_ids: [made.run], ...more })
  const where = (field: string, value: unknown) => ({
    query: { $expr: { $eq: [{ $getField: field }, { $literal: value }] } },
  })

  it('is deleted with all below it', async () => {
    const { num_deleted } = (await remove(`evaluation_runs?evaluation_run_ids=${made.run}`)).json
    expect(num_deleted).toBeGreaterThan(8)
    expect((await get(`evaluation_runs/${made.run}`)).status).toBe(404)
  })
})
