import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { microsOf } from '../platform/time/micros.js'
import { eitherName } from './aliases.js'
import { Query } from './query-expr.js'
import { component, flag, orNull, projectId, shortText, timeOut } from './shared.js'

const tag = 'Calls'
const asked = { method: 'POST', tag, access: 'read', project: 'body' } as const

/** A time in a request; UTC if it has no offset. */
export const timeIn = z
  .string()
  .refine((text) => !Number.isNaN(microsOf(text)), 'Should be a time in ISO 8601')
  .meta({ format: 'date-time' })

const some = orNull(z.array(shortText))
const count = orNull(z.int())
const fields = orNull(z.array(shortText))
const off = flag(false)

/** Fields are ANDed, the values of a list ORed. */
export const CallsFilter = component('CallsFilter', {
  op_names: some.describe('names or refs of ops; `:*` at the end means any version'),
  input_refs: some,
  output_refs: some,
  parent_ids: some,
  trace_ids: some,
  call_ids: some,
  thread_ids: some.describe('an empty list matches nothing'),
  turn_ids: some.describe('an empty list matches nothing'),
  trace_roots_only: orNull(z.boolean()),
  platform_user_ids: some,
  platform_run_ids: some.describe('entity/project/run, or just the run'),
})
export type CallsFilter = z.output<typeof CallsFilter>

const filter = orNull(eitherName(CallsFilter))
const query = orNull(Query)

export const SortBy = component('SortBy', {
  field: shortText,
  direction: z.enum(['asc', 'desc']).default('asc'),
})
export type SortBy = z.output<typeof SortBy>

/** A line of the call lists. A field with two names appears under both. */
const CallSchema = component('CallSchema', {
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
  environment: z.string().nullable(),
  release: z.string().nullable().describe('of the program'),
  version: z.string().nullable().describe('of the part of the program that made the call'),
  prompt_name: z.string().nullable(),
  prompt_version: z.string().nullable(),
  deleted_at: timeOut.nullable(),
  expire_at: timeOut.nullable(),
  storage_size_bytes: z.int().nullable(),
  total_storage_size_bytes: z.int().nullable(),
  span_name: z.string().nullable().optional().describe('as the exporter sent it; where columns name it'),
  token_ids: component('CallTokenIds', {
    vocabulary: z.string().describe('names what the ids mean; empty: not known'),
    prompt: z.array(z.int()),
    completions: z.array(z.array(z.int())).describe('of each choice'),
  }).optional(),
})

export const CallsQueryReq = component('CallsQueryReq', {
  project_id: projectId,
  filter,
  limit: count.describe('null: no limit; negative numbers are refused'),
  offset: count,
  latest_only: z.boolean().default(false).describe('has no effect'),
  sort_by: orNull(z.array(SortBy)).describe(
    'default: started_at and id, ascending; an empty list: any order',
  ),
  query,
  include_costs: off,
  include_feedback: off,
  include_token_ids: off.describe(
    'adds `token_ids` to calls that have them: {vocabulary, prompt, completions}',
  ),
  include_storage_size: off,
  include_total_storage_size: off,
  include_usernames: off,
  columns: fields.describe(
    'a dotted path selects its whole column. Values over 1 MiB are omitted unless their column is named here',
  ),
  omit_large_values: off.describe('omits values over 1 MiB of the named columns, too'),
  omit_other_columns: off.describe('leaves columns that are not named out of the lines, instead of null'),
  cut_texts_at: orNull(z.int().min(100).max(1_000_000)).describe(
    'cuts texts within inputs, output, attributes and summary after so many bytes, for lists that show how values begin; values over 64 KiB with their texts cut are omitted',
  ),
  expand_columns: fields.describe('paths whose values are refs'),
  return_expanded_column_values: flag(true),
})
export type CallsQueryReq = z.output<typeof CallsQueryReq>

