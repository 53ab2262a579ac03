/** Declarations of the routes that read calls. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { microsOf } from '../platform/time/micros.js'
import { eitherName } from './aliases.js'
import { Query } from './query-expr.js'
import { flag, projectId, timeOut } from './shared.js'

const tag = 'Calls'
const asked = { method: 'POST', tag, access: 'read', project: 'body' } as const

/** A time as requests write it; without an offset it is UTC. */
export const timeIn = z
  .string()
  .refine((text) => !Number.isNaN(microsOf(text)), 'Should be a time in ISO 8601')
  .meta({ format: 'date-time' })

const some = z.array(z.string()).nullable().default(null)
const count = z.int().nullable().default(null)
const fields = z.array(z.string()).nullable().default(null)
const off = flag(false)

/** Fields are ANDed, the values of a list ORed. */
export const CallsFilter = z
  .object({
    op_names: some.meta({ description: 'names or refs of ops; `:*` at the end means any version' }),
    input_refs: some,
    output_refs: some,
    parent_ids: some,
    trace_ids: some,
    call_ids: some,
    thread_ids: some.meta({ description: 'an empty list matches nothing' }),
    turn_ids: some.meta({ description: 'an empty list matches nothing' }),
    trace_roots_only: z.boolean().nullable().default(null),
    platform_user_ids: some,
    platform_run_ids: some.meta({ description: 'entity/project/run, or a bare run of this project' }),
  })
  .meta({ id: 'CallsFilter' })
export type CallsFilter = z.output<typeof CallsFilter>

const filter = eitherName(CallsFilter).nullable().default(null)
const query = Query.nullable().default(null)

export const SortBy = z
  .object({ field: z.string(), direction: z.enum(['asc', 'desc']).default('asc') })
  .meta({ id: 'SortBy' })
export type SortBy = z.output<typeof SortBy>

/** A line of the answers that list calls. Each field of two names comes under both. */
const CallSchema = z
  .object({
    id: z.string(),
    project_id: z.string(),
    op_name: z.string(),
    display_name: z.string().nullable(),
    trace_id: z.string(),
    parent_id: z.string().nullable(),
    thread_id: z.string().nullable(),
    turn_id: z.string().nullable(),
    started_at: timeOut,
    attributes: z.record(z.string(), z.unknown()),
    inputs: z.record(z.string(), z.unknown()),
    ended_at: timeOut.nullable(),
    exception: z.string().nullable(),
    output: z.unknown(),
    summary: z.record(z.string(), z.unknown()).nullable(),
    platform_user_id: z.string().nullable(),
    wb_user_id: z.string().nullable(),
    platform_username: z.string().nullish(),
    wb_username: z.string().nullish(),
    platform_run_id: z.string().nullable(),
    wb_run_id: z.string().nullable(),
    platform_run_step: z.int().nullable(),
    wb_run_step: z.int().nullable(),
    platform_run_step_end: z.int().nullable(),
    wb_run_step_end: z.int().nullable(),
    deleted_at: timeOut.nullable(),
    expire_at: timeOut.nullable(),
    storage_size_bytes: z.int().nullable(),
    total_storage_size_bytes: z.int().nullable(),
  })
  .meta({ id: 'CallSchema' })

const CallsQueryReq = z
  .object({
    project_id: projectId,
    filter,
    limit: count.meta({ description: 'null: no limit; negative numbers are refused' }),
    offset: count,
    latest_only: z.boolean().default(false).meta({ description: 'has no effect' }),
    sort_by: z.array(SortBy).nullable().default(null).meta({
      description: 'default: started_at and id, ascending; an empty list: in no order',
    }),
    query,
    include_costs: off,
    include_feedback: off,
    include_storage_size: off,
    include_total_storage_size: off,
    include_usernames: off,
    columns: fields.meta({
      description:
        'a dotted path selects its column whole. Values over 1 MiB are left out unless their column is named here',
    }),
    expand_columns: fields.meta({ description: 'paths whose values are refs' }),
    return_expanded_column_values: flag(true),
  })
  .meta({ id: 'CallsQueryReq' })
export type CallsQueryReq = z.output<typeof CallsQueryReq>

export const callsStreamQuery = route({
  ...asked,
  id: 'calls_query_stream',
  path: '/calls/stream_query',
  summary: 'Calls of a project as JSON lines',
  body: CallsQueryReq,
  answer: CallSchema,
  produces: 'application/jsonl',
})

export const callsQuery = route({
  ...asked,
  id: 'calls_query',
  path: '/calls/query',
  summary: 'Calls of a project as one JSON value, as clients before 0.51 asked for them',
  body: CallsQueryReq,
  answer: z.object({ calls: z.array(CallSchema) }).meta({ id: 'CallsQueryRes' }),
})

const CallsQueryStatsReq = z
  .object({
    project_id: projectId,
    filter,
    query,
    limit: count.meta({ description: 'count no further than this' }),
    include_total_storage_size: off,
    expand_columns: fields,
  })
  .meta({ id: 'CallsQueryStatsReq' })
export type CallsQueryStatsReq = z.output<typeof CallsQueryStatsReq>

