/** What the fields of requests for agents, their versions, their spans and groups of them do. */
import { type Case, eq, list, type Route } from './case.js'
import { iso } from './talk.js'

const agents: Route = {
  path: '/agents/query',
  view: list('agents', ({ agent_name }) => agent_name),
  cases: [
    { field: 'filters.agent_name', body: { filters: { agent_name: 'Weather' } }, sees: ['Weather'] },
    { field: 'filters', body: { filters: { agent_name: 'Weather' } }, sees: ['Weather'] },
    { field: 'sort_by', body: { sort_by: [{ field: 'span_count' }] }, sees: ['Weather', 'Travel'] },
    { field: 'sort_by[].field', body: { sort_by: [{ field: 'span_count' }] }, sees: ['Weather', 'Travel'] },
    {
      field: 'sort_by[].direction',
      body: { sort_by: [{ field: 'last_seen', direction: 'asc' }] },
      sees: ['Weather', 'Travel'],
    },
    { field: 'limit', body: { limit: 1 }, sees: ['Travel'] },
    { field: 'offset', body: { offset: 1 }, sees: ['Weather'] },
    {
      field: 'include_costs',
      body: { include_costs: true },
      view: list('agents', ({ total_cost_usd }) => total_cost_usd),
      sees: [null, 120],
    },
  ],
}

const weather = { agent_name: 'Weather' }
const versions: Route = {
  path: '/agents/agent-versions/query',
  view: list('versions', ({ agent_version }) => agent_version),
  cases: [
    { field: 'agent_name', body: { agent_name: 'Travel' }, sees: ['1'] },
    {
      field: 'sort_by',
      body: { ...weather, sort_by: [{ field: 'agent_version', direction: 'asc' }] },
      ignored: true,
    },
    {
      field: 'sort_by[].direction',
      body: { ...weather, sort_by: [{ field: 'x', direction: 'asc' }] },
      ignored: true,
    },
    { field: 'sort_by[].field', body: { ...weather, sort_by: [{ field: 'span_count' }] }, sees: ['3', '2'] },
    { field: 'limit', body: { ...weather, limit: 1 }, sees: ['3'] },
    { field: 'offset', body: { ...weather, offset: 1 }, sees: ['2'] },
    {
      field: 'include_costs',
      body: { ...weather, include_costs: true },
      view: list('versions', ({ total_cost_usd }) => total_cost_usd),
      sees: [null, 120],
    },
  ],
}

/** What filters by opinions and insights let through, in both routes that take them. */
export const filters = (base: object, good: unknown, bad: unknown, none: unknown, all: unknown): Case[] => {
  const rated = (op: string, value: number) => ({
    ...base,
    signal_filters: { ratings: [{ scorer_key: '_rating_', op, value }] },
  })
  const insight = (more: object = {}) => ({
    ...base,
    insight_filters: [{ field: 'intent_category', values: ['help'], ...more }],
  })
  const excluded = {
    ...base,
    insight_filters: [{ field: 'intent_category', values: ['help'], exclude: true }],
  }
  return [
    { field: 'signal_filters', body: { ...base, signal_filters: { tags: ['good'] } }, sees: good },
    { field: 'signal_filters.tags', body: { ...base, signal_filters: { tags: ['bad'] } }, sees: bad },
    { field: 'signal_filters.ratings', body: rated('lt', 0.6), sees: good },
    { field: 'signal_filters.ratings[].scorer_key', body: rated('gte', 0.9), sees: bad },
    { field: 'signal_filters.ratings[].op', body: rated('eq', 0.5), sees: good },
    { field: 'signal_filters.ratings[].value', body: rated('gt', 0.5), sees: bad },
    { field: 'insight_filters', body: insight(), sees: none },
    { field: 'insight_filters[].field', body: insight(), sees: none },
    { field: 'insight_filters[].values', body: insight(), sees: none },
    { field: 'insight_filters[].exclude', body: excluded, sees: all },
  ]
}

