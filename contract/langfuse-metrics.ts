import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { LangfuseFilter, MOST_FILTERS } from './langfuse-filter.js'
import { LangfusePage, langfuseRead, numberedPage } from './langfuse-shared.js'
import { component, many, maybe, shortText } from './shared.js'

const name = z.string().min(1).max(100)
const moment = z.iso.datetime({ offset: true })
const AGGREGATIONS = [
  'sum',
  'avg',
  'count',
  'max',
  'min',
  'p50',
  'p75',
  'p90',
  'p95',
  'p99',
  'histogram',
] as const
const GRANULARITIES = ['minute', 'hour', 'day', 'week', 'month'] as const
export type MetricsAggregation = (typeof AGGREGATIONS)[number]
export type Granularity = (typeof GRANULARITIES)[number]
const VIEWS = ['observations', 'traces', 'scores-numeric', 'scores-boolean', 'scores-categorical'] as const
export type MetricsView = (typeof VIEWS)[number]

export const MetricsQuery = z.object({
  view: z.enum(VIEWS),
  dimensions: z
    .array(z.object({ field: name }))
    .max(10)
    .nullish(),
  metrics: z
    .array(z.object({ measure: name, aggregation: z.enum(AGGREGATIONS) }))
    .min(1)
    .max(20),
  filters: z.array(LangfuseFilter).max(MOST_FILTERS).nullish(),
  timeDimension: z.object({ granularity: z.enum(['auto', ...GRANULARITIES]) }).nullish(),
  fromTimestamp: moment,
  toTimestamp: moment,
  orderBy: z
    .array(z.object({ field: name, direction: z.enum(['asc', 'desc']) }))
    .max(10)
    .nullish(),
  config: z
    .object({ bins: z.int().min(1).max(100).nullish(), row_limit: z.int().min(1).max(1000).nullish() })
    .nullish(),
})
export type MetricsQuery = z.output<typeof MetricsQuery>

const metrics = {
  query: z.object({
    query: z
      .string()
      .max(100_000)
      .describe(
        'JSON: view, dimensions, metrics, filters, timeDimension, fromTimestamp, toTimestamp, orderBy, config',
      ),
  }),
  answer: component('LangfuseMetrics', { data: z.array(z.record(z.string(), z.unknown())) }),
} as const

export const langfuseMetrics = route({
  ...langfuseRead,
  ...metrics,
  id: 'langfuse_metrics',
  path: '/api/public/metrics',
  summary: 'Sum up traces, observations or scores',
})

export const langfuseMetricsV2 = route({
  ...langfuseRead,
  ...metrics,
  id: 'langfuse_metrics_v2',
  path: '/api/public/v2/metrics',
  summary: 'Sum up observations or scores, by fields of few values',
})

const time = moment.optional()
const dailyFilters = z.object({
  ...numberedPage,
  traceName: shortText.optional(),
  userId: shortText.optional(),
  tags: many,
  environment: many,
  fromTimestamp: time,
  toTimestamp: time,
})
export type DailyQuery = z.output<typeof dailyFilters>

const counts = { countTraces: z.int(), countObservations: z.int(), totalCost: z.number() }
const Day = component('LangfuseDailyMetrics', {
  date: z.iso.date(),
  ...counts,
  usage: z.array(
    z.object({
      ...{
        model: maybe(z.string()),
        inputUsage: z.number(),
        outputUsage: z.number(),
        totalUsage: z.number(),
      },
      ...counts,
    }),
  ),
})
export type LangfuseDay = z.output<typeof Day>

export const langfuseDaily = route({
  ...langfuseRead,
  id: 'langfuse_metrics_daily',
  path: '/api/public/metrics/daily',
  summary: 'Count traces, observations, tokens and costs by day and model, the newest day first',
  query: dailyFilters,
  answer: component('LangfuseDaily', { data: z.array(Day), meta: LangfusePage }),
})
