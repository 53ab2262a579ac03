/** What happens when an evaluation runs: runs, predictions, scores, and their results side by side. */
import { expect } from 'vitest'
import { jsonLines, type Row } from '../../support/api.js'
import { v2 } from '../../support/calls.js'
import { dataset } from './evaluation-objects.js'
import { json, operation, type World } from './operation.js'

const at = (rest: string) => `/v2/{entity}/{project}/${rest}`

/** Posts to a route of the group and returns the id that it answers with. */
async function made(world: World, path: string, body: object, id: string): Promise<string> {
  return String((await world.api.ok(v2(world.project, path), body))[id])
}

const ref = ({ project }: World, name: string) => `weave:///${project}/object/${name}:v0`

interface RunBody {
  evaluation: string
  model: string
}
/** By project: operations that share one share these, too. */
const exams = new Map<string, Promise<RunBody>>()

function runBody(world: World): Promise<RunBody> {
  const made = exams.get(world.project) ?? exam(world)
  exams.set(world.project, made)
  return made
}

async function exam(world: World): Promise<RunBody> {
  const body = { name: 'exam', dataset: await dataset(world) }
  await world.api.ok(v2(world.project, 'evaluations'), body)
  await world.api.ok(v2(world.project, 'models'), { name: 'gpt', source_code: '#' })
  return { evaluation: ref(world, 'exam'), model: ref(world, 'gpt') }
}

async function run(world: World): Promise<string> {
  return made(world, 'evaluation_runs', await runBody(world), 'evaluation_run_id')
}

/** A prediction in a run. */
async function prediction(world: World) {
  const evaluation_run_id = await run(world)
  const body = {
    model: ref(world, 'gpt'),
    inputs: { q: world.secret },
    output: world.secret,
    evaluation_run_id,
  }
  const prediction_id = await made(world, 'predictions', body, 'prediction_id')
  return { evaluation_run_id, prediction_id, body }
}

/** A score of it. */
async function score(world: World) {
  const { evaluation_run_id, prediction_id } = await prediction(world)
  await world.api.ok(v2(world.project, 'scorers'), { name: 'right', op_source_code: '#' })
  const body = {
    prediction_id,
    scorer: ref(world, 'right'),
    value: { [world.secret]: 0.5 },
    evaluation_run_id,
  }
  return { evaluation_run_id, prediction_id, body }
}

async function read({ api, project }: World, path: string): Promise<Row> {
  const { status, text } = await api.get(v2(project, path))
  return status === 200 ? (JSON.parse(text) as Row) : { status }
}

const GONE = { status: 404 }

