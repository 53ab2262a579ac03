/** The tool that counts: calls, errors, latency, tokens and costs by groups and over time. */
import { z } from 'zod'
import { agentSpansStats } from '../../contract/agent-stats.js'
import { callStats, GROUPINGS, timeIn } from '../../contract/calls-read.js'
import { cursorIn, cursorOut, maxTokens, offsetOf, pageOf } from '../budget.js'
import { name, project, tool } from '../tool.js'
import { queryOf, where } from './calls.js'

const DAY_SECONDS = 86_400
const ATTRIBUTE = 'attributes.'

const row = z.record(z.string(), z.unknown())

export const stats = tool({
  name: 'stats',
  title: 'Count and sum',
  description:
    'How many calls, errors, how slow (p50, p95), tokens and costs: by op, user, end user, model and the like, or by any field or attribute of agents’ spans, and over time.',
  effect: 'reads',
  input: z.object({
    project,
    since: timeIn.describe('ISO 8601; at most 31 days before until'),
    until: timeIn.optional().describe('default: now'),
    group_by: name
      .default('none')
      .describe(
        `none, ${GROUPINGS.join(', ')}; of agents’ spans: agent_name, tool_name, request_model, provider_name, status_code…, or attributes.<key>`,
      ),
    every_seconds: z.int().min(60).optional().describe('length of a bucket; default: a day'),
    where,
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({ rows: z.array(row), next_cursor: cursorOut }),
  run: async (asked, api) => {
    const { project: project_id, since, until = null, group_by } = asked
    const granularity = asked.every_seconds ?? DAY_SECONDS
    const query = queryOf(asked.where) ?? null
    const offset = offsetOf(asked.cursor)
    const shown = (rows: z.output<typeof row>[]) => {
      const { page, ...next } = pageOf(rows.slice(offset), offset, asked.max_tokens)
      return { rows: page, ...next }
    }
    const window = { project_id, start: since, end: until, granularity, query }
    const grouping = GROUPINGS.find((one) => one === group_by)
    if (grouping === undefined && group_by !== 'none') {
      const isAttribute = group_by.startsWith(ATTRIBUTE)
      const key = isAttribute ? group_by.slice(ATTRIBUTE.length) : group_by
      const { rows } = await api.call(agentSpansStats, {
        body: {
          ...window,
          group_by: [{ source: isAttribute ? 'custom_attrs_string' : 'field', key, alias: 'group' }],
          metrics: [
            { alias: 'spans', value_type: 'string', aggregations: ['count'], value: { key: 'span_id' } },
            {
              ...{ alias: 'errors', value_type: 'boolean' as const, aggregations: ['count_true' as const] },
              value: { source: 'derived', key: 'is_error' },
            },
            ...(['input_tokens', 'output_tokens'] as const).map((one) => ({
              ...{ alias: one, value_type: 'number' as const, aggregations: ['sum' as const] },
              value: { key: one },
            })),
            {
              ...{ alias: 'ms', value_type: 'number', aggregations: ['avg'], percentiles: [50, 95] },
              value: { source: 'derived', key: 'duration_ms' },
            },
          ],
        },
      })
      return shown(rows.filter(counted))
    }
    if (grouping === 'model') {
      const sums = ['input_tokens', 'output_tokens', 'total_cost'] as const
      const { usage_buckets } = await api.call(callStats, {
        body: { ...window, usage_metrics: sums.map((metric) => ({ metric })) },
      })
      return shown(usage_buckets.filter(counted))
    }
    const { call_buckets } = await api.call(callStats, {
      body: {
        ...window,
        call_metrics: [
          { metric: 'call_count' },
          { metric: 'error_count' },
          { metric: 'latency_ms', aggregations: ['avg'], percentiles: [50, 95] },
        ],
        ...(grouping && { group_by: grouping }),
      },
    })
    return shown(call_buckets.filter(counted))
  },
})

/** Empty buckets are left out. */
function counted(bucket: Record<string, unknown>): boolean {
  return Object.values(bucket).some((value) => typeof value === 'number' && value !== 0)
}
