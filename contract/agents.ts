import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { AgentSpan, AgentSpanGroupRow } from './agent-span.js'
import { timeIn } from './calls-read.js'
import { Query } from './query-expr.js'
import { component, projectId, readInBody, shortText, timeOut } from './shared.js'

const of = { ...readInBody, tag: 'Agents' } as const

const agentPage = {
  limit: z.int().min(0).max(10_000).default(100),
  offset: z.int().min(0).default(0),
}
export const alias = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)
  .max(100)
const key = z.string().min(1).max(500)

const AgentSortBy = component('AgentSortBy', {
  field: z.string().max(600),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
const sort_by = z.array(AgentSortBy).max(20).nullish()
export const ValueType = z.enum(['datetime', 'number', 'boolean', 'string'])
export const AgentAggregation = z.enum([
  ...(['sum', 'avg', 'min', 'max', 'count', 'count_distinct', 'count_true', 'count_false'] as const),
])
export type AgentAggregation = z.output<typeof AgentAggregation>

const CUSTOM = ['custom_attrs_string', 'custom_attrs_int', 'custom_attrs_float', 'custom_attrs_bool'] as const
export const CustomSource = z.enum(CUSTOM)
export type CustomSource = z.output<typeof CustomSource>

export const AgentGroupByRef = component('AgentGroupByRef', {
  source: z.enum(['field', 'column', ...CUSTOM]).default('field'),
  key,
  alias: z.string().max(100).nullish().describe('default: the column, or the key'),
})
export type AgentGroupByRef = z.output<typeof AgentGroupByRef>
export const groupBy = z.array(AgentGroupByRef).max(20).nullish()

export const AgentSpanValueRef = component('AgentSpanValueRef', {
  source: z.enum(['field', 'derived', ...CUSTOM]).default('field'),
  key,
})
export type AgentSpanValueRef = z.output<typeof AgentSpanValueRef>

export const AgentSpanMeasureSpec = component('AgentSpanMeasureSpec', {
  alias,
  aggregation: AgentAggregation,
  value: AgentSpanValueRef.nullish(),
  value_type: ValueType.nullish(),
  filter: Query.nullish(),
})
export type AgentSpanMeasureSpec = z.output<typeof AgentSpanMeasureSpec>

const bound = z.union([z.number(), z.string().max(100)]).nullish()
export const AgentSpanGroupFilter = component('AgentSpanGroupFilter', {
  group_by: groupBy,
  measure: AgentSpanMeasureSpec,
  min: bound,
  max: bound,
})
export type AgentSpanGroupFilter = z.output<typeof AgentSpanGroupFilter>

const RatingCondition = component('RatingCondition', {
  scorer_key: z.string().max(500),
  op: z.enum(['gte', 'gt', 'lte', 'lt', 'eq']),
  value: z.number(),
})
export const AgentSignalFilter = component('AgentSignalFilter', {
  tags: z.array(shortText).max(1000).default([]),
  ratings: z.array(RatingCondition).max(100).default([]),
})
export type AgentSignalFilter = z.output<typeof AgentSignalFilter>

const INSIGHTS = [
  ...(['intent_category', 'intent_sentiment', 'failure_category'] as const),
  ...(['failure_severity', 'intent_topic_id', 'failure_topic_id'] as const),
] as const
export const AgentInsightFilter = z
  .strictObject({
    field: z.enum(INSIGHTS),
    values: z.array(shortText).min(1).max(1000),
    exclude: z.boolean().default(false),
  })
  .meta({ id: 'AgentInsightFilter' })
export type AgentInsightFilter = z.output<typeof AgentInsightFilter>

export const spanWindow = {
  project_id: projectId,
  query: Query.nullish(),
  started_after: timeIn.nullish(),
  started_before: timeIn.nullish(),
}

const AgentsQueryReq = component('AgentsQueryReq', {
  project_id: projectId,
  filters: component('AgentsQueryFilters', { agent_name: shortText.nullish() }).nullish(),
  sort_by,
  ...agentPage,
  include_costs: z.boolean().default(false),
})
export type AgentsQueryReq = z.output<typeof AgentsQueryReq>

const totals = {
  project_id: z.string(),
  agent_name: z.string(),
  invocation_count: z.int(),
  span_count: z.int(),
  total_input_tokens: z.int(),
  total_output_tokens: z.int(),
  total_duration_ms: z.int(),
  error_count: z.int(),
  first_seen: timeOut.nullable(),
  last_seen: timeOut.nullable(),
  total_cost_usd: z.number().nullable(),
}

export const agentsQuery = route({
  ...of,
  id: 'agents_query',
  path: '/agents/query',
  summary: 'List the agents of a project with what their spans add up to',
  body: AgentsQueryReq,
  answer: component('AgentsQueryRes', {
    agents: z.array(component('AgentSchema', totals)),
    total_count: z.int(),
  }),
})

const AgentVersionsQueryReq = component('AgentVersionsQueryReq', {
  project_id: projectId,
  agent_name: shortText,
  sort_by: sort_by.describe('ignored: the one seen last goes first'),
  ...agentPage,
  include_costs: z.boolean().default(false),
})
export type AgentVersionsQueryReq = z.output<typeof AgentVersionsQueryReq>

export const agentVersionsQuery = route({
  ...of,
  id: 'agent_versions_query',
  path: '/agents/agent-versions/query',
  summary: 'List the versions of an agent',
  body: AgentVersionsQueryReq,
  answer: component('AgentVersionsQueryRes', {
    versions: z.array(component('AgentVersionSchema', { ...totals, agent_version: z.string() })),
    total_count: z.int(),
  }),
})

const AgentSpanGroupDistributionSpec = component('AgentSpanGroupDistributionSpec', {
  alias,
  value: AgentSpanValueRef,
  bins: z.int().min(1).max(50).default(12),
  top_n: z.int().min(1).max(20).default(5),
})
export type AgentSpanGroupDistributionSpec = z.output<typeof AgentSpanGroupDistributionSpec>

const AgentSpansQueryReq = component('AgentSpansQueryReq', {
  ...spanWindow,
  group_by: groupBy.describe('empty: spans are listed, else groups of them'),
  measures: z.array(AgentSpanMeasureSpec).max(50).default([]),
  group_filters: z.array(AgentSpanGroupFilter).max(20).default([]),
  group_distributions: z.array(AgentSpanGroupDistributionSpec).max(20).default([]),
  custom_attr_columns: z.array(AgentSpanValueRef).max(200).default([]),
  include_details: z.boolean().default(false),
  include_costs: z.boolean().default(false),
  sort_by,
  ...agentPage,
  signal_filters: AgentSignalFilter.nullish(),
  insight_filters: z.array(AgentInsightFilter).max(20).default([]),
})
export type AgentSpansQueryReq = z.output<typeof AgentSpansQueryReq>

export const agentSpansQuery = route({
  ...of,
  id: 'agent_spans_query',
  path: '/agents/spans/query',
  summary: 'List spans of agents, or groups of them with aggregates',
  body: AgentSpansQueryReq,
  answer: component('AgentSpansQueryRes', {
    spans: z.array(AgentSpan),
    groups: z.array(AgentSpanGroupRow),
    total_count: z.int(),
  }),
})