export const callsStreamQuery = route({
  ...asked,
  id: 'calls_query_stream',
  path: '/calls/stream_query',
  summary: 'List calls of a project as JSON lines',
  body: CallsQueryReq,
  answer: CallSchema,
  produces: 'application/jsonl',
})

export const callsQuery = route({
  ...asked,
  id: 'calls_query',
  path: '/calls/query',
  summary: 'List calls of a project as one JSON value, for clients before 0.51',
  body: CallsQueryReq,
  answer: component('CallsQueryRes', { calls: z.array(CallSchema) }),
})

const CallsQueryStatsReq = component('CallsQueryStatsReq', {
  project_id: projectId,
  filter,
  query,
  limit: count.describe('the maximum to count'),
  include_total_storage_size: off,
  expand_columns: fields,
})
export type CallsQueryStatsReq = z.output<typeof CallsQueryStatsReq>

export const callsQueryStats = route({
  ...asked,
  id: 'calls_query_stats',
  path: '/calls/query_stats',
  summary: 'Count matching calls and their size',
  body: CallsQueryStatsReq,
  answer: component('CallsQueryStatsRes', {
    count: z.int(),
    has_more: z.boolean(),
    total_storage_size_bytes: z.int().nullable(),
  }),
})

const CallReadReq = component('CallReadReq', {
  project_id: projectId,
  id: shortText,
  include_costs: off,
  include_storage_size: off,
  include_total_storage_size: off,
})
export type CallReadReq = z.output<typeof CallReadReq>

export const callRead = route({
  ...asked,
  id: 'call_read',
  path: '/call/read',
  summary: 'Read a call by id; null if it does not exist',
  body: CallReadReq,
  answer: component('CallReadRes', { call: CallSchema.nullable() }),
})

export const USAGE_METRICS = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'input_cost',
  'output_cost',
  'total_cost',
] as const
export const CALL_METRICS = ['latency_ms', 'time_to_first_token_ms', 'call_count', 'error_count'] as const
export const Aggregation = z
  .enum(['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'])
  .meta({ id: 'AggregationType' })
export type Aggregation = z.output<typeof Aggregation>

const wanted = {
  aggregations: z.array(Aggregation).default(['sum']),
  percentiles: z.array(z.number().min(0).max(100)).max(20).default([]),
}
const UsageMetricSpec = component('UsageMetricSpec', { metric: z.enum(USAGE_METRICS), ...wanted })
const CallMetricSpec = component('CallMetricSpec', { metric: z.enum(CALL_METRICS), ...wanted })

/** What statistics may be grouped by. Of a call that names several models, the first counts. */
export const GROUPINGS = [
  'op',
  'model',
  'agent',
  'user',
  'end_user',
  'environment',
  'release',
  'version',
  'prompt_name',
  'prompt_version',
] as const

const bucket = z.record(z.string(), z.unknown())
export const CallStatsReq = component('CallStatsReq', {
  project_id: projectId,
  start: timeIn,
  end: orNull(timeIn).describe('default: now'),
  granularity: orNull(z.int().positive()).describe(
    'bucket size in seconds; default: depends on the time range',
  ),
  usage_metrics: orNull(z.array(UsageMetricSpec).max(50)),
  call_metrics: orNull(z.array(CallMetricSpec).max(50)),
  filter,
  query,
  timezone: z.string().default('UTC').describe('an IANA time zone; buckets start at its midnight'),
  group_by: orNull(z.enum(GROUPINGS)).describe(
    'one bucket for each of the largest groups, with its name or user id as `group` and the name of the user as `group_name`, and one of all others, with null',
  ),
  group_limit: z.int().min(1).max(50).default(10),
})
export type CallStatsReq = z.output<typeof CallStatsReq>

export const callStats = route({
  ...asked,
  id: 'call_stats',
  path: '/calls/stats',
  summary: 'Count calls, errors, latency and usage by model over time, for at most 31 days',
  body: CallStatsReq,
  answer: component('CallStatsRes', {
    start: timeOut,
    end: timeOut,
    granularity: z.int(),
    timezone: z.string(),
    usage_buckets: z.array(bucket),
    call_buckets: z.array(bucket),
  }),
})

