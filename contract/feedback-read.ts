import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { Aggregation, SortBy, timeIn } from './calls-read.js'
import { Query } from './query-expr.js'
import { component, names, orNull, page, projectId, shortText, timeOut } from './shared.js'

const tag = 'Feedback'
const read = { method: 'POST', tag, access: 'read', project: 'body' } as const

const FeedbackQueryReq = component('FeedbackQueryReq', {
  project_id: projectId,
  fields: orNull(z.array(shortText).max(100)).describe('null: all. `payload.a.b` is the value at that path'),
  query: orNull(Query),
  sort_by: orNull(z.array(SortBy).max(20)).describe('default: in the order of arrival'),
  ...page,
})
export type FeedbackQueryReq = z.output<typeof FeedbackQueryReq>

export const feedbackQuery = route({
  ...read,
  id: 'feedback_query',
  path: '/feedback/query',
  summary: 'List feedback of a project',
  body: FeedbackQueryReq,
  answer: component('FeedbackQueryRes', {
    result: z.array(z.record(z.string(), z.unknown())),
    total_count: z.int().min(0).describe('the total, regardless of limit and offset'),
  }),
})

const window = {
  project_id: projectId,
  start: timeIn,
  end: orNull(timeIn).describe('default: now'),
  feedback_type: orNull(shortText),
  trigger_ref: orNull(shortText).describe('`:*` at the end means any version'),
}

const ValueType = z.enum(['numeric', 'boolean', 'categorical'])
export type ValueType = z.output<typeof ValueType>

export const FeedbackMetricSpec = component('FeedbackMetricSpec', {
  json_path: z.string().min(1).max(1000).describe('into the payload: `output.score`'),
  value_type: ValueType.default('numeric'),
  aggregations: z
    .array(Aggregation)
    .default([])
    .describe('default: avg, min and max of numbers, count_true and count_false of booleans, else count'),
  percentiles: z.array(z.number().min(0).max(100)).max(20).default([]),
})
export type FeedbackMetricSpec = z.output<typeof FeedbackMetricSpec>

const FeedbackStatsReq = component('FeedbackStatsReq', {
  ...window,
  granularity: orNull(z.int().positive()).describe(
    'bucket size in seconds; default: depends on the time range',
  ),
  timezone: z.string().default('UTC').describe('an IANA time zone; buckets start at its midnight'),
  metrics: z.array(FeedbackMetricSpec).max(50).default([]),
})
export type FeedbackStatsReq = z.output<typeof FeedbackStatsReq>

export const feedbackStats = route({
  ...read,
  id: 'feedback_stats',
  path: '/feedback/stats',
  summary: 'Aggregate values inside payloads over time, for at most 31 days',
  body: FeedbackStatsReq,
  answer: component('FeedbackStatsRes', {
    start: timeOut,
    end: timeOut,
    granularity: z.int(),
    timezone: z.string(),
    buckets: z.array(z.record(z.string(), z.unknown())),
    window_stats: z
      .record(z.string(), z.record(z.string(), z.number().nullable()))
      .nullable()
      .describe('over the whole time, by path with _ instead of dots'),
  }),
})

const FeedbackPayloadSchemaReq = component('FeedbackPayloadSchemaReq', {
  ...window,
  sample_limit: z
    .int()
    .min(1)
    .max(5000)
    .default(2000)
    .describe('how many to inspect: the newest of each trigger_ref, and all without one, newest first'),
})
export type FeedbackPayloadSchemaReq = z.output<typeof FeedbackPayloadSchemaReq>

export const feedbackPayloadSchema = route({
  ...read,
  id: 'feedback_payload_schema',
  path: '/feedback/payload_schema',
  summary: 'List the paths of payloads of at most 31 days, and the kinds of their values',
  body: FeedbackPayloadSchemaReq,
  answer: component('FeedbackPayloadSchemaRes', {
    paths: z.array(component('FeedbackPayloadPath', { json_path: z.string(), value_type: ValueType })),
  }),
})

const ms = z.int().min(0).max(9_000_000_000_000)
const rating = orNull(z.number().min(0).max(1))
const identities = names.describe('names of objects, any version; `*` at the end matches any ending')

const FeedbackAggregateReq = component('FeedbackAggregateReq', {
  project_id: projectId,
  after_ms: ms.describe('this millisecond and later'),
  before_ms: ms.describe('before this millisecond'),
  time_bucket_seconds: orNull(z.int().positive()).describe('default: depends on the time range'),
  feedback_types: names.describe('prefixes of types'),
  tags: names,
  rating_min: rating,
  rating_max: rating,
  monitor_ids: identities,
  scorer_ids: identities,
  span_agent_names: names,
  span_types: orNull(z.array(z.enum(['agent_turn', 'agent_conversation']))),
  group_by: orNull(
    z.array(z.enum(['scorer_id', 'span_agent_name', 'span_agent_version', 'span_status_code'])),
  ),
})
export type FeedbackAggregateReq = z.output<typeof FeedbackAggregateReq>

const FeedbackAggregateBucket = component('FeedbackAggregateBucket', {
  time_bucket_start_ms: z.int().nullable(),
  group: z.record(z.string(), z.string()),
  total_count: z.int(),
  scored_count: z.int().describe('with a tag or a rating'),
  tag_counts: z.record(z.string(), z.int()),
  rating_counts: z.record(z.string(), z.int()),
  rating_sums: z.record(z.string(), z.number()),
})
export type FeedbackAggregateBucket = z.output<typeof FeedbackAggregateBucket>

export const feedbackAggregate = route({
  ...read,
  id: 'feedback_aggregate',
  path: '/feedback/aggregate',
  summary: 'Count the tags and ratings of scorers over time',
  body: FeedbackAggregateReq,
  answer: component('FeedbackAggregateRes', {
    time_bucket_seconds: z.int().nullable(),
    after_ms: z.int(),
    before_ms: z.int(),
    buckets: z.array(FeedbackAggregateBucket).describe('those that are not empty'),
  }),
})
