/** The SQL of each kind of read of agents, one snapshot file a case, to be read by a change's reviewer. */
import { expect, it } from 'vitest'
import { agentSpansStats } from '../../contract/agent-stats.js'
import { agentSpansQuery, agentsQuery, agentVersionsQuery } from '../../contract/agents.js'
import { spanOf } from '../../domain/calls/read/span.js'
import { pricesByModel } from '../../domain/costs/pricing.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { inheritedTokens, ownTokens } from './agent-costs.js'
import { agentsStatement, versionsStatement } from './agents.js'
import { groupPlan } from './groups.js'
import { identityStatement, spansOf, traceParts, windowOf } from './identity.js'
import { conversationsStatement, lateStatement, newestStatement } from './latest-conversations.js'
import { narrowed } from './query.js'
import { rangePlan } from './ranges.js'
import { at, countStatement, matches, placesStatement, rowsStatement } from './spans.js'
import { statsPlan } from './stats.js'

const project_id = 'acme/one'
const window = windowOf({ project_id, started_after: '2026-01-01T00:00:00Z' })
const query = { $expr: { $eq: [{ $getField: 'agent.name' }, { $literal: "it's" }] } }

async function expectSql(name: string, ...statements: Sql[]): Promise<void> {
  const text = statements
    .map((statement) => {
      const { query, params } = statement.render()
      const lines = Object.entries(params).map(([key, value]) => `-- ${key} = ${JSON.stringify(value)}`)
      return [query, ...lines, ''].join('\n')
    })
    .join('\n')
  await expect(text).toMatchFileSnapshot(`./__snapshots__/${name}.sql`)
}

it('agents and their versions', () =>
  expectSql(
    'agents',
    agentsStatement(agentsQuery.body!.parse({ project_id, sort_by: [{ field: 'span_count' }] })),
    versionsStatement(agentVersionsQuery.body!.parse({ project_id, agent_name: 'a' })),
    ownTokens(windowOf({ project_id }), { names: ['a'] }, [0]),
    inheritedTokens(
      windowOf({ project_id }),
      { name: 'a', versions: ['1'] },
      { rest: 0, of: 1 },
      [0, 200_001],
    ),
  ))

it('spans', () => {
  const request = agentSpansQuery.body!.parse({ project_id, query, sort_by: [{ field: 'duration_ms' }] })
  const of = narrowed(window, request.query)
  const conditions = matches(request.query, of)
  return expectSql(
    'spans',
    countStatement(of, conditions),
    placesStatement(request, of, conditions),
    rowsStatement(spansOf(window, [at([{ started: 1, id: 'a', trace_id: 't' }])])),
    identityStatement(window),
  )
})

it('groups of spans', () => {
  const request = agentSpansQuery.body!.parse({
    project_id,
    group_by: [{ key: 'conversation_id' }, { source: 'custom_attrs_int', key: 'a.b', alias: 'b' }],
    measures: [
      { alias: 'm', aggregation: 'avg', value: { source: 'derived', key: 'duration_ms' }, filter: query },
    ],
    group_filters: [{ measure: { alias: 'f', aggregation: 'count' }, min: 2 }],
    signal_filters: { tags: ['good'], ratings: [{ scorer_key: 'r', op: 'gte', value: 0.5 }] },
    include_costs: true,
  })
  return expectSql('groups', groupPlan(request, window, pricesByModel([])).statement)
})

it('the latest conversations', () => {
  const request = agentSpansQuery.body!.parse({ project_id, group_by: [{ key: 'conversation_id' }] })
  return expectSql(
    'latest-conversations',
    newestStatement(window, 500),
    lateStatement(request, window, 1_767_225_600_000_000),
    traceParts({ ...window, traces: { ids: sql`${bind.strings(['t'])}`, among: window } }),
    conversationsStatement(request, window),
  )
})

it('statistics', () => {
  const request = agentSpansStats.body!.parse({
    project_id,
    start: '2026-01-01T00:00:00Z',
    end: '2026-01-01T02:00:00Z',
    group_by: [{ key: 'request_model' }],
    metrics: [{ alias: 'in', value_type: 'number', value: { key: 'input_tokens' }, percentiles: [50] }],
  })
  const span = spanOf({ start: request.start, end: request.end!, granularity: null, timezone: 'UTC' })
  const bucket_by = {
    type: 'number' as const,
    alias: 'v',
    bins: 4,
    value: { source: 'field' as const, key: 'output_tokens' },
  }
  const ranges = rangePlan({ ...request, group_by: [] }, bucket_by, window)
  return expectSql('stats', statsPlan(request, span, window).statement, ranges.ends, ranges.counts(0, 10))
})