const byAgent = { group_by: [{ key: 'agent_name' }], sort_by: [{ field: 'agent_name', direction: 'asc' }] }
const byTalk = {
  group_by: [{ key: 'conversation_id' }],
  sort_by: [{ field: 'conversation_id', direction: 'asc' }],
}
const tokens = (more: object = {}) => ({
  ...byAgent,
  measures: [{ alias: 'in', aggregation: 'sum', value: { key: 'input_tokens' }, ...more }],
})
const many = (more: object) => ({
  ...byAgent,
  group_filters: [{ measure: { alias: 'n', aggregation: 'count' }, ...more }],
})
const spread = (more: object = {}) => ({
  ...byAgent,
  group_distributions: [{ alias: 'd', value: { source: 'custom_attrs_int', key: 'age' }, ...more }],
})
const tiers = (more: object = {}) =>
  spread({ value: { source: 'custom_attrs_string', key: 'tier' }, ...more })
const groups = list('groups', ({ group_keys, span_count, metrics }) => [
  ...Object.values(group_keys as object),
  span_count,
  ...Object.values((metrics ?? {}) as object),
])
const bins = list('groups', ({ distributions }) =>
  Object.values(distributions as Record<string, { bins: { count: number }[]; values: object[] }>).map(
    ({ bins: all, values }) => [all.map(({ count }) => count), values],
  ),
)
const groupCases: Case[] = [
  {
    field: 'group_by',
    body: byAgent,
    sees: [
      ['Travel', 1],
      ['Weather', 5],
    ],
  },
  {
    field: 'group_by[].key',
    body: byTalk,
    sees: [
      ['c1', 5],
      ['c2', 1],
    ],
  },
  {
    field: 'group_by[].source',
    body: {
      group_by: [{ source: 'custom_attrs_int', key: 'age' }],
      query: eq('operation_name', 'chat'),
      sort_by: [{ field: 'age' }],
    },
    sees: [
      [50, 1],
      [30, 1],
    ],
  },
  {
    field: 'group_by[].alias',
    body: { group_by: [{ key: 'status_code', alias: 'state' }], sort_by: [{ field: 'state' }] },
    view: list('groups', ({ group_keys }) => group_keys),
    sees: [{ state: 'UNSET' }, { state: 'ERROR' }],
  },
  {
    field: 'measures',
    body: tokens(),
    sees: [
      ['Travel', 1, 0],
      ['Weather', 5, 140],
    ],
  },
  {
    field: 'measures[].alias',
    body: { ...tokens(), sort_by: [{ field: 'in' }] },
    view: list('groups', ({ metrics }) => metrics),
    sees: [{ in: 140 }, { in: 0 }],
  },
  {
    field: 'measures[].aggregation',
    body: tokens({ aggregation: 'max' }),
    sees: [
      ['Travel', 1, 0],
      ['Weather', 5, 100],
    ],
  },
  {
    field: 'measures[].value',
    body: tokens(),
    sees: [
      ['Travel', 1, 0],
      ['Weather', 5, 140],
    ],
  },
  {
    field: 'measures[].value.key',
    body: tokens({ value: { key: 'output_tokens' } }),
    sees: [
      ['Travel', 1, 0],
      ['Weather', 5, 14],
    ],
  },
  {
    field: 'measures[].value.source',
    body: tokens({ value: { source: 'custom_attrs_float', key: 'score' } }),
    sees: [
      ['Travel', 1, null],
      ['Weather', 5, 6],
    ],
  },
  { field: 'measures[].value_type', body: tokens({ value_type: 'string' }), refused: 400 },
  {
    field: 'measures[].filter',
    body: tokens({ filter: eq('provider_name', 'openai') }),
    sees: [
      ['Travel', 1, null],
      ['Weather', 5, 100],
    ],
  },
  { field: 'group_filters', body: many({ min: 2 }), sees: [['Weather', 5]] },
  { field: 'group_filters[].measure', body: many({ min: 2 }), sees: [['Weather', 5]] },
  { field: 'group_filters[].min', body: many({ min: 2, max: 9 }), sees: [['Weather', 5]] },
  { field: 'group_filters[].max', body: many({ min: 0, max: 2 }), sees: [['Travel', 1]] },
  {
    field: 'group_filters[].group_by',
    body: many({ min: 0, group_by: [{ key: 'trace_id' }] }),
    refused: 400,
  },
  { field: 'group_distributions', body: spread({ bins: 2 }), view: bins, sees: [[[[], []]], [[[1, 1], []]]] },
  {
    field: 'group_distributions[].alias',
    body: spread(),
    view: list('groups', ({ distributions }) => Object.keys(distributions as object)),
    sees: [['d'], ['d']],
  },
  {
    field: 'group_distributions[].value',
    body: tiers(),
    view: bins,
    sees: [
      [[[], []]],
      [
        [
          [],
          [
            { value: 'gold', count: 1 },
            { value: 'silver', count: 1 },
          ],
        ],
      ],
    ],
  },
  {
    field: 'group_distributions[].bins',
    body: spread({ bins: 3 }),
    view: bins,
    sees: [[[[], []]], [[[1, 0, 1], []]]],
  },
  {
    field: 'group_distributions[].top_n',
    body: tiers({ top_n: 1 }),
    view: bins,
    sees: [[[[], []]], [[[], [{ value: 'gold', count: 1 }]]]],
  },
  ...filters(
    byTalk,
    [['c1', 5]],
    [['c2', 1]],
    [],
    [
      ['c1', 5],
      ['c2', 1],
    ],
  ),
]

