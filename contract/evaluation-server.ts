/** Declarations of what the server evaluates and scores by itself: asked for at once, done by workers. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { projectId, userIdIn } from './shared.js'

const someRefs = z.array(z.string().min(1)).min(1)
const asked = { method: 'POST', access: 'write', project: 'body' } as const
const started = z.object({ call_id: z.string().meta({ description: 'id of the root call of the run' }) })

export const evaluateModel = route({
  ...asked,
  id: 'evaluate_model',
  path: '/evaluations/evaluate_model',
  tag: 'Evaluations',
  summary: 'Begin an evaluation that the server runs; a worker does it',
  body: z
    .object({
      project_id: projectId,
      evaluation_ref: z.string().min(1),
      model_ref: z
        .string()
        .min(1)
        .meta({ description: 'of an object of the class LLMStructuredCompletionModel' }),
      platform_user_id: userIdIn,
    })
    .meta({ id: 'EvaluateModelReq' }),
  answer: started.meta({ id: 'EvaluateModelRes' }),
})

const NotFound = z.object({ code: z.literal('not_found') }).meta({ id: 'EvaluationStatusNotFound' })
const Running = z
  .object({ code: z.literal('running'), completed_rows: z.int(), total_rows: z.int() })
  .meta({ id: 'EvaluationStatusRunning' })
const Failed = z
  .object({ code: z.literal('failed'), error: z.string().nullable() })
  .meta({ id: 'EvaluationStatusFailed' })
const Complete = z
  .object({ code: z.literal('complete'), output: z.record(z.string(), z.unknown()) })
  .meta({ id: 'EvaluationStatusComplete' })

export const evaluationStatus = route({
  id: 'evaluation_status',
  method: 'POST',
  path: '/evaluations/status',
  tag: 'Evaluations',
  summary: 'How far an evaluation is, whoever runs it',
  access: 'read',
  project: 'body',
  body: z.object({ project_id: projectId, call_id: z.string() }).meta({ id: 'EvaluationStatusReq' }),
  answer: z
    .object({ status: z.union([NotFound, Running, Failed, Complete]) })
    .meta({ id: 'EvaluationStatusRes' }),
})

export const rescore = route({
  ...asked,
  id: 'rescore',
  path: '/evaluations/rescore',
  tag: 'SDK extras',
  summary: 'Begin a run over the predictions of another one, with other scorers; no model is asked again',
  body: z
    .object({
      source_evaluation_run_id: z.string().min(1),
      scorer_refs: someRefs,
      project_id: projectId,
      platform_user_id: userIdIn,
    })
    .meta({ id: 'RescoreReq' }),
  answer: started.extend({ evaluation_run_id: z.string() }).meta({ id: 'RescoreRes' }),
})

/** Most calls of one request. */
export const SCORED_CALLS = 1000
/** Most scorers of one request. */
export const SCORERS = 50

export const callsScore = route({
  ...asked,
  id: 'calls_score',
  path: '/calls/score',
  tag: 'Scores',
  summary: 'Score calls: a worker asks the scorers and writes what they say as feedback on the calls',
  body: z
    .object({
      project_id: projectId,
      call_ids: z.array(z.string().min(1)).min(1),
      scorer_refs: someRefs,
      platform_user_id: userIdIn,
    })
    .meta({ id: 'CallsScoreReq' }),
  answer: z.object({}).meta({ id: 'CallsScoreRes' }),
})
