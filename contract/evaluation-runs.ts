/** Declarations of what happens when an evaluation runs: runs, predictions and scores, views over calls. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, inProjectPath, listPage, many, orNull, someIds, timeOut, userIdOut } from './shared.js'

const inProject = { project: 'path', params: z.object(inProjectPath) } as const
const listed = { method: 'GET', access: 'read', produces: 'application/jsonl' } as const
const created = { method: 'POST', access: 'write', raw: true } as const
const deleted = { method: 'DELETE', access: 'write' } as const
const anything = z.record(z.string(), z.unknown())
const runId = z.string().nullable()
const optionalRun = runId.default(null)
const ofRun = z.object({ ...listPage, evaluation_run_id: z.string().nullish() })
const gone = (id: string) => component(id, { num_deleted: z.int() })
const done = (id: string) => component(id, { success: z.boolean() })

/** Most ids of one deletion. */
export const DELETE_LIMIT = 1000

const runs = { ...inProject, tag: 'Evaluation runs', path: '/v2/{entity}/{project}/evaluation_runs' } as const
const oneRun = z.object({ ...inProjectPath, evaluation_run_id: z.string() })

export const runCreate = route({
  ...runs,
  ...created,
  id: 'evaluation_run_create',
  summary: 'Start a run of an evaluation: the parent call of its predictions and scores',
  body: component('EvaluationRunCreateBody', {
    evaluation: z.string(),
    model: z.string(),
    source_evaluation_run_id: optionalRun,
  }),
  answer: component('EvaluationRunCreateRes', { evaluation_run_id: z.string() }),
})

const Run = component('EvaluationRunReadRes', {
  evaluation_run_id: z.string(),
  evaluation: z.string(),
  model: z.string(),
  status: z.enum(['running', 'completed', 'failed']).nullable(),
  started_at: timeOut.nullable(),
  finished_at: timeOut.nullable(),
  summary: anything.nullable(),
  source_evaluation_run_id: runId,
})

export const runList = route({
  ...runs,
  ...listed,
  id: 'evaluation_run_list',
  summary: 'List runs of evaluations, including those of SDKs, as JSON lines, oldest first',
  query: z.object({
    ...listPage,
    evaluations: many.describe('refs; repeat the parameter for several'),
    models: many.describe('refs; repeat the parameter for several'),
    evaluation_run_ids: many,
  }),
  answer: Run,
})

export const runRead = route({
  ...runs,
  id: 'evaluation_run_read',
  method: 'GET',
  access: 'read',
  path: `${runs.path}/{evaluation_run_id}`,
  params: oneRun,
  summary: 'Read a run of an evaluation',
  answer: Run,
})

export const runFinish = route({
  ...runs,
  ...created,
  id: 'evaluation_run_finish',
  path: `${runs.path}/{evaluation_run_id}/finish`,
  params: oneRun,
  summary: 'Finish a run with the means of its scores; only once',
  body: component('EvaluationRunFinishBody', { summary: orNull(anything) }),
  answer: done('EvaluationRunFinishRes'),
})

export const runDelete = route({
  ...runs,
  ...deleted,
  id: 'evaluation_run_delete',
  summary: 'Delete runs and their descendants',
  query: z.object({ evaluation_run_ids: someIds }),
  answer: gone('EvaluationRunDeleteRes'),
})

const predictions = {
  ...inProject,
  tag: 'Predictions',
  path: '/v2/{entity}/{project}/predictions',
} as const
const onePrediction = z.object({ ...inProjectPath, prediction_id: z.string() })

export const GenAISpanRef = component('GenAISpanRef', { trace_id: z.string(), span_id: z.string() })

export const predictionCreate = route({
  ...predictions,
  ...created,
  id: 'prediction_create',
  summary: 'Log a prediction of a model, in a run or by itself',
  body: component('PredictionCreateBody', {
    model: z.string(),
    inputs: anything,
    output: z.unknown(),
    evaluation_run_id: optionalRun,
    genai_span_ref: orNull(z.array(GenAISpanRef).max(1000)),
  }),
  answer: component('PredictionCreateRes', { prediction_id: z.string() }),
})

const Prediction = component('PredictionReadRes', {
  prediction_id: z.string(),
  model: z.string(),
  inputs: anything,
  output: z.unknown(),
  evaluation_run_id: runId,
  ...userIdOut,
})

export const predictionList = route({
  ...predictions,
  ...listed,
  id: 'prediction_list',
  summary: 'List predictions, including those of SDKs, as JSON lines, oldest first',
  query: ofRun,
  answer: Prediction,
})

export const predictionRead = route({
  ...predictions,
  id: 'prediction_read',
  method: 'GET',
  access: 'read',
  path: `${predictions.path}/{prediction_id}`,
  params: onePrediction,
  summary: 'Read a prediction',
  answer: Prediction,
})

export const predictionFinish = route({
  ...predictions,
  id: 'prediction_finish',
  method: 'POST',
  access: 'write',
  path: `${predictions.path}/{prediction_id}/finish`,
  params: onePrediction,
  summary: "Finish a prediction's row of a run, with its output and scores; only once",
  answer: done('PredictionFinishRes'),
})

export const predictionDelete = route({
  ...predictions,
  ...deleted,
  id: 'prediction_delete',
  summary: 'Delete predictions',
  query: z.object({ prediction_ids: someIds }),
  answer: gone('PredictionDeleteRes'),
})

const scores = { ...inProject, tag: 'Scores', path: '/v2/{entity}/{project}/scores' } as const

export const scoreCreate = route({
  ...scores,
  ...created,
  id: 'score_create',
  summary: 'Score a prediction: log a call beside it and feedback on it',
  body: component('ScoreCreateBody', {
    prediction_id: z.string(),
    scorer: z.string(),
    value: z.unknown(),
    evaluation_run_id: optionalRun,
  }),
  answer: component('ScoreCreateRes', { score_id: z.string() }),
})

const Score = component('ScoreReadRes', {
  score_id: z.string(),
  scorer: z.string(),
  value: z.unknown(),
  evaluation_run_id: runId,
  ...userIdOut,
})

export const scoreList = route({
  ...scores,
  ...listed,
  id: 'score_list',
  summary: 'List scores, including those of SDKs, as JSON lines, oldest first',
  query: ofRun,
  answer: Score,
})

export const scoreRead = route({
  ...scores,
  id: 'score_read',
  method: 'GET',
  access: 'read',
  path: `${scores.path}/{score_id}`,
  params: z.object({ ...inProjectPath, score_id: z.string() }),
  summary: 'Read a score',
  answer: Score,
})

export const scoreDelete = route({
  ...scores,
  ...deleted,
  id: 'score_delete',
  summary: 'Delete scores',
  query: z.object({ score_ids: someIds }),
  answer: gone('ScoreDeleteRes'),
})
