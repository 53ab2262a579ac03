/** Evaluations: by the published weave SDKs, Python and npm, and by the routes under /v2, read as one kind of thing. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { runNode, runPython } from '../support/program.js'
import { sharedServer } from '../support/shared-server.js'

interface Stats {
  scorer_key: string
  path: string | null
  trial_count: number
  numeric_count: number
  numeric_mean: number
  pass_true_count: number
  pass_rate: number
  pass_signal_coverage: number
}
interface Summary {
  row_count: number
  evaluations: {
    trial_count: number
    ended_trial_count: number
    failed_trial_count: number
    mean_model_latency_seconds: number
    scorer_stats: Stats[]
  }[]
}
interface Trial {
  predict_call_id: string
  model_output: unknown
  scores: Record<string, unknown>
  scorer_call_ids: Record<string, string>
}
interface Results {
  rows: {
    row_digest: string
    raw_data_row: unknown
    evaluations: { evaluation_call_id: string; trials: Trial[] }[]
  }[]
  total_rows: number
  summary: Summary
  warnings: string[]
}
type Printed = { [key: string]: number | Printed }
interface Run {
  id: string
  summary: Printed
}

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

async function results(project: string, ids: string[], more: object = {}): Promise<Results> {
  const body = { evaluation_run_ids: ids, include_summary: true, ...more }
  const { status, text } = await server.api.post(`/v2/${project}/eval_results/query`, body)
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  return JSON.parse(text) as Results
}

async function lines<Line>(path: string): Promise<Line[]> {
  const { text } = await server.api.get(path)
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
}

/** Leaves of what an SDK printed: `{mean}` or `{true_count, true_fraction}` by scorer and path. */
function leaves(printed: Printed, path: string[] = []): [string[], Printed][] {
  if ('mean' in printed || 'true_count' in printed) return [[path, printed]]
  return Object.entries(printed).flatMap(([key, inner]) =>
    typeof inner === 'number' ? [] : leaves(inner, [...path, key]),
  )
}

/** @param over what the SDK divides sums of numbers by: those that are there, or all trials */
function expectPrinted(summary: Summary, printed: Printed, over: 'numbers' | 'trials'): void {
  const [evaluation] = summary.evaluations
  const { model_latency, output: _, model_output: __, model_success: ___, ...scores } = printed
  const found = leaves(scores as Printed)
  expect(found.length).toBeGreaterThan(3)
  for (const [[scorer, ...path], { mean, true_count, true_fraction }] of found) {
    const stats = evaluation!.scorer_stats.find(
      (one) => one.scorer_key === scorer && one.path === (path.join('.') || null),
    )!
    if (mean !== undefined) {
      const share = over === 'numbers' ? 1 : stats.numeric_count / evaluation!.trial_count
      expect(stats.numeric_mean * share).toBeCloseTo(Number(mean), 10)
    } else {
      expect(stats.pass_true_count).toBe(true_count)
      expect(stats.pass_true_count / evaluation!.ended_trial_count).toBeCloseTo(Number(true_fraction), 10)
    }
  }
  expect(evaluation!.mean_model_latency_seconds).toBeCloseTo(Number((model_latency as Printed).mean), 6)
}

describe('the Python SDK', () => {
  const project = freshProject()
  let found: { class: Run; function: Run; logger: { id: string } }
  beforeAll(async () => {
    found = await runPython(server, 'weave_evaluation', { PROJECT: project })
  })

  it.each(['class', 'function'] as const)(
    'a model that is a %s: the summary is what was printed',
    async (name) => {
      const { summary } = await results(project, [found[name].id])
      expect(summary.row_count).toBe(8)
      expect(summary.evaluations[0]).toMatchObject({
        trial_count: 16,
        ended_trial_count: 16,
        failed_trial_count: name === 'class' ? 4 : 0,
      })
      expectPrinted(summary, found[name].summary, 'numbers')
    },
  )

  it('rows have their trials, each with its prediction and the call of every score', async () => {
    const { rows, total_rows } = await results(project, [found.class.id])
    expect(total_rows).toBe(8)
    const trials = rows.flatMap(({ evaluations }) => evaluations.flatMap((one) => one.trials))
    expect(trials).toHaveLength(16)
    expect(trials.every(({ predict_call_id }) => predict_call_id !== null)).toBe(true)
    const failed = trials.filter(({ model_output }) => model_output === null)
    expect(failed.map(({ scores }) => scores)).toEqual(Array(4).fill({}))
    for (const { scores, scorer_call_ids } of trials)
      expect(Object.keys(scorer_call_ids).sort()).toEqual(Object.keys(scores).sort())
  })

  it('two models and rows logged by hand stand side by side', async () => {
    const ids = [found.class.id, found.function.id, found.logger.id]
    const all = await results(project, ids, { include_raw_data_rows: true, resolve_row_refs: true })
    expect(all.total_rows).toBe(8)
    expect(all.warnings).toEqual([])
    const zero = all.rows.find(({ raw_data_row }) => (raw_data_row as { answer: number }).answer === 0)!
    expect(zero.evaluations.map((one) => [one.evaluation_call_id, one.trials.length])).toEqual([
      [ids[0], 2],
      [ids[1], 2],
      [ids[2], 1],
    ])
    const shared = await results(project, ids, { require_intersection: true })
    expect([shared.total_rows, shared.summary.row_count]).toEqual([3, 3])
    expect(shared.summary.evaluations.map(({ trial_count }) => trial_count)).toEqual([6, 6, 3])
  })

  it('rows are filtered by data and sorted by how much the models differ', async () => {
    const ids = [found.class.id, found.function.id]
    const odd = { $expr: { $gt: [{ $getField: 'inputs.answer' }, { $literal: 9 }] } }
    const { rows } = await results(project, ids, {
      include_raw_data_rows: true,
      resolve_row_refs: true,
      filters: [{ query: odd }],
      sort_by: [{ field: 'scores.distance.away', direction: 'desc', mode: 'difference' }],
    })
    const answers = rows.map(({ raw_data_row }) => (raw_data_row as { answer: number }).answer)
    expect([...answers].sort()).toEqual([10, 12, 14])
    // On 6 one model fails, which no difference of scores outweighs.
    expect(answers[0]).toBe(12)
  })

  it('is listed like what the routes make', async () => {
    const at = `/v2/${project}`
    const runs = await lines<{ evaluation_run_id: string; status: string }>(`${at}/evaluation_runs`)
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
    const ofRun = `?evaluation_run_id=${found.class.id}`
    expect(await lines(`${at}/predictions${ofRun}`)).toHaveLength(16)
    expect(await lines(`${at}/scores${ofRun}`)).toHaveLength(36)
    for (const [kind, count] of [
      ['datasets', 2],
      ['evaluations', 2],
      ['scorers', 3],
    ] as const)
      expect([kind, (await lines(`${at}/${kind}`)).length]).toEqual([kind, count])
  })
})