const names = list('spans', ({ span_name }) => span_name)
const spans: Route = {
  path: '/agents/spans/query',
  view: (answer) => ((answer.groups as []).length > 0 ? groups(answer) : names(answer)),
  cases: [
    { field: 'query', body: { query: eq('operation_name', 'chat') }, sees: ['chat B', 'chat A'] },
    { field: 'started_after', body: { started_after: iso(61) }, sees: ['invoke_agent C', 'chat B'] },
    { field: 'started_before', body: { started_before: iso(2) }, sees: ['chat A', 'invoke_agent A'] },
    { field: 'limit', body: { limit: 1 }, sees: ['invoke_agent C'] },
    { field: 'offset', body: { offset: 5 }, sees: ['invoke_agent A'] },
    {
      field: 'sort_by',
      body: { sort_by: [{ field: 'input_tokens' }], limit: 2 },
      sees: ['chat A', 'chat B'],
    },
    {
      field: 'sort_by[].field',
      body: { sort_by: [{ field: 'duration_ms' }], limit: 1 },
      sees: ['invoke_agent A'],
    },
    {
      field: 'sort_by[].direction',
      body: { sort_by: [{ field: 'started_at', direction: 'asc' }], limit: 1 },
      sees: ['invoke_agent A'],
    },
    {
      field: 'include_costs',
      body: { include_costs: true, query: eq('operation_name', 'chat') },
      view: list('spans', ({ total_cost_usd }) => total_cost_usd),
      sees: [null, 120],
    },
    {
      field: 'include_details',
      body: { include_details: true, query: eq('request_model', 'model-a') },
      view: list('spans', ({ output_messages }) => (output_messages as unknown[] | null)?.length),
      sees: [1],
    },
    {
      field: 'custom_attr_columns',
      body: {
        custom_attr_columns: [{ source: 'custom_attrs_string', key: 'tier' }],
        query: eq('operation_name', 'chat'),
      },
      view: list('spans', ({ custom_attrs_string }) => custom_attrs_string),
      sees: [{ tier: 'silver' }, { tier: 'gold' }],
    },
    ...groupCases,
  ],
}

export const spanRoutes: Route[] = [agents, versions, spans]
