import { z } from 'zod'
import { route } from '../platform/http/route.js'
import {
  AgentAggregation,
  AgentInsightFilter,
  AgentSignalFilter,
  AgentSpanGroupFilter,
  AgentSpanMeasureSpec,
  AgentSpanValueRef,
  alias,
  CustomSource,
  groupBy,
  spanWindow,
  ValueType,
} from './agents.js'
import { timeIn } from './calls-read.js'
import { Query } from './query-expr.js'
import { component, projectId, readInBody, timeOut } from './shared.js'

const of = { ...readInBody, tag: 'Agents' } as const

const AgentSpanStatsMetricSpec = component('AgentSpanStatsMetricSpec', {
  alias,
  value_type: ValueType,
  aggregations: z.array(AgentAggregation).max(20).default([]).describe('default: sum of numbers, else count'),
  percentiles: z.array(z.number().min(0).max(100)).max(20).default([]),
  value: AgentSpanValueRef,
})
export type AgentSpanStatsMetricSpec = z.output<typeof AgentSpanStatsMetricSpec>

const TimeBuckets = component('AgentSpanStatsTimeBucketSpec', { type: z.literal('time').default('time') })
const NumericBuckets = component('AgentSpanStatsNumericBucketSpec', {
  type: z.literal('number'),
  alias: alias.default('value'),
  bins: z.int().min(1).max(200).default(24),
  min: z.number().nullish(),
  max: z.number().nullish(),
  value: AgentSpanValueRef.nullish(),
  group_by: groupBy,
  measure: AgentSpanMeasureSpec.nullish(),
})
export type NumericBuckets = z.output<typeof NumericBuckets>

const AgentSpanStatsReq = component('AgentSpanStatsReq', {
  project_id: projectId,
  query: Query.nullish(),
  start: timeIn,
  end: timeIn.nullish().describe('default: now'),
  granularity: z.int().positive().nullish().describe('seconds; default: chosen by the length of the time'),
  timezone: z.string().max(100).default('UTC').describe('an IANA time zone'),
  group_by: groupBy,
  metrics: z.array(AgentSpanStatsMetricSpec).max(50).default([]),
  group_limit: z.int().min(1).max(1000).default(50),
  bucket_by: z.union([NumericBuckets, TimeBuckets]).nullish(),
  group_filters: z.array(AgentSpanGroupFilter).max(20).default([]),
  signal_filters: AgentSignalFilter.nullish(),
  insight_filters: z.array(AgentInsightFilter).max(20).default([]),
})
export type AgentSpanStatsReq = z.output<typeof AgentSpanStatsReq>

const AgentSpanStatsColumn = component('AgentSpanStatsColumn', {
  name: z.string(),
  role: z.enum(['time', 'bucket', 'group', 'metric']),
  value_type: ValueType,
  metric: z.string().nullable(),
  aggregation: z.string().nullable(),
})
export type AgentSpanStatsColumn = z.output<typeof AgentSpanStatsColumn>

export const agentSpansStats = route({
  ...of,
  id: 'agent_spans_stats',
  path: '/agents/spans/stats',
  summary: 'Aggregate spans of agents over time, by groups, or by ranges of a value',
  body: AgentSpanStatsReq,
  answer: component('AgentSpanStatsRes', {
    start: timeOut,
    end: timeOut,
    granularity: z.int().nullable(),
    timezone: z.string(),
    bucket_type: z.enum(['time', 'number']),
    columns: z.array(AgentSpanStatsColumn),
    rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  }),
})

const AgentCustomAttrsSchemaReq = component('AgentCustomAttrsSchemaReq', {
  ...spanWindow,
  limit: z.int().min(1).max(2000).default(200),
  offset: z.int().min(0).default(0),
})
export type AgentCustomAttrsSchemaReq = z.output<typeof AgentCustomAttrsSchemaReq>

export const agentCustomAttrsSchema = route({
  ...of,
  id: 'agent_custom_attrs_schema',
  path: '/agents/spans/custom-attrs/schema',
  summary: 'List the attributes that spans of agents have beside those of conventions, and their types',
  body: AgentCustomAttrsSchemaReq,
  answer: component('AgentCustomAttrsSchemaRes', {
    attributes: z.array(
      component('AgentCustomAttrSchemaItem', {
        source: CustomSource,
        key: z.string(),
        value_type: z.enum(['string', 'int', 'float', 'bool']),
        span_count: z.int(),
      }),
    ),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
  }),
})