export const callsActivity = route({
  ...asked,
  project: 'handler',
  id: 'calls_activity',
  path: '/calls/activity',
  summary: 'Sum up the last 24 hours of several projects',
  body: component('CallsActivityReq', { project_ids: z.array(projectId).min(1).max(100) }),
  answer: component('CallsActivityRes', {
    projects: z.array(
      component('ProjectActivity', {
        project_id: z.string(),
        call_counts: z.array(z.int()).describe('by hour, the oldest first; the last hour is this one'),
        error_count: z.int(),
        total_tokens: z.int(),
        total_cost: z.number().nullable().describe('US dollars; null: no price is known'),
        last_call_at: timeOut.nullable().describe('of any time; null: there is none'),
      }),
    ),
  }),
})

const FacetSpec = component('FacetSpec', {
  field: shortText.describe('as in `$getField`'),
  kind: z
    .enum(['values', 'numbers'])
    .default('values')
    .describe(
      '`values`: the most frequent ones; `numbers`: how many calls there are in each range of numbers',
    ),
  query: orNull(Query).describe(
    'what else must hold for the calls of this facet: usually what is chosen of all other facets',
  ),
  limit: z.int().min(1).max(100).default(10).describe('values at most'),
})
export type FacetSpec = z.output<typeof FacetSpec>

export const CallFacetsReq = component('CallFacetsReq', {
  project_id: projectId,
  filter,
  query,
  facets: z.array(FacetSpec).min(1).max(40),
})
export type CallFacetsReq = z.output<typeof CallFacetsReq>

export const callFacets = route({
  ...asked,
  id: 'call_facets',
  path: '/calls/facets',
  summary: 'Count matching calls by the values of several fields at once',
  body: CallFacetsReq,
  answer: component('CallFacetsRes', {
    is_partial: z.boolean().describe('only a million calls were counted; others match, too'),
    facets: z.array(
      component('CallFacet', {
        field: z.string(),
        values: z
          .array(z.object({ value: z.string().nullable(), count: z.int() }))
          .describe('the most frequent first; null: the calls that have none'),
        ranges: z
          .array(z.object({ from: z.number(), to: z.number(), count: z.int() }))
          .describe('in order, those without calls left out; `to` is exclusive'),
      }),
    ),
  }),
})

const tokens = z.int()
const cost = z.number().nullable()
const LLMAggregatedUsage = component('LLMAggregatedUsage', {
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
const usage = {
  call_usage: z
    .record(z.string(), z.record(z.string(), LLMAggregatedUsage))
    .describe('by call id, then by model'),
  unfinished_call_ids: z.array(z.string()),
}
const most = z.int().positive().max(100_000).default(10_000)

const TraceUsageReq = component('TraceUsageReq', {
  project_id: projectId,
  filter,
  query,
  include_costs: z.boolean().default(false),
  limit: most.describe('fails if there are more calls'),
})
export type TraceUsageReq = z.output<typeof TraceUsageReq>

export const traceUsage = route({
  ...asked,
  id: 'trace_usage',
  path: '/trace/usage',
  summary: 'Sum the usage of each matching call and its descendants, by model',
  body: TraceUsageReq,
  answer: component('TraceUsageRes', usage),
})

const CallsUsageReq = component('CallsUsageReq', {
  project_id: projectId,
  call_ids: z.array(shortText),
  include_costs: z.boolean().default(false),
  limit: most.describe('fails if a trace has more calls'),
})
export type CallsUsageReq = z.output<typeof CallsUsageReq>

export const callsUsage = route({
  ...asked,
  id: 'calls_usage',
  path: '/calls/usage',
  summary: 'Sum the usage of calls and their descendants, by model',
  body: CallsUsageReq,
  answer: component('CallsUsageRes', usage),
})
