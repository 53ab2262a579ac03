/** Declarations of evaluations and scoring by the server; workers run them after the request returns. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, orNull, projectId, readInBody, shortText, userIdIn } from './shared.js'

const someRefs = z.array(shortText.min(1)).min(1)
const asked = { method: 'POST', access: 'write', project: 'body' } as const
const started = z.object({ call_id: z.string().describe('id of the root call of the run') })

export const evaluateModel = route({
  ...asked,
  id: 'evaluate_model',
  path: '/evaluations/evaluate_model',
  tag: 'Evaluations',
  summary: 'Start an evaluation that the server runs',
  body: component('EvaluateModelReq', {
    project_id: projectId,
    evaluation_ref: shortText.min(1),
    model_ref: shortText.min(1).describe('of an LLMStructuredCompletionModel object'),
    platform_user_id: userIdIn,
  }),
  answer: started.meta({ id: 'EvaluateModelRes' }),
})

const NotFound = component('EvaluationStatusNotFound', { code: z.literal('not_found') })
const Running = component('EvaluationStatusRunning', {
  code: z.literal('running'),
  completed_rows: z.int(),
  total_rows: z.int(),
})
const Failed = component('EvaluationStatusFailed', {
  code: z.literal('failed'),
  error: z.string().nullable(),
})
const Complete = component('EvaluationStatusComplete', {
  code: z.literal('complete'),
  output: z.record(z.string(), z.unknown()),
})

export const evaluationStatus = route({
  ...readInBody,
  id: 'evaluation_status',
  path: '/evaluations/status',
  tag: 'Evaluations',
  summary: 'Read the status of an evaluation, run by the server or an SDK',
  body: component('EvaluationStatusReq', { project_id: projectId, call_id: shortText }),
  answer: component('EvaluationStatusRes', { status: z.union([NotFound, Running, Failed, Complete]) }),
})

export const rescore = route({
  ...asked,
  id: 'rescore',
  path: '/evaluations/rescore',
  tag: 'SDK extras',
  summary: 'Score the predictions of a run again with other scorers, as a new run; the model is not called',
  body: component('RescoreReq', {
    source_evaluation_run_id: shortText.min(1),
    scorer_refs: someRefs,
    project_id: projectId,
    platform_user_id: userIdIn,
  }),
  answer: started.extend({ evaluation_run_id: z.string() }).meta({ id: 'RescoreRes' }),
})

export const SCORED_CALLS = 1000
/** Most scorers per request. */
export const SCORERS = 50

export const callsScore = route({
  ...asked,
  id: 'calls_score',
  path: '/calls/score',
  tag: 'Scores',
  summary: 'Score calls: the server runs the scorers and stores the results as feedback on the calls',
  body: component('CallsScoreReq', {
    project_id: projectId,
    call_ids: z.array(shortText.min(1)).min(1),
    scorer_refs: someRefs,
    platform_user_id: userIdIn,
  }),
  answer: component('CallsScoreRes', {}),
})

export const planScorers = route({
  ...asked,
  id: 'plan_scorers',
  path: '/scorers/plan',
  tag: 'SDK extras',
  summary: 'Check that the server can run scorers, and show what they will ask',
  body: component('PlanScorersReq', {
    project_id: projectId,
    scorer_refs: someRefs,
    dataset_ref: orNull(shortText.min(1)).describe('a dataset that is to be checked too'),
    platform_user_id: userIdIn,
  }),
  answer: component('PlanScorersRes', {
    scorers: z.array(z.record(z.string(), z.unknown())).describe('what a worker does for each'),
    dataset: z.object({ ref: z.string(), project: z.string(), table: z.string() }).nullable(),
  }),
})
