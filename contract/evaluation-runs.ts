/** Declarations of runs, predictions and scores of evaluations, as views over calls. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import {
  component,
  inProjectPath,
  listPage,
  many,
  orNull,
  shortText,
  someIds,
  timeOut,
  userIdOut,
} from './shared.js'

const inProject = { project: 'path', params: z.object(inProjectPath) } as const
const created = { method: 'POST', access: 'write', raw: true, maxBytes: 16 << 20 } as const
const anything = z.record(z.string(), z.unknown())
const runId = z.string().nullable()
const optionalRun = orNull(shortText)
const done = (id: string) => component(id, { success: z.boolean() })

/** Most ids per deletion. */
export const DELETE_LIMIT = 1000

/** The common part of runs, predictions and scores: a path, a tag, and routes to list, read and delete. */
function records<Id extends string, Filter extends z.ZodRawShape, Answer extends z.ZodType>(kind: {
  tag: string
  path: string
  /** used in operation ids and parameter names: `score` */
  id: Id
  /** used in schema ids: `Score` */
  schema: string
  summaries: { list: string; read: string; remove: string }
  filter: Filter
  answer: Answer
}) {
  const { tag, id, schema, summaries, answer } = kind
  const path = `/v2/{entity}/{project}/${kind.path}`
  const base = { ...inProject, tag, path } as const
  const inPath = { [`${id}_id`]: z.string() } as Record<`${Id}_id`, z.ZodString>
  const one = {
    ...base,
    path: `${path}/{${id}_id}`,
    params: z.object({ ...inProjectPath, ...inPath }),
  } as const
  const ids = { [`${id}_ids`]: someIds } as Record<`${Id}_ids`, typeof someIds>
  const listed = { method: 'GET', access: 'read' } as const
  return {
    base,
    one,
    routes: {
      list: route({
        ...{ ...base, ...listed, id: `${id}_list`, summary: summaries.list, answer },
        query: z.object({ ...listPage, ...kind.filter }),
        produces: 'application/jsonl',
      }),
      read: route({ ...one, ...listed, id: `${id}_read`, summary: summaries.read, answer }),
      remove: route({
        ...{ ...base, method: 'DELETE', access: 'write', id: `${id}_delete`, summary: summaries.remove },
        audit: { category: 'deletion', names: [`query.${id}_ids`] },
        query: z.object(ids),
        answer: component(`${schema}DeleteRes`, { num_deleted: z.int() }),
      }),
    },
  }
}

const run = records({
  ...{ tag: 'Evaluation runs', path: 'evaluation_runs', id: 'evaluation_run', schema: 'EvaluationRun' },
  summaries: {
    list: 'List runs of evaluations, including those of SDKs, as JSON lines, oldest first',
    read: 'Read a run of an evaluation',
    remove: 'Delete runs and their descendants',
  },
  filter: {
    evaluations: many.describe('refs; repeat the parameter for several'),
    models: many.describe('refs; repeat the parameter for several'),
    evaluation_run_ids: many,
  },
  answer: component('EvaluationRunReadRes', {
    evaluation_run_id: z.string(),
    evaluation: z.string(),
    model: z.string(),
    status: z.enum(['running', 'completed', 'failed']).nullable(),
    started_at: timeOut.nullable(),
    finished_at: timeOut.nullable(),
    summary: anything.nullable(),
    source_evaluation_run_id: runId,
  }),
})
export const runs = run.routes

export const runCreate = route({
  ...run.base,
  ...created,
  id: 'evaluation_run_create',
  summary: 'Start a run of an evaluation: the parent call of its predictions and scores',
  body: component('EvaluationRunCreateBody', {
    evaluation: shortText,
    model: shortText,
    source_evaluation_run_id: optionalRun,
  }),
  answer: component('EvaluationRunCreateRes', { evaluation_run_id: z.string() }),
})

export const runFinish = route({
  ...run.one,
  ...created,
  id: 'evaluation_run_finish',
  path: `${run.one.path}/finish`,
  summary: 'Finish a run with the means of its scores; only once',
  body: component('EvaluationRunFinishBody', { summary: orNull(anything) }),
  answer: done('EvaluationRunFinishRes'),
})

export const GenAISpanRef = component('GenAISpanRef', { trace_id: shortText, span_id: shortText })

const ofRun = { evaluation_run_id: z.string().nullish() }
const prediction = records({
  ...{ tag: 'Predictions', path: 'predictions', id: 'prediction', schema: 'Prediction' },
  summaries: {
    list: 'List predictions, including those of SDKs, as JSON lines, oldest first',
    read: 'Read a prediction',
    remove: 'Delete predictions',
  },
  filter: ofRun,
  answer: component('PredictionReadRes', {
    prediction_id: z.string(),
    model: z.string(),
    inputs: anything,
    output: z.unknown(),
    evaluation_run_id: runId,
    ...userIdOut,
  }),
})
export const predictions = prediction.routes

export const predictionCreate = route({
  ...prediction.base,
  ...created,
  id: 'prediction_create',
  summary: 'Log a prediction of a model, in a run or by itself',
  body: component('PredictionCreateBody', {
    model: shortText,
    inputs: anything,
    output: z.unknown(),
    evaluation_run_id: optionalRun,
    genai_span_ref: orNull(z.array(GenAISpanRef).max(1000)),
  }),
  answer: component('PredictionCreateRes', { prediction_id: z.string() }),
})

export const predictionFinish = route({
  ...prediction.one,
  id: 'prediction_finish',
  method: 'POST',
  access: 'write',
  path: `${prediction.one.path}/finish`,
  summary: "Finish a prediction's row of a run, with its output and scores; only once",
  answer: done('PredictionFinishRes'),
})

const score = records({
  ...{ tag: 'Scores', path: 'scores', id: 'score', schema: 'Score' },
  summaries: {
    list: 'List scores, including those of SDKs, as JSON lines, oldest first',
    read: 'Read a score',
    remove: 'Delete scores',
  },
  filter: ofRun,
  answer: component('ScoreReadRes', {
    score_id: z.string(),
    scorer: z.string(),
    value: z.unknown(),
    evaluation_run_id: runId,
    ...userIdOut,
  }),
})
export const scores = score.routes

export const scoreCreate = route({
  ...score.base,
  ...created,
  id: 'score_create',
  summary: 'Score a prediction: log a call beside it and feedback on it',
  body: component('ScoreCreateBody', {
    prediction_id: shortText,
    scorer: shortText,
    value: z.unknown(),
    evaluation_run_id: optionalRun,
  }),
  answer: component('ScoreCreateRes', { score_id: z.string() }),
})