describe('the npm SDK', () => {
  it('the summary is what was returned', async () => {
    const project = freshProject()
    const { summary } = await runNode<{ summary: Printed }>(server, 'weave-evaluation', { PROJECT: project })
    const runs = await lines<{ evaluation_run_id: string }>(`/v2/${project}/evaluation_runs`)
    expect(runs).toHaveLength(1)
    const found = await results(project, [runs[0]!.evaluation_run_id], { limit: 2 })
    expect([found.rows.length, found.total_rows, found.summary.row_count]).toEqual([2, 6, 6])
    expectPrinted(found.summary, summary, 'trials')
  })
})

describe('the routes', () => {
  const project = freshProject()
  const at = `/v2/${project}`
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const { status, text } = await server.api.post(`${at}/${path}`, body)
    expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
    return JSON.parse(text) as Record<string, string>
  }

  it('an evaluation from its dataset to its results, seen by the routes of objects and calls', async () => {
    const dataset = await post('datasets', { name: 'My Rows', rows: [{ q: 1 }, { q: 2 }] })
    const { scorer } = await post('scorers', { name: 'Right', op_source_code: 'def score(): ...' })
    const { model_ref } = await post('models', { name: 'M', source_code: 'class M: ...' })
    const { evaluation_ref } = await post('evaluations', {
      name: 'nightly',
      dataset: `weave:///${project}/object/${dataset.object_id}:${dataset.digest}`,
      scorers: [scorer],
    })
    const { evaluation_run_id } = await post('evaluation_runs', {
      evaluation: evaluation_ref,
      model: model_ref,
    })
    for (const q of [1, 2]) {
      const { prediction_id } = await post('predictions', {
        ...{ model: model_ref, inputs: { q }, output: { a: q }, evaluation_run_id },
      })
      await post('scores', { prediction_id, scorer, value: q / 2 })
      await post(`predictions/${prediction_id}/finish`, {})
    }
    const finishes = await Promise.all(
      Array.from({ length: 6 }, () =>
        server.api.post(`${at}/evaluation_runs/${evaluation_run_id}/finish`, { summary: { note: 'ok' } }),
      ),
    )
    expect(finishes.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])

    const { rows, summary } = await results(project, [evaluation_run_id!])
    expect(
      rows.flatMap(({ evaluations }) => evaluations[0]!.trials.map(({ scores }) => scores)),
    ).toHaveLength(2)
    expect(summary.evaluations[0]!.scorer_stats[0]!.numeric_mean).toBe(0.75)

    const read = await server.api.post('/call/read', { project_id: project, id: evaluation_run_id })
    const { call } = JSON.parse(read.text) as { call: { output: unknown; summary: { note: string } } }
    expect([call.output, call.summary.note]).toEqual([{ right: { mean: 0.75 } }, 'ok'])
    const objects = await server.api.post('/objs/query', {
      project_id: project,
      filter: { base_object_classes: ['Evaluation', 'Dataset', 'Scorer', 'Model'] },
    })
    expect((JSON.parse(objects.text) as { objs: unknown[] }).objs).toHaveLength(4)

    const gone = await server.api.send(
      'DELETE',
      `${at}/evaluation_runs?evaluation_run_ids=${evaluation_run_id}`,
    )
    expect(gone.text).toBe('{"num_deleted":8}')
    expect(await lines(`${at}/predictions`)).toEqual([])
  })
})