export const evaluationRuns = [
  operation('POST', at('evaluation_runs'), 'write', async (world) => {
    const body = await runBody(world)
    return {
      valid: { body },
      effect: async (answer) =>
        expect(await read(world, `evaluation_runs/${json(answer).evaluation_run_id}`)).toMatchObject({
          ...body,
          status: 'running',
        }),
      invalid: [{ why: 'the model is a number', body: { ...body, model: 5 }, status: 422, at: 'body.model' }],
    }
  }),

  operation('GET', at('evaluation_runs'), 'read', async (world) => {
    const evaluation_run_id = await run(world)
    return {
      valid: { query: { evaluation_run_ids: evaluation_run_id } },
      effect: ({ text }) => expect(jsonLines(text)).toMatchObject([{ evaluation_run_id, status: 'running' }]),
      invalid: [{ why: 'the limit is a text', query: { limit: 'all' }, status: 422, at: 'query.limit' }],
    }
  }),

  operation('GET', at('evaluation_runs/{evaluation_run_id}'), 'read', async (world) => {
    const params = { evaluation_run_id: await run(world) }
    return {
      valid: { params },
      effect: (answer) => expect(json(answer)).toMatchObject({ ...params, model: ref(world, 'gpt') }),
      invalid: [{ why: 'no such run', params: { evaluation_run_id: 'nope' }, status: 404 }],
    }
  }),

  operation('POST', at('evaluation_runs/{evaluation_run_id}/finish'), 'write', async (world) => {
    const params = { evaluation_run_id: await run(world) }
    const body = { summary: { said: world.secret } }
    return {
      valid: { params, body },
      effect: async () =>
        expect(await read(world, `evaluation_runs/${params.evaluation_run_id}`)).toMatchObject({
          status: 'completed',
          summary: body.summary,
        }),
      invalid: [
        { why: 'no such run', params: { evaluation_run_id: 'nope' }, body, status: 404 },
        { why: 'the summary is a text', params, body: { summary: 'x' }, status: 422, at: 'body.summary' },
      ],
    }
  }),

  operation('DELETE', at('evaluation_runs'), 'write', async (world) => {
    const id = await run(world)
    return {
      valid: { query: { evaluation_run_ids: id } },
      effect: async () => expect(await read(world, `evaluation_runs/${id}`)).toEqual(GONE),
      invalid: [{ why: 'none', query: {}, status: 422, at: 'query.evaluation_run_ids' }],
    }
  }),

  operation('POST', at('predictions'), 'write', async (world) => {
    const { body } = await prediction(world)
    return {
      valid: { body },
      effect: async (answer) =>
        expect(await read(world, `predictions/${json(answer).prediction_id}`)).toMatchObject(body),
      invalid: [{ why: 'inputs are a list', body: { ...body, inputs: [] }, status: 422, at: 'body.inputs' }],
    }
  }),

  operation('GET', at('predictions'), 'read', async (world) => {
    const { evaluation_run_id, prediction_id } = await prediction(world)
    return {
      valid: { query: { evaluation_run_id } },
      effect: ({ text }) => expect(jsonLines(text)).toMatchObject([{ prediction_id, output: world.secret }]),
      invalid: [{ why: 'the limit is a text', query: { limit: 'all' }, status: 422, at: 'query.limit' }],
    }
  }),

  operation('GET', at('predictions/{prediction_id}'), 'read', async (world) => {
    const { prediction_id } = await prediction(world)
    return {
      valid: { params: { prediction_id } },
      effect: (answer) => expect(json(answer)).toMatchObject({ prediction_id, output: world.secret }),
      invalid: [{ why: 'no such prediction', params: { prediction_id: 'nope' }, status: 404 }],
    }
  }),

  operation('POST', at('predictions/{prediction_id}/finish'), 'write', async (world) => {
    const { evaluation_run_id, prediction_id } = await prediction(world)
    return {
      valid: { params: { prediction_id } },
      effect: async () => {
        const calls = await world.api.calls(world.project, { filter: { parent_ids: [evaluation_run_id] } })
        expect(calls).toMatchObject([{ output: { output: world.secret }, ended_at: expect.any(String) }])
      },
      invalid: [{ why: 'no such prediction', params: { prediction_id: 'nope' }, status: 404 }],
    }
  }),

  operation('DELETE', at('predictions'), 'write', async (world) => {
    const { prediction_id } = await prediction(world)
    return {
      valid: { query: { prediction_ids: prediction_id } },
      effect: async () => expect(await read(world, `predictions/${prediction_id}`)).toEqual(GONE),
      invalid: [{ why: 'none', query: {}, status: 422, at: 'query.prediction_ids' }],
    }
  }),

  operation('POST', at('scores'), 'write', async (world) => {
    const { body } = await score(world)
    return {
      valid: { body },
      effect: async (answer) => {
        const { prediction_id: _of, ...shown } = body
        expect(await read(world, `scores/${json(answer).score_id}`)).toMatchObject(shown)
      },
      invalid: [
        { why: 'no such prediction', body: { ...body, prediction_id: 'nope' }, status: 404 },
        { why: 'no scorer', body: { ...body, scorer: undefined }, status: 422, at: 'body.scorer' },
      ],
    }
  }),

  operation('GET', at('scores'), 'read', async (world) => {
    const { body, evaluation_run_id } = await score(world)
    const score_id = await made(world, 'scores', body, 'score_id')
    return {
      valid: { query: { evaluation_run_id } },
      effect: ({ text }) => expect(jsonLines(text)).toMatchObject([{ score_id, value: body.value }]),
      invalid: [{ why: 'the limit is a text', query: { limit: 'all' }, status: 422, at: 'query.limit' }],
    }
  }),

  operation('GET', at('scores/{score_id}'), 'read', async (world) => {
    const { body } = await score(world)
    const score_id = await made(world, 'scores', body, 'score_id')
    return {
      valid: { params: { score_id } },
      effect: (answer) => expect(json(answer)).toMatchObject({ score_id, value: body.value }),
      invalid: [{ why: 'no such score', params: { score_id: 'nope' }, status: 404 }],
    }
  }),

  operation('DELETE', at('scores'), 'write', async (world) => {
    const { body } = await score(world)
    const score_id = await made(world, 'scores', body, 'score_id')
    return {
      valid: { query: { score_ids: score_id } },
      effect: async () => expect(await read(world, `scores/${score_id}`)).toEqual(GONE),
      invalid: [{ why: 'none', query: {}, status: 422, at: 'query.score_ids' }],
    }
  }),

  operation('POST', at('eval_results/query'), 'read', async (world) => {
    const { body, evaluation_run_id, prediction_id } = await score(world)
    await world.api.ok(v2(world.project, 'scores'), body)
    await world.api.ok(v2(world.project, `predictions/${prediction_id}/finish`), {})
    const query = {
      evaluation_run_ids: [evaluation_run_id],
      include_summary: true,
      include_raw_data_rows: true,
    }
    return {
      valid: { body: query },
      effect: (answer) => {
        const { rows, total_rows } = json(answer)
        expect(total_rows).toBe(1)
        expect(rows).toMatchObject([
          { evaluations: [{ trials: [{ predict_call_id: prediction_id, model_output: world.secret }] }] },
        ])
      },
      invalid: [
        {
          why: 'of no run',
          body: { ...query, evaluation_run_ids: [] },
          status: 422,
          at: 'body.evaluation_run_ids',
        },
        {
          why: 'of a text',
          body: { ...query, evaluation_run_ids: 'x' },
          status: 422,
          at: 'body.evaluation_run_ids',
        },
      ],
    }
  }),
]
