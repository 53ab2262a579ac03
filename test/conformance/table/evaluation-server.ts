/**
 * What the server evaluates and scores by itself. The model's provider lies where nobody may ask: its failure is each
 * row's own, and scorers that need no model work all the same.
 */
import { expect } from 'vitest'
import { dig, type Row } from '../../support/api.js'
import { v2 } from '../../support/calls.js'
import { Evaluations } from '../../support/evaluations.js'
import { until } from '../../support/until.js'
import { json, operation, type World } from './operation.js'

async function evaluation({ api, project, secret }: World) {
  const evaluations = new Evaluations(api, project)
  const val = { name: 'studio', base_url: 'http://127.0.0.1:9/v1', api_key_name: '' }
  const obj = { project_id: project, object_id: 'studio', builtin_object_class: 'Provider', val }
  await api.ok('/obj/create', { obj })
  const scorer = await evaluations.scorer('exact', 'ExactMatchScorer')
  const rows = [{ question: secret, expected: secret }]
  const body = {
    project_id: project,
    evaluation_ref: await evaluations.evaluation(rows, [scorer]),
    model_ref: await evaluations.model('custom::studio::painter'),
  }
  return { evaluations, scorer, body }
}

/** A run of the world that has ended, with one prediction. */
async function run(world: World) {
  const { api, project, secret } = world
  const { body, scorer, evaluations } = await evaluation(world)
  const post = (path: string, more: object) => api.ok(v2(project, path), more)
  const made = await post('evaluation_runs', { evaluation: body.evaluation_ref, model: body.model_ref })
  const id = String(made.evaluation_run_id)
  const { prediction_id } = await post('predictions', {
    ...{ model: body.model_ref, evaluation_run_id: id },
    ...{ inputs: { question: secret, expected: secret }, output: secret },
  })
  return { id, prediction: String(prediction_id), scorer, evaluations }
}

const noProject = { status: 422, at: 'body.project_id' }

export const evaluationServer = [
  operation('POST', '/evaluations/evaluate_model', 'write', async (world) => {
    const { body, evaluations } = await evaluation(world)
    const missing = `weave:///${world.project}/object/nothing:v0`
    return {
      valid: { body },
      effect: async (answer) => {
        const { call_id } = json(answer)
        expect(await evaluations.ended(String(call_id))).toMatchObject({
          code: 'complete',
          output: { exact: null },
        })
        const calls = await world.api.calls(world.project, { filter: { trace_ids: [call_id] } })
        expect(calls.filter(({ exception }) => String(exception).startsWith('BAD_ADDRESS'))).toHaveLength(1)
      },
      invalid: [
        { why: 'no such evaluation', body: { ...body, evaluation_ref: missing }, status: 404 },
        { why: 'no such model', body: { ...body, model_ref: missing }, status: 404 },
        { why: 'no ref', body: { ...body, model_ref: 'gpt' }, status: 400 },
        { why: 'an evaluation as its model', body: { ...body, model_ref: body.evaluation_ref }, status: 400 },
        { why: 'no project', body: { ...body, project_id: undefined }, ...noProject },
      ],
    }
  }),
  operation('POST', '/evaluations/status', 'read', async (world) => {
    const { id, prediction } = await run(world)
    const body = { project_id: world.project, call_id: id }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toEqual({ status: { code: 'running', completed_rows: 0, total_rows: 1 } }),
      invalid: [
        { why: 'no evaluation', body: { ...body, call_id: prediction }, status: 400 },
        { why: 'no project', body: { call_id: id }, ...noProject },
      ],
    }
  }),
  operation('POST', '/evaluations/rescore', 'write', async (world) => {
    const { id, prediction, scorer, evaluations } = await run(world)
    const running = await run(world)
    await world.api.ok(v2(world.project, `predictions/${prediction}/finish`), {})
    await world.api.ok(v2(world.project, `evaluation_runs/${id}/finish`), {})
    const body = { project_id: world.project, source_evaluation_run_id: id, scorer_refs: [scorer] }
    return {
      valid: { body },
      effect: async (answer) => {
        const { call_id, evaluation_run_id } = json(answer)
        expect(evaluation_run_id).toBe(call_id)
        expect(await evaluations.ended(String(call_id))).toMatchObject({
          code: 'complete',
          output: { exact: { passed: { true_count: 1, true_fraction: 1 } } },
        })
      },
      invalid: [
        { why: 'no such run', body: { ...body, source_evaluation_run_id: 'x' }, status: 404 },
        { why: 'one that runs', body: { ...body, source_evaluation_run_id: running.id }, status: 400 },
        { why: 'no scorers', body: { ...body, scorer_refs: [] }, status: 422, at: 'body.scorer_refs' },
        { why: 'no project', body: { ...body, project_id: undefined }, ...noProject },
      ],
    }
  }),
  operation('POST', '/calls/score', 'write', async (world) => {
    const { prediction, scorer } = await run(world)
    const { project, api } = world
    const body = { project_id: project, call_ids: [prediction], scorer_refs: [scorer] }
    return {
      valid: { body },
      effect: async (answer) => {
        expect(json(answer)).toEqual({})
        const found = await until('the feedback', async () => {
          const { result } = await api.ok('/feedback/query', { project_id: project })
          return (result as Row[])[0]
        })
        expect(found).toMatchObject({ feedback_type: 'wandb.runnable.exact', runnable_ref: scorer })
        expect(dig(found, 'payload')).toEqual({ output: { passed: true } })
      },
      invalid: [
        { why: 'no such call', body: { ...body, call_ids: ['x'] }, status: 404 },
        { why: 'no calls', body: { ...body, call_ids: [] }, status: 422, at: 'body.call_ids' },
        { why: 'no scorers', body: { ...body, scorer_refs: [] }, status: 422, at: 'body.scorer_refs' },
        { why: 'no project', body: { ...body, project_id: undefined }, ...noProject },
      ],
    }
  }),
  operation('POST', '/scorers/plan', 'write', async (world) => {
    const evaluations = new Evaluations(world.api, world.project)
    const { project, secret } = world
    const criteria = [{ name: 'kind', description: secret }]
    const rubric = (id: string, fields: object) =>
      evaluations.scorer(id, 'Rubric', { model: 'custom::studio::judge', criteria, ...fields })
    const val = { name: 'studio', base_url: 'http://127.0.0.1:9/v1', api_key_name: '' }
    const obj = { project_id: project, object_id: 'studio', builtin_object_class: 'Provider', val }
    await world.api.ok('/obj/create', { obj })
    const kind = await rubric('kind', {})
    const none = await rubric('none', { criteria: [] })
    const body = { project_id: project, scorer_refs: [kind] }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          scorers: [
            {
              ...{ ref: kind, name: 'kind' },
              rule: {
                ...{ kind: 'rubric', instructions: '', scale: { min: 0, max: 10 } },
                criteria: [{ name: 'kind', description: secret, weight: 1 }],
                model: { name: 'custom::studio::judge', at: 'provider', params: { temperature: 0 } },
              },
            },
          ],
          dataset: null,
        }),
      invalid: [
        { why: 'no criteria', body: { ...body, scorer_refs: [none] }, status: 400 },
        { why: 'a scorer as a dataset', body: { ...body, dataset_ref: kind }, status: 400 },
        { why: 'no scorers', body: { ...body, scorer_refs: [] }, status: 422, at: 'body.scorer_refs' },
        { why: 'no project', body: { ...body, project_id: undefined }, ...noProject },
      ],
    }
  }),
]
