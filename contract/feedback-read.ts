/** Declarations of the feedback routes that read. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { Aggregation, SortBy, timeIn } from './calls-read.js'
import { Query } from './query-expr.js'
import { names, page, projectId, timeOut } from './shared.js'

const tag = 'Feedback'
const read = { method: 'POST', tag, access: 'read', project: 'body' } as const

const FeedbackQueryReq = z
  .object({
    project_id: projectId,
    fields: z
      .array(z.string())
      .max(100)
      .nullable()
      .default(null)
      .meta({ description: 'null: all. `payload.a.b` is the value at that path' }),
    query: Query.nullable().default(null),
    sort_by: z.array(SortBy).max(20).nullable().default(null).meta({ description: 'default: as it came' }),
    ...page,
  })
  .meta({ id: 'FeedbackQueryReq' })
export type FeedbackQueryReq = z.output<typeof FeedbackQueryReq>

export const feedbackQuery = route({
  ...read,
  id: 'feedback_query',
  path: '/feedback/query',
  summary: 'List feedback of a project',
  body: FeedbackQueryReq,
  answer: z
    .object({
      result: z.array(z.record(z.string(), z.unknown())),
      total_count: z.int().min(0).meta({ description: 'how much there is, whatever limit and offset are' }),
    })
    .meta({ id: 'FeedbackQueryRes' }),
})

const window = {
  project_id: projectId,
  start: timeIn,
  end: timeIn.nullable().default(null).meta({ description: 'default: now' }),
  feedback_type: z.string().nullable().default(null),
  trigger_ref: z.string().nullable().default(null).meta({ description: '`:*` at the end means any version' }),
}

const ValueType = z.enum(['numeric', 'boolean', 'categorical'])
export type ValueType = z.output<typeof ValueType>

const FeedbackMetricSpec = z
  .object({
    json_path: z.string().min(1).max(1000).meta({ description: 'into the payload: `output.score`' }),
    value_type: ValueType.default('numeric'),
    aggregations: z.array(Aggregation).default([]).meta({
      description: 'default: avg, min and max of numbers, count_true and count_false of booleans, else count',
    }),
    percentiles: z.array(z.number().min(0).max(100)).max(20).default([]),
  })
  .meta({ id: 'FeedbackMetricSpec' })
export type FeedbackMetricSpec = z.output<typeof FeedbackMetricSpec>

const FeedbackStatsReq = z
  .object({
    ...window,
    granularity: z.int().positive().nullable().default(null).meta({
      description: 'seconds of a bucket; chosen by the length of the time where not given',
    }),
    timezone: z.string().default('UTC').meta({ description: 'an IANA name; buckets begin at its midnight' }),
    metrics: z.array(FeedbackMetricSpec).max(50).default([]),
  })
  .meta({ id: 'FeedbackStatsReq' })
export type FeedbackStatsReq = z.output<typeof FeedbackStatsReq>

export const feedbackStats = route({
  ...read,
  id: 'feedback_stats',
  path: '/feedback/stats',
  summary: 'Values inside payloads over time, at most 31 days',
  body: FeedbackStatsReq,
  answer: z
    .object({
      start: timeOut,
      end: timeOut,
      granularity: z.int(),
      timezone: z.string(),
      buckets: z.array(z.record(z.string(), z.unknown())),
      window_stats: z
        .record(z.string(), z.record(z.string(), z.number().nullable()))
        .nullable()
        .meta({ description: 'the same over the whole time, by path with _ for the dots' }),
    })
    .meta({ id: 'FeedbackStatsRes' }),
})

const FeedbackPayloadSchemaReq = z
  .object({
    ...window,
    sample_limit: z.int().min(1).max(5000).default(2000).meta({
      description: 'how much is looked at: of each trigger_ref the newest, without one each, newest first',
    }),
  })
  .meta({ id: 'FeedbackPayloadSchemaReq' })
export type FeedbackPayloadSchemaReq = z.output<typeof FeedbackPayloadSchemaReq>

export const feedbackPayloadSchema = route({
  ...read,
  id: 'feedback_payload_schema',
  path: '/feedback/payload_schema',
  summary: 'The paths that payloads of at most 31 days have, and the kind of their values',
  body: FeedbackPayloadSchemaReq,
  answer: z
    .object({
      paths: z.array(
        z.object({ json_path: z.string(), value_type: ValueType }).meta({ id: 'FeedbackPayloadPath' }),
      ),
    })
    .meta({ id: 'FeedbackPayloadSchemaRes' }),
})

const ms = z.int().min(0).max(9_000_000_000_000)
const rating = z.number().min(0).max(1).nullable().default(null)
const identities = names.meta({
  description: 'names of objects, of any version; `*` at the end: that begin so',
})

const FeedbackAggregateReq = z
  .object({
    project_id: projectId,
    after_ms: ms.meta({ description: 'this ms and later' }),
    before_ms: ms.meta({ description: 'before this ms' }),
    time_bucket_seconds: z.int().positive().nullable().default(null).meta({
      description: 'chosen by the length of the time where not given',
    }),
    feedback_types: names.meta({ description: 'beginnings of types' }),
    tags: names,
    rating_min: rating,
    rating_max: rating,
    monitor_ids: identities,
    scorer_ids: identities,
    span_agent_names: names,
    span_types: z
      .array(z.enum(['agent_turn', 'agent_conversation']))
      .nullable()
      .default(null),
    group_by: z
      .array(z.enum(['scorer_id', 'span_agent_name', 'span_agent_version', 'span_status_code']))
      .nullable()
      .default(null),
  })
  .meta({ id: 'FeedbackAggregateReq' })
export type FeedbackAggregateReq = z.output<typeof FeedbackAggregateReq>

const FeedbackAggregateBucket = z
  .object({
    time_bucket_start_ms: z.int().nullable(),
    group: z.record(z.string(), z.string()),
    total_count: z.int(),
    scored_count: z.int().meta({ description: 'with a tag or a rating' }),
    tag_counts: z.record(z.string(), z.int()),
    rating_counts: z.record(z.string(), z.int()),
    rating_sums: z.record(z.string(), z.number()),
  })
  .meta({ id: 'FeedbackAggregateBucket' })
export type FeedbackAggregateBucket = z.output<typeof FeedbackAggregateBucket>

export const feedbackAggregate = route({
  ...read,
  id: 'feedback_aggregate',
  path: '/feedback/aggregate',
  summary: 'Tags and ratings of scorers, counted over time',
  body: FeedbackAggregateReq,
  answer: z
    .object({
      time_bucket_seconds: z.int().nullable(),
      after_ms: z.int(),
      before_ms: z.int(),
      buckets: z.array(FeedbackAggregateBucket).meta({ description: 'those that are not empty' }),
    })
    .meta({ id: 'FeedbackAggregateRes' }),
})
