/** What the fields of requests for statistics over spans do. */
import { type Case, eq, list, type Route } from './case.js'
import { filters } from './spans.js'
import { iso } from './talk.js'

const metric = (more: object = {}) => ({
  alias: 'in',
  value_type: 'number',
  value: { key: 'input_tokens' },
  ...more,
})
const whole = { start: iso(0), end: iso(180), granularity: 3600, metrics: [metric()] }
const with_ = (more: object) => ({ ...whole, ...more })
const metrics = (more: object) => with_({ metrics: [metric(more)] })
const duration = { source: 'derived', key: 'duration_ms' }
const ranges = (more: object = {}) => ({
  ...{ start: iso(0), end: iso(180) },
  bucket_by: { type: 'number', value: duration, bins: 2, ...more },
})
const ofTraces = (more: object = {}) => ({
  ...{ start: iso(0), end: iso(180) },
  bucket_by: {
    ...{ type: 'number', bins: 2, group_by: [{ key: 'trace_id' }] },
    measure: { alias: 'n', aggregation: 'count', ...more },
  },
})
const counted = with_({ metrics: [{ alias: 'n', value_type: 'string', value: { key: 'span_id' } }] })
const passing = (more: object = {}) => ({
  ...counted,
  group_filters: [{ measure: { alias: 'n', aggregation: 'count' }, min: 2, ...more }],
})

/** The names of an answer's columns. */
const columns = list('columns', ({ name }) => name)
const byTime: Case[] = [
  { field: 'start', body: with_({ start: iso(61), granularity: 60 }), sees: [[40], [0]] },
  { field: 'end', body: with_({ end: iso(60), granularity: 60 }), sees: [[100]] },
  { field: 'granularity', body: with_({ granularity: 60 }), sees: [[100], [40], [0]] },
  {
    field: 'timezone',
    body: with_({ granularity: 86_400, timezone: 'Asia/Kathmandu' }),
    view: list('rows', ({ timestamp }) => timestamp),
    sees: ['2026-05-31T18:15:00Z'],
  },
  { field: 'query', body: with_({ query: eq('provider_name', 'openai') }), sees: [[100]] },
  {
    field: 'group_by',
    body: with_({ group_by: [{ key: 'agent_name' }] }),
    sees: [
      ['Weather', 140],
      ['Travel', 0],
    ],
  },
  {
    field: 'group_by[].key',
    body: with_({ group_by: [{ key: 'conversation_id' }] }),
    sees: [
      ['c1', 140],
      ['c2', 0],
    ],
  },
  {
    field: 'group_by[].source',
    body: with_({
      group_by: [{ source: 'custom_attrs_int', key: 'age' }],
      query: eq('operation_name', 'chat'),
    }),
    sees: [
      [30, 100],
      [50, 40],
    ],
  },
  {
    field: 'group_by[].alias',
    body: with_({ group_by: [{ key: 'agent_name', alias: 'who' }] }),
    view: columns,
    sees: ['timestamp', 'who', 'sum_in'],
  },
  {
    field: 'group_limit',
    body: with_({ group_by: [{ key: 'agent_name' }], group_limit: 1 }),
    sees: [['Weather', 140]],
  },
  { field: 'metrics', body: metrics({}), sees: [[140]] },
  {
    field: 'metrics[].alias',
    body: metrics({ alias: 'tokens' }),
    view: columns,
    sees: ['timestamp', 'sum_tokens'],
  },
  { field: 'metrics[].value_type', body: metrics({}), sees: [[140]] },
  { field: 'metrics[].value', body: metrics({ value: duration }), sees: [[10_000]] },
  { field: 'metrics[].value.key', body: metrics({ value: { key: 'output_tokens' } }), sees: [[14]] },
  {
    field: 'metrics[].value.source',
    body: metrics({ value: { source: 'custom_attrs_int', key: 'age' } }),
    sees: [[80]],
  },
  { field: 'metrics[].aggregations', body: metrics({ aggregations: ['max', 'count'] }), sees: [[100, 6]] },
  {
    field: 'metrics[].percentiles',
    body: metrics({ value: duration, percentiles: [100] }),
    sees: [[4000]],
  },
  { field: 'group_filters', body: passing(), sees: [[5]] },
  { field: 'group_filters[].measure', body: passing(), sees: [[5]] },
  { field: 'group_filters[].min', body: passing({ min: 2, max: 9 }), sees: [[5]] },
  { field: 'group_filters[].max', body: passing({ min: 1, max: 4 }), sees: [[1]] },
  {
    field: 'group_filters[].group_by',
    body: passing({ min: 3, group_by: [{ key: 'trace_id' }] }),
    sees: [[3]],
  },
  ...filters(counted, [[5]], [[1]], [[0]], [[6]]),
]