export const callsQueryStats = route({
  ...asked,
  id: 'calls_query_stats',
  path: '/calls/query_stats',
  summary: 'How many calls match, and how much they hold',
  body: CallsQueryStatsReq,
  answer: z
    .object({
      count: z.int(),
      has_more: z.boolean(),
      total_storage_size_bytes: z.int().nullable(),
    })
    .meta({ id: 'CallsQueryStatsRes' }),
})

const CallReadReq = z
  .object({
    project_id: projectId,
    id: z.string(),
    include_costs: off,
    include_storage_size: off,
    include_total_storage_size: off,
  })
  .meta({ id: 'CallReadReq' })
export type CallReadReq = z.output<typeof CallReadReq>

export const callRead = route({
  ...asked,
  id: 'call_read',
  path: '/call/read',
  summary: 'One call by its id, whole; null if there is none',
  body: CallReadReq,
  answer: z.object({ call: CallSchema.nullable() }).meta({ id: 'CallReadRes' }),
})

const USAGE_METRICS = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'input_cost',
  'output_cost',
  'total_cost',
] as const
const CALL_METRICS = ['latency_ms', 'call_count', 'error_count'] as const
export const Aggregation = z
  .enum(['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'])
  .meta({ id: 'AggregationType' })
export type Aggregation = z.output<typeof Aggregation>

const wanted = {
  aggregations: z.array(Aggregation).default(['sum']),
  percentiles: z.array(z.number().min(0).max(100)).max(20).default([]),
}
const UsageMetricSpec = z.object({ metric: z.enum(USAGE_METRICS), ...wanted }).meta({ id: 'UsageMetricSpec' })
const CallMetricSpec = z.object({ metric: z.enum(CALL_METRICS), ...wanted }).meta({ id: 'CallMetricSpec' })

const bucket = z.record(z.string(), z.unknown())
const CallStatsReq = z
  .object({
    project_id: projectId,
    start: timeIn,
    end: timeIn.nullable().default(null).meta({ description: 'default: now' }),
    granularity: z.int().positive().nullable().default(null).meta({
      description: 'seconds of a bucket; chosen by the length of the time where not given',
    }),
    usage_metrics: z.array(UsageMetricSpec).max(50).nullable().default(null),
    call_metrics: z.array(CallMetricSpec).max(50).nullable().default(null),
    filter,
    timezone: z.string().default('UTC').meta({ description: 'an IANA name; buckets begin at its midnight' }),
  })
  .meta({ id: 'CallStatsReq' })
export type CallStatsReq = z.output<typeof CallStatsReq>

export const callStats = route({
  ...asked,
  id: 'call_stats',
  path: '/calls/stats',
  summary: 'Usage by model, latency, calls and errors over time, at most 31 days',
  body: CallStatsReq,
  answer: z
    .object({
      start: timeOut,
      end: timeOut,
      granularity: z.int(),
      timezone: z.string(),
      usage_buckets: z.array(bucket),
      call_buckets: z.array(bucket),
    })
    .meta({ id: 'CallStatsRes' }),
})

const tokens = z.int()
const cost = z.number().nullable()
const LLMAggregatedUsage = z
  .object({
    requests: tokens,
    prompt_tokens: tokens,
    completion_tokens: tokens,
    total_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    prompt_tokens_total_cost: cost,
    completion_tokens_total_cost: cost,
    cache_read_input_tokens_total_cost: cost,
    cache_creation_input_tokens_total_cost: cost,
  })
  .meta({ id: 'LLMAggregatedUsage' })
const usage = {
  call_usage: z.record(z.string(), z.record(z.string(), LLMAggregatedUsage)).meta({
    description: 'by call id, then by model',
  }),
  unfinished_call_ids: z.array(z.string()),
}
const most = z.int().positive().max(100_000).default(10_000)

const TraceUsageReq = z
  .object({
    project_id: projectId,
    filter,
    query,
    include_costs: z.boolean().default(false),
    limit: most.meta({ description: 'more calls than this are an error' }),
  })
  .meta({ id: 'TraceUsageReq' })
export type TraceUsageReq = z.output<typeof TraceUsageReq>

export const traceUsage = route({
  ...asked,
  id: 'trace_usage',
  path: '/trace/usage',
  summary: 'Usage of each matching call and of those below it, by model',
  body: TraceUsageReq,
  answer: z.object(usage).meta({ id: 'TraceUsageRes' }),
})

const CallsUsageReq = z
  .object({
    project_id: projectId,
    call_ids: z.array(z.string()),
    include_costs: z.boolean().default(false),
    limit: most.meta({ description: 'traces with more calls than this are an error' }),
  })
  .meta({ id: 'CallsUsageReq' })
export type CallsUsageReq = z.output<typeof CallsUsageReq>

export const callsUsage = route({
  ...asked,
  id: 'calls_usage',
  path: '/calls/usage',
  summary: 'Usage of these calls with everything below them in their traces, by model',
  body: CallsUsageReq,
  answer: z.object(usage).meta({ id: 'CallsUsageRes' }),
})
