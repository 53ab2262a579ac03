/** Declarations of the feedback routes that write; feedback-read.ts has those that read. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { Query } from './query-expr.js'
import { component, projectId, timeOut, userIdIn, writeInBody } from './shared.js'

const tag = 'Feedback'
const ref = z.string().max(4096).nullish()
const words = z.record(z.string(), z.string()).nullish()
/** Keeps sums within JSON's numbers. */
const numbers = z.record(z.string(), z.number().min(-1e100).max(1e100)).nullish()
const text = z.string().max(4096).nullish()

/** Fields added by scorers and agent monitors, and the span they are about. Empty on all other feedback. */
const scorerFields = {
  scorer_tags: z.array(z.string()).nullish(),
  scorer_tag_reasons: words,
  scorer_tag_confidences: numbers,
  scorer_ratings: numbers,
  scorer_rating_reasons: words,
  scorer_rating_confidences: numbers,
  span_agent_name: text,
  span_agent_version: text,
  span_status_code: text.describe('default: UNSET'),
  span_conversation_id: text,
  span_trace_id: text,
  scorer_trace_id: text,
}

const fields = {
  id: z
    .string()
    .min(1)
    .max(256)
    .nullish()
    .describe('default: generated. Feedback on the same ref with an existing id changes nothing'),
  project_id: projectId,
  weave_ref: z
    .string()
    .min(1)
    .max(4096)
    .meta({
      description: 'what the feedback is about',
      examples: ['weave:///acme/assistant/call/0198e7a1-2b3c-7d4e-8f5a-6b7c8d9e0f1a'],
    }),
  creator: z.string().max(1024).nullish(),
  feedback_type: z
    .string()
    .min(1)
    .max(512)
    .meta({ examples: ['platform.note.1', 'platform.reaction.1', 'my-own'] }),
  payload: z.record(z.string(), z.unknown()).meta({
    description: 'at most 1 MiB; numbers keep their exact text. Required fields depend on the type',
    examples: [{ note: 'well said' }],
  }),
  annotation_ref: ref,
  runnable_ref: ref,
  call_ref: ref,
  trigger_ref: ref,
  queue_id: z.string().max(256).nullish().describe('an existing queue'),
  ...scorerFields,
  platform_user_id: userIdIn,
}

export const FeedbackCreateReq = component('FeedbackCreateReq', fields)
export type FeedbackCreate = z.output<typeof FeedbackCreateReq>

const answer = {
  id: z.string(),
  created_at: timeOut,
  platform_user_id: z.string(),
  wb_user_id: z.string().describe('the same as platform_user_id'),
  payload: z.record(z.string(), z.unknown()).describe('as it was stored'),
}
const FeedbackCreateRes = component('FeedbackCreateRes', answer)

const write = { method: 'POST', tag, access: 'write', project: 'handler', raw: true } as const

export const feedbackCreate = route({
  ...write,
  id: 'feedback_create',
  path: '/feedback/create',
  summary: 'Add feedback on a call or another ref',
  maxBytes: 8 << 20,
  body: FeedbackCreateReq,
  answer: FeedbackCreateRes,
})

export const feedbackCreateBatch = route({
  ...write,
  id: 'feedback_create_batch',
  path: '/feedback/batch/create',
  summary: 'Add several pieces of feedback; all or none',
  body: component('FeedbackCreateBatchReq', { batch: z.array(FeedbackCreateReq).max(10_000) }),
  answer: component('FeedbackCreateBatchRes', { res: z.array(FeedbackCreateRes) }),
})

export const FeedbackReplaceReq = component('FeedbackReplaceReq', {
  ...fields,
  feedback_id: z.string().min(1).describe('the feedback to replace'),
})

export const feedbackReplace = route({
  ...write,
  id: 'feedback_replace',
  path: '/feedback/replace',
  summary: 'Replace feedback',
  maxBytes: 8 << 20,
  body: FeedbackReplaceReq,
  answer: component('FeedbackReplaceRes', answer),
})

export const feedbackPurge = route({
  ...writeInBody,
  id: 'feedback_purge',
  audit: { category: 'deletion' },
  path: '/feedback/purge',
  tag,
  summary: 'Delete feedback by id; the query may use $eq of id, and $or of these',
  body: component('FeedbackPurgeReq', { project_id: projectId, query: Query }),
  answer: component('FeedbackPurgeRes', {}),
})