const counts = list('rows', ({ bucket_min, bucket_max, count }) => [bucket_min, bucket_max, count])
/** Traces by how many spans they have. */
const LONG_TRACES = [
  [1, 2, 1],
  [2, 3, 2],
]
const byRange: Case[] = [
  {
    field: 'bucket_by',
    body: ranges(),
    view: counts,
    sees: [
      [1000, 2500, 5],
      [2500, 4000, 1],
    ],
  },
  {
    field: 'bucket_by.type',
    body: ranges(),
    view: counts,
    sees: [
      [1000, 2500, 5],
      [2500, 4000, 1],
    ],
  },
  { field: 'bucket_by.bins', body: ranges({ bins: 1 }), view: counts, sees: [[1000, 4000, 6]] },
  {
    field: 'bucket_by.min',
    body: ranges({ min: 2000 }),
    view: counts,
    sees: [
      [2000, 3000, 1],
      [3000, 4000, 1],
    ],
  },
  {
    field: 'bucket_by.max',
    body: ranges({ max: 3000 }),
    view: counts,
    sees: [
      [1000, 2000, 4],
      [2000, 3000, 1],
    ],
  },
  {
    field: 'bucket_by.value',
    body: ranges(),
    view: counts,
    sees: [
      [1000, 2500, 5],
      [2500, 4000, 1],
    ],
  },
  { field: 'bucket_by.alias', body: ranges({ alias: 'took' }), ignored: true },
  { field: 'bucket_by.measure', body: ofTraces(), view: counts, sees: LONG_TRACES },
  { field: 'bucket_by.group_by', body: ofTraces(), view: counts, sees: LONG_TRACES },
  { field: 'bucket_by.measure.alias', body: ofTraces(), view: counts, sees: LONG_TRACES },
  { field: 'bucket_by.measure.aggregation', body: ofTraces(), view: counts, sees: LONG_TRACES },
  {
    field: 'bucket_by.measure.value',
    body: ofTraces({ aggregation: 'sum', value: { key: 'input_tokens' } }),
    view: counts,
    sees: [
      [0, 50, 2],
      [50, 100, 1],
    ],
  },
  {
    field: 'bucket_by.measure.value_type',
    body: ofTraces({ aggregation: 'sum', value: { key: 'input_tokens' }, value_type: 'string' }),
    refused: 400,
  },
  {
    field: 'bucket_by.measure.filter',
    body: ofTraces({ filter: eq('operation_name', 'chat') }),
    view: counts,
    sees: [
      [0, 0.5, 1],
      [0.5, 1, 2],
    ],
  },
]

const keys = list('attributes', ({ key }) => key)
const attributes: Route = {
  path: '/agents/spans/custom-attrs/schema',
  view: keys,
  cases: [
    { field: 'query', body: { query: eq('tier', 'none') }, sees: [] },
    { field: 'started_after', body: { started_after: iso(120) }, sees: [] },
    { field: 'started_before', body: { started_before: iso(1) }, sees: [] },
    { field: 'limit', body: { limit: 1 }, sees: ['age'] },
    { field: 'offset', body: { offset: 3 }, sees: ['vip'] },
  ],
}

const stats: Route = {
  path: '/agents/spans/stats',
  view: list('rows', ({ timestamp: _, ...values }) => Object.values(values)),
  cases: [...byTime, ...byRange],
}

export const statsRoutes: Route[] = [stats, attributes]
